// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of a tensor, wherever the file has them: ONNX has eight places
// (raw_data, five typed lists, string_data, an external file), and one tensor
// uses one of them. All numbers come out in one form, that of raw_data:
// little-endian, sub-byte types packed.
//
// Nothing is copied that need not be: raw_data, external data and packed
// float_data or double_data (whose bytes are the same) are ranges of their
// file. Varints are decoded into memory, at most eight times their size in the
// file.
//
// What was checked: the shape is not negative and its product fits; exactly as
// many values are there as the shape asks for; decoded values are in the range
// of their type. Raw bytes are not looked at: a bool may be any byte, padding
// bits may be set, and the bytes may be at any alignment.
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
  llvm::ArrayRef<int64_t> shape; // the view's own
  uint64_t count = 0;            // of elements

  /// The numbers in raw_data's form, in `owned` or in a file; empty for
  /// strings.
  llvm::StringRef bytes;
  /// Strings, for DataType::String.
  llvm::ArrayRef<llvm::StringRef> strings;

  /// Keeps `bytes` when they were decoded.
  std::unique_ptr<uint8_t[]> owned;
  /// Keeps `bytes` when they are a range of a file: file->getRange(bytes) says
  /// which. Null also for a model in memory, which the caller keeps.
  std::shared_ptr<const MappedFile> file;
  /// Whether that is an external file rather than the model.
  bool isExternal = false;
};

/// The values of `tensor`, which is a part of `model`. Errors begin with the
/// tensor's name; the caller knows where in the model that is.
llvm::Expected<TensorData> readTensor(const TensorView &tensor,
                                      const WireModel &model,
                                      ExternalFiles &externalFiles);

} // namespace invar

#endif // INVAR_FRONTEND_WIRE_TENSORDATA_H
