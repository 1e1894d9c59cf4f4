// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parsed equation of an Einsum: "...ij,jk->...ik" has two terms and a result.
#ifndef INVAR_DIALECT_ONNX_EQUATION_H
#define INVAR_DIALECT_ONNX_EQUATION_H

#include "invar/Dialect/ONNX/Ops/MatMul.h"

namespace invar::onnx {

/// The axes that one term of an equation names.
struct EinsumOp::Term {
  llvm::StringRef text;
  llvm::SmallVector<char> letters;
  /// The number of letters before the "...", if there is one.
  std::optional<size_t> ellipsis;
};

struct EinsumOp::Equation {
  llvm::SmallVector<Term> operands;
  /// As written in the equation, or derived from the operands if it is not written.
  Term result;
};

/// An axis: a letter, or a negative number for an axis that "..." stands for. Those are
/// counted -1, -2, ... from the last one, as in broadcasting.
using EinsumAxis = int;
using EinsumAxes = llvm::SmallVector<EinsumAxis>;

/// Returns the axes of a term whose "..." stands for `others` axes.
inline EinsumAxes nameAxes(const EinsumOp::Term &term, int64_t others) {
  EinsumAxes axes(term.letters.begin(), term.letters.end());
  if (term.ellipsis)
    for (int64_t i = 0; i < others; ++i)
      axes.insert(axes.begin() + *term.ellipsis + i, EinsumAxis(i - others));
  return axes;
}

/// Concatenates the lists.
inline EinsumAxes
chain(std::initializer_list<llvm::ArrayRef<EinsumAxis>> lists) {
  EinsumAxes axes;
  for (llvm::ArrayRef<EinsumAxis> list : lists)
    llvm::append_range(axes, list);
  return axes;
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_EQUATION_H
