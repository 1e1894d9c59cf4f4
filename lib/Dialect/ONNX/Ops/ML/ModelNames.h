// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that attributes have, in the order of enums of the kernels.
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ML_MODELNAMES_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ML_MODELNAMES_H

#include "llvm/ADT/StringRef.h"

namespace invar::onnx {

/// Functions of the scores that classifiers and regressors may apply at the end: those of
/// kernels::ScoreTransform.
inline constexpr llvm::StringRef postTransforms[] = {
    "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};

/// Those of kernels::VectorKernel::Kind.
inline constexpr llvm::StringRef kernelTypes[] = {"LINEAR", "POLY", "RBF",
                                                  "SIGMOID"};

/// Those of kernels::Norm.
inline constexpr llvm::StringRef norms[] = {"MAX", "L1", "L2"};

/// Those of kernels::TreeAggregate.
inline constexpr llvm::StringRef aggregates[] = {"AVERAGE", "SUM", "MIN",
                                                 "MAX"};

/// Those of kernels::Branch.
inline constexpr llvm::StringRef branches[] = {
    "BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE",    "BRANCH_GT",
    "BRANCH_EQ",  "BRANCH_NEQ", "BRANCH_MEMBER", "LEAF"};

} // namespace invar::onnx

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ML_MODELNAMES_H
