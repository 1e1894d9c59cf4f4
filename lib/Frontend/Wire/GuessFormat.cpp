// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GuessFormat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace invar;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {
/// Bytes at an offset of a file that only one format has there.
struct Magic {
  size_t offset;
  StringLiteral bytes;
  StringLiteral format;
};
} // namespace

static constexpr Magic magics[] = {
    {0, "version https://git-lfs.github.com/",
     "a Git LFS pointer: fetch the file itself, by 'git lfs pull'"},
    {0,
     "\x7f"
     "ELF",
     "a program or library"},
    {0, "\x1f\x8b", "a gzip file: unpack it first"},
    {0, "\x28\xb5\x2f\xfd", "a zstd file: unpack it first"},
    {0,
     "\xfd"
     "7zXZ",
     "an xz file: unpack it first"},
    {0, "BZh", "a bzip2 file: unpack it first"},
    {0, "PK\x03\x04",
     "a zip file, as PyTorch's checkpoints and Keras' models are"},
    {257, "ustar", "a tar archive: unpack it first"},
    {0, "\x89HDF\r\n", "an HDF5 file"},
    {0, "\x93NUMPY", "an array of NumPy"},
    {0, "GGUF", "a GGUF model"},
    {4, "TFL3", "a TensorFlow Lite model"},
    {4, "ORTM", "a model in onnxruntime's own format"},
};

/// The length of a JSON header, followed by the header.
static bool isSafetensors(StringRef bytes) {
  constexpr size_t lengthBytes = 8;
  return bytes.size() > lengthBytes && bytes[lengthBytes] == '{' &&
         llvm::support::endian::read64le(bytes.data()) <=
             bytes.size() - lengthBytes;
}

/// Whether a file begins with letters, spaces and the like; all bytes beyond ASCII are
/// accepted.
static bool isText(StringRef bytes) {
  constexpr size_t looked = 512;
  return llvm::all_of(bytes.take_front(looked), [](char c) {
    return llvm::isPrint(c) || llvm::isSpace(c) || (c & 0x80);
  });
}

static StringRef guessText(StringRef text) {
  StringRef begin = text.ltrim();
  if (begin.starts_with("{") || begin.starts_with("["))
    return "JSON";
  if (begin.starts_with_insensitive("<!doctype html") ||
      begin.starts_with_insensitive("<html"))
    return "a web page";
  if (begin.starts_with("<"))
    return "XML";
  if (begin.starts_with("ir_version:") || begin.starts_with("graph {"))
    return "a model in Protocol Buffers' text format";
  return "text";
}

StringRef invar::guessFormat(StringRef bytes) {
  if (bytes.empty())
    return "an empty file";
  for (const Magic &magic : magics)
    if (bytes.substr(magic.offset).starts_with(magic.bytes))
      return magic.format;
  if (isSafetensors(bytes))
    return "a file of safetensors";
  return isText(bytes) ? guessText(bytes) : "";
}
