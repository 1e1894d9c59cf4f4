// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_SCATTER_SCATTERCALLS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_SCATTER_SCATTERCALLS_H

#include <cstdint>

namespace invar {

/// How an update and the element that it selects are combined; the setting `reduction`.
enum class Reduction : uint8_t { None, Add, Mul, Max, Min };

} // namespace invar

#endif // INVAR_LIB_DIALECT_ONNX_OPS_SCATTER_SCATTERCALLS_H
