// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WriteLibrary.h"

#include "invar-c/Abi.h"
#include "invar/Support/Hash.h"
#include "invar/Support/OutputFile.h"
#include "runtime/Checksum.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace invar;
using llvm::ArrayRef;
using llvm::StringRef;

/// Data that begins on a page can be mapped; data that begins at a cache line is read
/// fastest.
static constexpr uint64_t pageSize = 4096, constantAlignment = 64;

namespace {
/// Writes constants to a file, and computes the checksums of their blocks.
class ConstantWriter {
public:
  explicit ConstantWriter(OutputFile &file)
      : file(file), begin(file.getPosition()) {}

  uint64_t getPosition() const { return file.getPosition() - begin; }
  llvm::Error write(StringRef bytes) {
    checksums.add(bytes.data(), bytes.size());
    return file.write(bytes);
  }
  llvm::Error align() {
    const char zeros[constantAlignment] = {};
    uint64_t position = getPosition();
    return write(StringRef(zeros, llvm::alignTo(position, constantAlignment) -
                                      position));
  }
  std::vector<uint64_t> finish() { return checksums.finish(); }

private:
  OutputFile &file;
  uint64_t begin;
  runtime::BlockChecksums checksums;
};
} // namespace

static llvm::Error writeStrings(ConstantWriter &file, const Elements &content) {
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

/// Writes elements in the form that they have in memory at run time: one lane each.
static llvm::Error writeLanes(ConstantWriter &file,
                              const StoredConstant &constant,
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

/// Writes all constants at the file's current position; returns the checksums of their
/// blocks.
static llvm::Expected<std::vector<uint64_t>>
writeConstants(OutputFile &file, const EncodedProgram &program,
               const WriteOptions &options) {
  ConstantWriter writer(file);
  uint64_t dropped = 0; // The position when pages were last dropped.
  for (const StoredConstant &constant : program.constants) {
    assert(writer.getPosition() == constant.offset);
    llvm::Error error = constant.content.getType() == DataType::String
                            ? writeStrings(writer, constant.content)
                            : writeLanes(writer, constant, options.evaluation);
    if (error)
      return error;
    if (llvm::Error failed = writer.align())
      return failed;
    constexpr uint64_t worthACall = 8 << 20;
    if (writer.getPosition() - dropped < worthACall)
      continue;
    dropped = writer.getPosition();
    for (const std::shared_ptr<const MappedFile> &source : options.sources)
      source->dropPages({0, source->getSize()});
  }
  assert(writer.getPosition() == program.constantsSize);
  return writer.finish();
}

//===-- A file of safetensors -------------------------------------------------===//

/// The file beside a library that contains its constants.
static std::string getConstantsFile(StringRef library) {
  llvm::SmallString<128> path(library);
  llvm::sys::path::replace_extension(path, "safetensors");
  return path.str().str();
}

/// The format's name for a type; empty if it has none.
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

/// The header with its length, padded so that the data begins on a page. The format
/// allows no gaps between tensors, so the padding after a tensor is a tensor too.
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
    // A type that the format does not know is stored as bytes.
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

/// Writes the constants to a separate file, and records it in the trailer.
static llvm::Expected<std::vector<uint64_t>>
writeApart(StringRef path, const EncodedProgram &program,
           const WriteOptions &options, InvarTrailer &trailer) {
  auto file = OutputFile::create(path, {.removeOnSignal = true});
  if (!file)
    return file.takeError();
  std::string header = makeHeader(program, options.evaluation);
  trailer.constants_offset = header.size();
  trailer.file_name_size = llvm::sys::path::filename(path).size();
  trailer.file_checksum =
      runtime::computeChecksum(header.data(), header.size());
  if (llvm::Error error = (*file)->write(header))
    return error;
  auto checksums = writeConstants(**file, program, options);
  if (!checksums)
    return checksums.takeError();
  if (llvm::Error error = (*file)->commit())
    return error;
  return checksums;
}

//===-- The library -----------------------------------------------------------===//

/// Everything that follows the constants. Completes the trailer.
static std::string makeTail(ArrayRef<uint64_t> checksums, StringRef fileName,
                            InvarTrailer &trailer) {
  std::string tail(reinterpret_cast<const char *>(checksums.data()),
                   checksums.size() * sizeof(uint64_t));
  tail += fileName;
  std::string covered = tail;
  covered.append(reinterpret_cast<const char *>(&trailer),
                 offsetof(InvarTrailer, tail_checksum));
  trailer.tail_checksum =
      runtime::computeChecksum(covered.data(), covered.size());
  memcpy(trailer.magic, INVAR_TRAILER_MAGIC, sizeof(trailer.magic));
  return tail.append(reinterpret_cast<const char *>(&trailer), sizeof(trailer));
}

llvm::Expected<uint64_t> invar::writeLibrary(StringRef path, StringRef library,
                                             const EncodedProgram &program,
                                             const WriteOptions &options) {
  auto file = OutputFile::create(path, {.removeOnSignal = true});
  if (!file)
    return file.takeError();
  std::string head = library.str();
  if (!options.apart)
    head.resize(llvm::alignTo(head.size(), pageSize));
  if (llvm::Error error = (*file)->write(head))
    return error;
  InvarTrailer trailer = {};
  trailer.head_size = trailer.constants_offset = head.size();
  trailer.head_checksum = runtime::computeChecksum(head.data(), head.size());
  trailer.constants_size = program.constantsSize;
  llvm::copy(options.key, trailer.key);
  std::string constants = options.apart ? getConstantsFile(path) : "";
  auto checksums = options.apart
                       ? writeApart(constants, program, options, trailer)
                       : writeConstants(**file, program, options);
  if (!checksums)
    return checksums.takeError();
  if (llvm::Error error = (*file)->write(
          makeTail(*checksums, llvm::sys::path::filename(constants), trailer)))
    return error;
  uint64_t size = (*file)->getPosition();
  if (llvm::Error error = (*file)->commit())
    return error;
  return size;
}
