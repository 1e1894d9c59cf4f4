// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three steps of any attention with a softmax. Tensors are batch x heads x length x
// size. If there are fewer heads of keys and values than of queries, each serves the
// same number of query heads. Scores and weights are doubles: a row for each query,
// with an element for each key.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ATTENTION_ATTENTIONFOLD_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ATTENTION_ATTENTIONFOLD_H

#include "invar/Dialect/ONNX/Ops/Attention.h"
#include "invar/Dialect/ONNX/TypeInference.h"

namespace invar::onnx::attention {

/// Returns the scaled product of each query and each key. The default scale is 1 /
/// sqrt(size). If `precision` has 16 bits, each step is rounded to it (SoftmaxSteps.h).
llvm::Expected<Elements> computeScores(const Folding &fold,
                                       const Elements &queries,
                                       const Elements &keys,
                                       std::optional<double> scale,
                                       DataType precision);

/// The weights of a query that sees no key, so that all its scores are minus infinity.
enum class MaskedRows : uint8_t { Zero, NaN };

/// Returns the softmax of the scores. If `precision` has 16 bits, each step is rounded
/// to it.
llvm::Expected<Elements> computeWeights(const Folding &fold,
                                        const Elements &scores,
                                        MaskedRows masked, DataType precision);

/// Returns the sums of the values, weighted.
llvm::Expected<Elements> weighValues(const Folding &fold,
                                     const Elements &weights,
                                     const Elements &values);

/// Sets the result to its constant value, if it is constant. Graphs are evaluated with
/// tensors of type `precision`; their types must be inferred again afterwards.
void evaluate(FlexAttentionOp op, TypeInference &inference, DataType precision);

} // namespace invar::onnx::attention

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ATTENTION_ATTENTIONFOLD_H
