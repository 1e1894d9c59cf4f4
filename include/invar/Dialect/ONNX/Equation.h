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

/// An axis: a letter, or one of those that "..." stands for, counted -1, -2, ... from the
/// back, as broadcasting does.
using EinsumAxis = int;
using EinsumAxes = llvm::SmallVector<EinsumAxis>;

/// The axes of a term whose "..." stands for `others` axes.
inline EinsumAxes nameAxes(const EinsumOp::Term &term, int64_t others) {
  EinsumAxes axes(term.letters.begin(), term.letters.end());
  if (term.ellipsis)
    for (int64_t i = 0; i < others; ++i)
      axes.insert(axes.begin() + *term.ellipsis + i, EinsumAxis(i - others));
  return axes;
}

/// All of these axes, one list after the other.
inline EinsumAxes
chain(std::initializer_list<llvm::ArrayRef<EinsumAxis>> lists) {
  EinsumAxes axes;
  for (llvm::ArrayRef<EinsumAxis> list : lists)
    llvm::append_range(axes, list);
  return axes;
}

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_EQUATION_H
