// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Npy.h"

#include "Commands.h"
#include "invar/Support/Error.h"
#include "invar/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace invar;
using llvm::StringRef;

static constexpr StringRef magic = "\x93NUMPY";

// The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False,
// 'shape': (3, 4), }

namespace {
struct NpyHeader {
  std::string descr;
  bool isColumnMajor = false;
  std::vector<int64_t> sizes;
};

class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : whole(text), text(text) {}

  llvm::Expected<NpyHeader> parse() {
    bool hasDescr = false, hasOrder = false, hasShape = false;
    bool ok = take("{");
    while (ok && !take("}")) {
      std::string key;
      ok = parseString(key) && take(":");
      if (ok && key == "descr")
        ok = hasDescr = parseString(header.descr);
      else if (ok && key == "fortran_order")
        ok = hasOrder = parseBool(header.isColumnMajor);
      else if (ok && key == "shape")
        ok = hasShape = parseShape(header.sizes);
      else
        ok = false;
      if (ok && !take(",")) {
        ok = take("}");
        break;
      }
    }
    if (!ok || !hasDescr || !hasOrder || !hasShape)
      return badInput("expected a header of numpy with a plain element type, "
                      "but got '" +
                      inOneLine(whole.take_front(100).rtrim()) + "'");
    return std::move(header);
  }

private:
  bool take(StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }
  bool parseString(std::string &result) {
    text = text.ltrim();
    if (text.empty() || (text[0] != '\'' && text[0] != '"'))
      return false;
    size_t end = text.find(text[0], 1);
    if (end == StringRef::npos)
      return false;
    result = text.slice(1, end).str();
    text = text.drop_front(end + 1);
    return true;
  }
  bool parseBool(bool &result) {
    result = take("True");
    return result || take("False");
  }
  bool parseShape(std::vector<int64_t> &sizes) {
    if (!take("("))
      return false;
    while (!take(")")) {
      int64_t size = 0;
      text = text.ltrim();
      if (text.consumeInteger(10, size) || size < 0)
        return false;
      sizes.push_back(size);
      if (!take(","))
        return take(")");
    }
    return true;
  }

  StringRef whole, text;
  NpyHeader header;
};

/// An element type of numpy: '<f4' is kind f with 4 bytes. The size is in bytes for 'U'
/// too.
struct NpyType {
  char kind = 0;
  uint64_t size = 0;
  /// Whether the bytes of a number are in big-endian order.
  bool isBigEndian = false;
};
} // namespace

static llvm::Expected<NpyType> parseType(StringRef descr) {
  NpyType type;
  StringRef rest = descr;
  type.isBigEndian = rest.starts_with(">");
  if (!rest.empty() && StringRef("<>|=").contains(rest[0]))
    rest = rest.drop_front();
  if (!rest.empty()) {
    type.kind = rest[0];
    rest = rest.drop_front();
  }
  // With so few digits, the product with 4 cannot overflow.
  if (!StringRef("biufcVUS").contains(type.kind) || rest.size() > 9 ||
      rest.getAsInteger(10, type.size) || type.size == 0)
    return badInput("expected elements that ONNX has a type for, but got '" +
                    inOneLine(descr) + "'");
  if (type.kind == 'U')
    type.size *= 4;
  return type;
}

/// The ONNX type of a numpy type, regardless of the model's input; none if there is
/// none.
static std::optional<InvarDataType> getOwnType(const NpyType &type) {
  struct Row {
    char kind;
    uint64_t size;
    InvarDataType type;
  };
  static constexpr Row rows[] = {
      {'f', 2, INVAR_FLOAT16},   {'f', 4, INVAR_FLOAT32},
      {'f', 8, INVAR_FLOAT64},   {'i', 1, INVAR_INT8},
      {'i', 2, INVAR_INT16},     {'i', 4, INVAR_INT32},
      {'i', 8, INVAR_INT64},     {'u', 1, INVAR_UINT8},
      {'u', 2, INVAR_UINT16},    {'u', 4, INVAR_UINT32},
      {'u', 8, INVAR_UINT64},    {'b', 1, INVAR_BOOL},
      {'c', 8, INVAR_COMPLEX64}, {'c', 16, INVAR_COMPLEX128},
  };
  if (type.kind == 'U' || type.kind == 'S')
    return INVAR_STRING;
  for (const Row &row : rows)
    if (row.kind == type.kind && row.size == type.size)
      return row.type;
  return std::nullopt;
}

/// Whether numpy lacks an ONNX type.
static bool isForeignToNumpy(DataType type) {
  return type == DataType::BFloat16 || getBitWidth(type) < 8 ||
         (getBitWidth(type) == 8 && getKind(type) == NumberKind::Float);
}

