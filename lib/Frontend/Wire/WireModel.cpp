// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/WireModel.h"

#include "GuessFormat.h"
#include "Parser.h"
#include "invar/Support/Error.h"

using namespace invar;

llvm::Expected<std::unique_ptr<WireModel>>
WireModel::open(llvm::StringRef path) {
  llvm::Expected<std::shared_ptr<const MappedFile>> file =
      MappedFile::open(path);
  if (!file)
    return file.takeError();
  return parse(std::move(*file));
}

llvm::Expected<std::unique_ptr<WireModel>>
WireModel::parse(std::shared_ptr<const MappedFile> file) {
  llvm::Expected<std::unique_ptr<WireModel>> model =
      parse(file->getBytes(), file->getPath());
  if (model)
    (*model)->file = std::move(file);
  return model;
}

llvm::Expected<std::unique_ptr<WireModel>>
WireModel::parse(llvm::StringRef bytes, llvm::StringRef path) {
  std::unique_ptr<WireModel> result(new WireModel());
  result->path = path.str();
  result->model.whole = result->model.payload = bytes;
  WireInput input(bytes, path);
  Parser(input, result->arena).parse(result->model, FieldPath());
  if (llvm::Error error = input.takeError()) {
    llvm::StringRef format = guessFormat(bytes);
    if (format.empty())
      return error;
    llvm::consumeError(std::move(error));
    return badInput(path + ": expected an ONNX model, but got " + format);
  }
  return result;
}
