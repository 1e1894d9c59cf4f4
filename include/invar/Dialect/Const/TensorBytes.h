// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_DIALECT_CONST_TENSORBYTES_H
#define INVAR_DIALECT_CONST_TENSORBYTES_H

#include "mlir/IR/Types.h"
#include <optional>

namespace invar {

/// Returns the size of a tensor in bytes. Empty if a size is open or the number
/// overflows.
std::optional<uint64_t> getTensorBytes(mlir::Type type);

} // namespace invar

#endif // INVAR_DIALECT_CONST_TENSORBYTES_H