/// The data type of a file's elements if the input needs `wanted`. If they do not
/// match, returns their own type, and the runtime reports the error.
static std::optional<InvarDataType> chooseType(const NpyType &type,
                                               InvarDataType wanted) {
  auto element = static_cast<DataType>(wanted);
  if (wanted == INVAR_STRING || !isForeignToNumpy(element) ||
      type.size != getLaneSize(element))
    return getOwnType(type);
  char integer = getKind(element) == NumberKind::Signed ? 'i' : 'u';
  // ml_dtypes calls one of its 8-bit floats 'f1'.
  bool isView = type.kind == integer || type.kind == 'V' ||
                (type.kind == 'f' && type.size == 1);
  return isView ? wanted : getOwnType(type);
}

// Elements

/// The position of element `index`, in row-major order, in column-major data.
static int64_t toColumnMajor(int64_t index, llvm::ArrayRef<int64_t> sizes) {
  int64_t place = 0, stride = 1;
  llvm::SmallVector<int64_t> indices(sizes.size());
  for (size_t axis = sizes.size(); axis-- > 0; index /= sizes[axis])
    indices[axis] = index % sizes[axis];
  for (auto [at, size] : llvm::zip(indices, sizes)) {
    place += at * stride;
    stride *= size;
  }
  return place;
}

static std::string readString(StringRef raw, const NpyType &type) {
  if (type.kind == 'S')
    return raw.rtrim('\0').str();
  std::string text;
  for (; raw.size() >= 4; raw = raw.drop_front(4)) {
    uint32_t code = type.isBigEndian
                        ? llvm::support::endian::read32be(raw.data())
                        : llvm::support::endian::read32le(raw.data());
    char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
    if (!llvm::ConvertCodePointToUTF8(code, end))
      llvm::ConvertCodePointToUTF8(0xfffd, end = bytes);
    text.append(bytes, end);
  }
  text.resize(StringRef(text).rtrim('\0').size());
  return text;
}

/// Brings elements of less than 8 bits into their range, and bools to 0 or 1. Elements
/// that the file stores as integers must already be in range.
static llvm::Error normalize(const rt::Value &tensor, const NpyType &type) {
  DataType element = getType(tensor);
  auto *bytes = tensor.data<uint8_t>();
  if (element == DataType::Bool)
    for (int64_t i = 0; i < tensor.count(); ++i)
      bytes[i] = bytes[i] != 0;
  if (!isPacked(element))
    return llvm::Error::success();
  unsigned spare = 8 - getBitWidth(element);
  for (int64_t i = 0; i < tensor.count(); ++i) {
    auto shifted = uint8_t(bytes[i] << spare);
    uint8_t kept = getKind(element) == NumberKind::Signed
                       ? uint8_t(int8_t(shifted) >> spare)
                       : uint8_t(shifted >> spare);
    if (kept != bytes[i] && type.kind != 'V')
      return badInput("expected elements of " + getName(element) +
                      ", but got " +
                      llvm::Twine(type.kind == 'i' ? int(int8_t(bytes[i]))
                                                   : int(bytes[i])));
    bytes[i] = kept;
  }
  return llvm::Error::success();
}

static llvm::Error readElements(StringRef data, const NpyHeader &header,
                                const NpyType &type, const rt::Value &tensor) {
  int64_t count = tensor.count();
  // Reverse the bytes of each part of a complex number.
  uint64_t part = type.kind == 'c' ? type.size / 2 : type.size;
  bool isPlain = !header.isColumnMajor && (!type.isBigEndian || part == 1);
  if (isPlain && tensor.dataType() != INVAR_STRING) {
    std::memcpy(tensor.data<char>(), data.data(), data.size());
    return normalize(tensor, type);
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = header.isColumnMajor ? toColumnMajor(i, header.sizes) : i;
    StringRef raw = data.substr(uint64_t(place) * type.size, type.size);
    if (tensor.dataType() == INVAR_STRING) {
      std::string text = readString(raw, type);
      if (llvm::Error error = toError(rt::Error(invar_tensor_set_string(
              tensor.get(), i, text.data(), text.size()))))
        return error;
      continue;
    }
    char *target = tensor.data<char>() + uint64_t(i) * type.size;
    for (; !raw.empty(); raw = raw.drop_front(part), target += part)
      if (type.isBigEndian)
        std::reverse_copy(raw.begin(), raw.begin() + part, target);
      else
        std::memcpy(target, raw.data(), part);
  }
  return normalize(tensor, type);
}

