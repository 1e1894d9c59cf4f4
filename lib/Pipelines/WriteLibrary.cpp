// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WriteLibrary.h"

#include "invar-c/Abi.h"
#include "invar-c/Program.h"
#include "invar/Support/OutputFile.h"

using namespace invar;
using llvm::StringRef;

static llvm::Error writeStrings(OutputFile &file, const Elements &content) {
  auto strings = content.getArray<StringRef>();
  if (!strings)
    return strings.takeError();
  for (StringRef text : *strings) {
    uint64_t size = text.size();
    if (llvm::Error error = file.write(
            StringRef(reinterpret_cast<const char *>(&size), sizeof(size))))
      return error;
  }
  for (StringRef text : *strings)
    if (llvm::Error error = file.write(text))
      return error;
  return llvm::Error::success();
}

/// Elements as they lie in memory when the model runs: a lane each.
static llvm::Error writeLanes(OutputFile &file, const StoredConstant &constant,
                              const EvalOptions &evaluation) {
  const Elements &content = constant.content;
  int64_t count = content.numElements();
  if (count == 0)
    return llvm::Error::success();
  uint64_t lane = constant.size / uint64_t(count);
  int64_t most = int64_t((uint64_t(4) << 20) / lane);
  std::vector<char> piece(size_t(std::min(count, most)) * lane);
  for (int64_t begin = 0; begin < count; begin += most) {
    int64_t n = std::min(most, count - begin);
    content.read(begin, n, piece.data(), evaluation);
    if (llvm::Error error =
            file.write(StringRef(piece.data(), size_t(n) * lane)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<uint64_t> invar::writeLibrary(StringRef path, StringRef library,
                                             const EncodedProgram &program,
                                             const MappedFiles &sources,
                                             const EvalOptions &evaluation) {
  auto file = OutputFile::create(path, {.removeOnSignal = true});
  if (!file)
    return file.takeError();
  if (llvm::Error error = (*file)->write(library))
    return error;
  if (llvm::Error error = (*file)->alignTo(4096))
    return error;
  InvarTrailer trailer = {};
  memcpy(trailer.magic, INVAR_TRAILER_MAGIC, sizeof(trailer.magic));
  trailer.constants_offset = (*file)->getPosition();
  trailer.constants_size = program.constantsSize;
  trailer.program_hash =
      invar_program_hash(program.words.data(), program.words.size());
  uint64_t dropped = 0; // Where it was the last time.
  for (const StoredConstant &constant : program.constants) {
    llvm::Error error = constant.content.getType() == DataType::String
                            ? writeStrings(**file, constant.content)
                            : writeLanes(**file, constant, evaluation);
    if (error)
      return error;
    if (llvm::Error failed = (*file)->alignTo(64))
      return failed;
    constexpr uint64_t worthACall = 8 << 20;
    if ((*file)->getPosition() - dropped < worthACall)
      continue;
    dropped = (*file)->getPosition();
    for (const std::shared_ptr<const MappedFile> &source : sources)
      source->dropPages({0, source->getSize()});
  }
  if (llvm::Error error = (*file)->write(
          StringRef(reinterpret_cast<const char *>(&trailer), sizeof(trailer))))
    return error;
  uint64_t size = (*file)->getPosition();
  if (llvm::Error error = (*file)->commit())
    return error;
  return size;
}
