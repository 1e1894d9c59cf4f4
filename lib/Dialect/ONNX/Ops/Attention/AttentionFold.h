// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three steps that all attention with a softmax has. Tensors are batch x heads x length x
// size; where there are fewer heads of keys and values than of queries, each serves as many.
// Scores and weights are doubles: a row for each query, with an element for each key.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ATTENTION_ATTENTIONFOLD_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ATTENTION_ATTENTIONFOLD_H

#include "invar/Dialect/ONNX/Ops/Attention.h"
#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar::onnx::attention {

/// The product of each query and each key, scaled; by the root of their size if no scale is
/// given. They are rounded to `precision` in steps if that has 16 bits (SoftmaxSteps.h).
llvm::Expected<Elements> computeScores(const Folding &fold,
                                       const Elements &queries,
                                       const Elements &keys,
                                       std::optional<double> scale,
                                       DataType precision);

/// What becomes of a query that sees no key, whose scores are all minus infinity.
enum class MaskedRows : uint8_t { Zero, NaN };

/// The softmax of the scores, computed in a precision of its own.
llvm::Expected<Elements> computeWeights(const Folding &fold,
                                        const Elements &scores,
                                        MaskedRows masked, DataType precision);

/// The sum of all values, by weight.
llvm::Expected<Elements> weighValues(const Folding &fold,
                                     const Elements &weights,
                                     const Elements &values);

/// Sets the constant that the result is, if it is. Graphs get tensors of type `precision`;
/// their types must be inferred again afterwards.
void evaluate(FlexAttentionOp op, TypeInference &inference, DataType precision);

} // namespace invar::onnx::attention

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ATTENTION_ATTENTIONFOLD_H
