// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the values of a tensor from any of the eight places that ONNX has for them
// (raw_data, five typed lists, string_data, an external file). A tensor uses one of them.
// All numbers are returned in one form, that of raw_data: little-endian, sub-byte types
// packed.
//
// Copies are avoided: raw_data, external data and packed float_data or double_data (whose
// bytes are the same) are ranges of their file. Varints are decoded into memory, at most
// eight times their size in the file.
//
// These conditions are checked: the shape is not negative and its product fits; there are
// exactly as many values as the shape requires; decoded values are in the range of their
// type. Raw bytes are not checked: a bool may be any byte, padding bits may be set, and
// the bytes may have any alignment.
#ifndef INVAR_FRONTEND_WIRE_TENSORDATA_H
#define INVAR_FRONTEND_WIRE_TENSORDATA_H

#include "invar/Elements/DataType.h"
#include "invar/Elements/Layout.h"
#include "invar/Frontend/Wire/ExternalData.h"
#include "invar/Frontend/Wire/Views.h"
#include "invar/Frontend/Wire/WireModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>

namespace invar {

struct TensorData {
  DataType type = DataType::Float32;
  llvm::ArrayRef<int64_t> shape; // owned by the view
  uint64_t count = 0;            // number of elements

  /// The numbers in the form of raw_data, in `owned` or in a file; empty for strings.
  llvm::StringRef bytes;
  /// Strings, for DataType::String.
  llvm::ArrayRef<llvm::StringRef> strings;

  /// Owns `bytes` if they were decoded.
  std::unique_ptr<uint8_t[]> owned;
  /// Keeps `bytes` alive if they are a range of a file; file->getRange(bytes) returns the
  /// range. Also null for a model in memory, which the caller keeps alive.
  std::shared_ptr<const MappedFile> file;
  /// Whether `file` is an external file rather than the model.
  bool isExternal = false;
};

/// Reads the values of `tensor`, which must be a part of `model`. Errors begin with the
/// tensor's name; the caller knows its position in the model.
llvm::Expected<TensorData> readTensor(const TensorView &tensor,
                                      const WireModel &model,
                                      ExternalFiles &externalFiles);

} // namespace invar

#endif // INVAR_FRONTEND_WIRE_TENSORDATA_H
