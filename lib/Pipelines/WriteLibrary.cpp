// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WriteLibrary.h"

#include "invar-c/Abi.h"
#include "invar-c/FoldFile.h"
#include "invar-c/Program.h"
#include "invar/Support/Hash.h"
#include "invar/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace invar;
using llvm::ArrayRef;
using llvm::StringRef;

/// What begins on a page can be mapped, and what begins a line of the cache is read best.
static constexpr uint64_t pageSize = 4096, constantAlignment = 64;

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

/// Writes all constants, from where the file is now.
static llvm::Error writeConstants(OutputFile &file,
                                  const EncodedProgram &program,
                                  const WriteOptions &options) {
  uint64_t begin = file.getPosition();
  uint64_t dropped = 0; // Where it was the last time.
  for (const StoredConstant &constant : program.constants) {
    assert(file.getPosition() - begin == constant.offset);
    llvm::Error error = constant.content.getType() == DataType::String
                            ? writeStrings(file, constant.content)
                            : writeLanes(file, constant, options.evaluation);
    if (error)
      return error;
    if (llvm::Error failed = file.alignTo(constantAlignment))
      return failed;
    constexpr uint64_t worthACall = 8 << 20;
    if (file.getPosition() - dropped < worthACall)
      continue;
    dropped = file.getPosition();
    for (const std::shared_ptr<const MappedFile> &source : options.sources)
      source->dropPages({0, source->getSize()});
  }
  return llvm::Error::success();
}

//===-- A file of safetensors -------------------------------------------------===//

/// The file beside a library that has its constants.
static std::string getConstantsFile(StringRef library) {
  llvm::SmallString<128> path(library);
  llvm::sys::path::replace_extension(path, "safetensors");
  return path.str().str();
}

/// What the format calls a type; empty where it does not know it.
static StringRef getSafetensorsName(DataType type) {
  switch (type) {
  case DataType::Float64:
    return "F64";
  case DataType::Float32:
    return "F32";
  case DataType::Float16:
    return "F16";
  case DataType::BFloat16:
    return "BF16";
  case DataType::Int64:
    return "I64";
  case DataType::Int32:
    return "I32";
  case DataType::Int16:
    return "I16";
  case DataType::Int8:
    return "I8";
  case DataType::UInt64:
    return "U64";
  case DataType::UInt32:
    return "U32";
  case DataType::UInt16:
    return "U16";
  case DataType::UInt8:
    return "U8";
  case DataType::Bool:
    return "BOOL";
  default:
    return {};
  }
}

/// The header, with its length, so that what follows begins a page. The format has no room
/// between tensors, so what fills up to the next one is a tensor too.
static std::string makeHeader(const EncodedProgram &program,
                              const EvalOptions &evaluation) {
  llvm::json::Object header;
  Hasher contents;
  auto describe = [](StringRef type, ArrayRef<int64_t> shape, uint64_t begin,
                     uint64_t size) {
    return llvm::json::Object{
        {"dtype", type},
        {"shape", llvm::json::Array(shape)},
        {"data_offsets",
         llvm::json::Array({int64_t(begin), int64_t(begin + size)})}};
  };
  for (auto [number, constant] : llvm::enumerate(program.constants)) {
    contents.add(constant.content.getRecipe(evaluation));
    std::string suffix = std::to_string(number);
    std::string name = llvm::json::fixUTF8(constant.name);
    if (name.empty() || header.get(name))
      name = "constant." + suffix;
    StringRef type = getSafetensorsName(constant.content.getType());
    // What the format does not know is bytes to it.
    auto bytes = int64_t(constant.size);
    header[name] = type.empty()
                       ? describe("U8", bytes, constant.offset, constant.size)
                       : describe(type, constant.content.getShape(),
                                  constant.offset, constant.size);
    uint64_t end = constant.offset + constant.size;
    uint64_t room = llvm::alignTo(end, constantAlignment) - end;
    if (room)
      header["padding." + suffix] = describe("U8", int64_t(room), end, room);
  }
  Hash128 hash = contents.finish();
  header["__metadata__"] =
      llvm::json::Object{{"format", "invar"},
                         {"content", llvm::utohexstr(hash.high, true, 16) +
                                         llvm::utohexstr(hash.low, true, 16)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(header));
  text.resize(llvm::alignTo(text.size() + 8, pageSize) - 8, ' ');
  std::string length(8, 0);
  llvm::support::endian::write64le(length.data(), text.size());
  return length + text;
}

/// Writes the constants to a file of their own, and says in the trailer which it is.
static llvm::Error writeApart(StringRef path, const EncodedProgram &program,
                              const WriteOptions &options,
                              InvarTrailer &trailer) {
  auto file = OutputFile::create(path, {.removeOnSignal = true});
  if (!file)
    return file.takeError();
  std::string header = makeHeader(program, options.evaluation);
  trailer.constants_offset = header.size();
  trailer.file_name_size = llvm::sys::path::filename(path).size();
  trailer.file_hash = invar_fold_hash(header.data(), header.size());
  if (llvm::Error error = (*file)->write(header))
    return error;
  if (llvm::Error error = writeConstants(**file, program, options))
    return error;
  return (*file)->commit();
}

//===-- The library -----------------------------------------------------------===//

llvm::Expected<uint64_t> invar::writeLibrary(StringRef path, StringRef library,
                                             const EncodedProgram &program,
                                             const WriteOptions &options) {
  auto file = OutputFile::create(path, {.removeOnSignal = true});
  if (!file)
    return file.takeError();
  if (llvm::Error error = (*file)->write(library))
    return error;
  InvarTrailer trailer = {};
  memcpy(trailer.magic, INVAR_TRAILER_MAGIC, sizeof(trailer.magic));
  trailer.constants_size = program.constantsSize;
  trailer.program_hash =
      invar_program_hash(program.words.data(), program.words.size());
  if (options.apart) {
    std::string constants = getConstantsFile(path);
    if (llvm::Error error = writeApart(constants, program, options, trailer))
      return error;
    if (llvm::Error error =
            (*file)->write(llvm::sys::path::filename(constants)))
      return error;
  } else {
    if (llvm::Error error = (*file)->alignTo(pageSize))
      return error;
    trailer.constants_offset = (*file)->getPosition();
    if (llvm::Error error = writeConstants(**file, program, options))
      return error;
  }
  if (llvm::Error error = (*file)->write(
          StringRef(reinterpret_cast<const char *>(&trailer), sizeof(trailer))))
    return error;
  uint64_t size = (*file)->getPosition();
  if (llvm::Error error = (*file)->commit())
    return error;
  return size;
}
