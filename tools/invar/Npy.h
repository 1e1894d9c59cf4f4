// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in numpy files: a .npy file holds one tensor, a .npz file (a zip archive of
// .npy files, as savez and savez_compressed write it) one for each name.
//
// Types that numpy lacks are stored as bytes. bfloat16, floats of 8 bits or less and
// integers of less than 8 bits are stored as void of their size, as the package
// ml_dtypes writes them, or as integers of their size. The type of the model's input
// determines their meaning. Strings have a fixed length, 'U' or 'S'.
//
// Files are not trusted: whatever they contain, the reader neither reads beyond their
// end nor allocates more than their size justifies.
#ifndef INVAR_TOOLS_INVAR_NPY_H
#define INVAR_TOOLS_INVAR_NPY_H

#include "Values.h"

namespace invar {

/// Reads the tensor from the bytes of a .npy file, for an input of data type `wanted`.
/// Errors do not begin with a file name.
llvm::Expected<rt::Value> readNpy(llvm::StringRef bytes, InvarDataType wanted);

/// Writes a tensor. The file appears complete or not at all.
llvm::Error writeNpy(llvm::StringRef path, const rt::Value &tensor);

/// A member of an archive, e.g. 'x.npy'.
struct ZipMember {
  std::string name;
  /// The bytes in the archive, possibly compressed.
  llvm::StringRef stored;
  uint64_t size = 0;
  uint32_t checksum = 0;
  bool isDeflated = false;
};

/// Whether the bytes are a zip archive, and not a .npy file.
bool isZip(llvm::StringRef bytes);

/// Lists the members of an archive, and extracts one. Errors do not begin with a file
/// name.
llvm::Expected<std::vector<ZipMember>> listZip(llvm::StringRef bytes);
llvm::Expected<std::string> extract(const ZipMember &member);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_NPY_H
