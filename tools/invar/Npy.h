// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in the files of numpy: a .npy holds one, a .npz (a zip archive of them, as
// savez and savez_compressed write it) one for each name.
//
// Types that numpy does not have are bytes to it. bfloat16, the floats of 8 bits and less
// and the integers of less than 8 come as void of their size, as the package ml_dtypes
// writes them, or as integers of their size: what they mean is told by the model's input.
// Strings are of fixed length there, 'U' or 'S'.
//
// Files are input like any other: whatever is in them, nothing is read or allocated beyond
// what they really have.
#ifndef INVAR_TOOLS_INVAR_NPY_H
#define INVAR_TOOLS_INVAR_NPY_H

#include "Values.h"

namespace invar {

/// The tensor in the bytes of a .npy, for an input of data type `wanted`. Errors have no
/// file to begin with.
llvm::Expected<rt::Value> readNpy(llvm::StringRef bytes, InvarDataType wanted);

/// Writes a tensor; the file appears whole or not at all.
llvm::Error writeNpy(llvm::StringRef path, const rt::Value &tensor);

/// A member of an archive, e.g. 'x.npy'.
struct ZipMember {
  std::string name;
  /// As it lies in the archive.
  llvm::StringRef stored;
  uint64_t size = 0;
  uint32_t checksum = 0;
  bool isDeflated = false;
};

/// Whether the bytes are an archive; a .npy is none.
bool isZip(llvm::StringRef bytes);

/// What is in an archive, and the content of a member. Errors have no file to begin with.
llvm::Expected<std::vector<ZipMember>> listZip(llvm::StringRef bytes);
llvm::Expected<std::string> extract(const ZipMember &member);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_NPY_H
