// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An Einsum's equation as it is read: "...ij,jk->...ik" has two terms and a result.
#ifndef INVAR_DIALECT_ONNX_EQUATION_H
#define INVAR_DIALECT_ONNX_EQUATION_H

#include "invar/Dialect/ONNX/Ops/MatMul.h"

namespace invar::onnx {

/// The axes that one term of an equation names.
struct EinsumOp::Term {
  llvm::StringRef text;
  llvm::SmallVector<char> letters;
  /// How many letters stand before the "...", if there is one.
  std::optional<size_t> ellipsis;
};

struct EinsumOp::Equation {
  llvm::SmallVector<Term> operands;
  /// As it is written, or as it follows where it is not.
  Term result;
};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_EQUATION_H
