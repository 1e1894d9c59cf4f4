// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX's Cast between any two numeric types, as invar/Kernels/Cast.h defines it.
#ifndef INVAR_ELEMENTS_CAST_H
#define INVAR_ELEMENTS_CAST_H

#include "invar/Elements/ElementwiseFunction.h"
#include "invar/Kernels/Cast.h"

namespace invar {

using kernels::CastOptions;
using kernels::truncateToInt64;

/// The cast as a function to apply. Both types are numeric.
ElementwiseFunction makeCast(DataType from, DataType to,
                             CastOptions options = {});

} // namespace invar

#endif // INVAR_ELEMENTS_CAST_H
