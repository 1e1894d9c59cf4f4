// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_DIALECT_CONST_TENSORBYTES_H
#define INVAR_DIALECT_CONST_TENSORBYTES_H

#include "mlir/IR/Types.h"
#include <optional>

namespace invar {

/// Bytes of a tensor of known sizes; none where they are open, or too many to count.
std::optional<uint64_t> getTensorBytes(mlir::Type type);

} // namespace invar

#endif // INVAR_DIALECT_CONST_TENSORBYTES_H