llvm::Expected<rt::Value> invar::readNpy(StringRef bytes,
                                         InvarDataType wanted) {
  if (!bytes.consume_front(magic) || bytes.size() < 4)
    return badInput("expected a .npy of numpy, but got other bytes");
  uint8_t version = bytes[0];
  bytes = bytes.drop_front(2);
  size_t width = version == 1 ? 2 : 4;
  if (version < 1 || version > 3 || bytes.size() < width)
    return badInput("expected version 1, 2 or 3 of .npy, but got " +
                    llvm::Twine(version));
  uint64_t length = width == 2 ? llvm::support::endian::read16le(bytes.data())
                               : llvm::support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(width);
  if (bytes.size() < length)
    return badInput("expected a header of " + llvm::Twine(length) +
                    " bytes, but got " + llvm::Twine(bytes.size()));
  auto header = HeaderParser(bytes.take_front(length)).parse();
  if (!header)
    return header.takeError();
  bytes = bytes.drop_front(length);
  auto type = parseType(header->descr);
  if (!type)
    return type.takeError();
  std::optional<InvarDataType> element = chooseType(*type, wanted);
  if (!element)
    return badInput("expected elements that ONNX has a type for, but got '" +
                    inOneLine(header->descr) + "'");
  // Check the size before allocating. Sizes before a size of 0 may have a product that
  // overflows.
  bool isEmpty = llvm::is_contained(header->sizes, 0);
  uint64_t size = isEmpty ? 0 : type->size;
  for (int64_t axis : header->sizes)
    if (__builtin_mul_overflow(size, uint64_t(axis), &size))
      size = UINT64_MAX / 2;
  if (size > bytes.size())
    return badInput(
        "expected " + llvm::Twine(size) + " bytes of elements of shape " +
        formatSizes(header->sizes) + ", but got " + llvm::Twine(bytes.size()));
  auto tensor = toExpected(rt::Value::create(*element, header->sizes));
  if (!tensor)
    return tensor.takeError();
  if (llvm::Error error =
          readElements(bytes.take_front(size), *header, *type, *tensor))
    return error;
  return tensor;
}

// Writing

/// numpy's name for the elements of a tensor. Integers of less than 8 bits are stored
/// as bytes, other types that numpy lacks as void.
static std::string getDescr(DataType type) {
  switch (getKind(type)) {
  case NumberKind::Bool:
    return "|b1";
  case NumberKind::Signed:
  case NumberKind::Unsigned:
    return (llvm::Twine(getLaneSize(type) == 1 ? "|" : "<") +
            (getKind(type) == NumberKind::Signed ? "i" : "u") +
            llvm::Twine(getLaneSize(type)))
        .str();
  case NumberKind::Float:
    return (llvm::Twine(getLaneSize(type) == 1 ? "|" : "<") +
            (isForeignToNumpy(type) ? "V" : "f") +
            llvm::Twine(getLaneSize(type)))
        .str();
  case NumberKind::Complex:
    return "<c" + std::to_string(getLaneSize(type));
  case NumberKind::String:
    break;
  }
  llvm_unreachable("strings have no type of their own");
}

/// Encodes strings as numpy does: a fixed number of code points, or bytes if a string
/// is not valid UTF-8.
static std::string encodeStrings(const rt::Value &tensor, std::string &descr) {
  llvm::ArrayRef strings(tensor.data<InvarString>(), size_t(tensor.count()));
  std::vector<std::vector<llvm::UTF32>> decoded;
  size_t longest = 1, mostBytes = 1;
  bool isText = true;
  for (const InvarString &string : strings) {
    mostBytes = std::max(mostBytes, string.size);
    std::vector<llvm::UTF32> codes(string.size);
    auto *from = reinterpret_cast<const llvm::UTF8 *>(string.data);
    llvm::UTF32 *to = codes.data();
    isText &= string.size == 0 ||
              llvm::ConvertUTF8toUTF32(
                  &from, from + string.size, &to, to + string.size,
                  llvm::strictConversion) == llvm::conversionOK;
    codes.resize(size_t(to - codes.data()));
    longest = std::max(longest, codes.size());
    decoded.push_back(std::move(codes));
  }
  descr = isText ? "<U" + std::to_string(longest)
                 : "|S" + std::to_string(mostBytes);
  size_t width = isText ? longest * 4 : mostBytes;
  std::string bytes(width * strings.size(), '\0');
  for (auto [i, string] : llvm::enumerate(strings)) {
    StringRef content(string.data, string.size);
    if (isText)
      content = {reinterpret_cast<const char *>(decoded[i].data()),
                 decoded[i].size() * 4};
    // An empty string may be null, which memcpy does not allow.
    llvm::copy(content, bytes.begin() + std::ptrdiff_t(i * width));
  }
  return bytes;
}

llvm::Error invar::writeNpy(StringRef path, const rt::Value &tensor) {
  std::string strings, descr;
  StringRef data(tensor.data<char>(), invar_tensor_bytes(tensor.get()));
  if (getType(tensor) == DataType::String) {
    strings = encodeStrings(tensor, descr);
    data = strings;
  } else {
    descr = getDescr(getType(tensor));
  }
  std::string shape;
  for (int64_t size : tensor.sizes())
    shape += std::to_string(size) + ", ";
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': False, 'shape': (" +
                       StringRef(shape).rtrim().str() + "), }";
  // The elements must begin at a multiple of 64.
  size_t before = magic.size() + 4;
  header.resize(llvm::alignTo(before + header.size() + 1, 64) - before - 1,
                ' ');
  header += '\n';
  char start[4] = {1, 0};
  llvm::support::endian::write16le(start + 2, uint16_t(header.size()));
  auto file = OutputFile::create(path, {.removeOnSignal = true});
  if (!file)
    return file.takeError();
  for (StringRef part : {magic, StringRef(start, 4), StringRef(header), data})
    if (llvm::Error error = (*file)->write(part))
      return error;
  return (*file)->commit();
}
