// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/MatMul.h"

#include "invar/Dialect/ONNX/Verify.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult DetOp::verify() {
  return Check(*this)
      .rankAtLeast("(C1)", "X", getX(), 2)
      .dim("(C1)", "X", getX(), -1, dimOf(getX(), -2));
}

namespace {
/// The axes that one term of an equation names.
struct Term {
  SmallVector<char> letters;
  bool hasEllipsis = false;
};
} // namespace

/// Reads letters and at most one "..."; spaces do not count. None for anything else.
static std::optional<Term> parseTerm(StringRef text) {
  Term term;
  while (!(text = text.ltrim(' ')).empty()) {
    if (text.consume_front("...")) {
      if (std::exchange(term.hasEllipsis, true))
        return std::nullopt;
      continue;
    }
    if (!llvm::isAlpha(text.front()))
      return std::nullopt;
    term.letters.push_back(text.front());
    text = text.drop_front();
  }
  return term;
}

LogicalResult EinsumOp::verify() {
  auto [left, right] = getEquation().split("->");
  SmallVector<StringRef> texts;
  left.split(texts, ',');
  Check check(*this);
  check.that("(C1)", texts.size() == getInputs().size(),
             "'equation' to have a term for each of " +
                 Twine(getInputs().size()) + " operands",
             Twine(texts.size()));
  if (failed(check))
    return check;
  std::string letters;
  for (auto [text, input] : llvm::zip(texts, getInputs())) {
    std::optional<Term> term = parseTerm(text);
    if (!term)
      return check.that("(C1)", false,
                        "a term of letters and at most one '...'",
                        "'" + text + "'");
    letters.append(term->letters.begin(), term->letters.end());
    int64_t named = term->letters.size();
    if (term->hasEllipsis)
      check.rankAtLeast("(C3)", text, input, named);
    else
      check.rank("(C3)", text, input, named);
  }
  std::optional<Term> result = parseTerm(right);
  if (!result)
    return check.that("(C2)", false, "a term of letters and at most one '...'",
                      "'" + right + "'");
  for (char letter : result->letters) {
    check.that("(C2)",
               StringRef(letters).contains(letter) &&
                   llvm::count(result->letters, letter) == 1,
               "the result to name axes of the operands, each once",
               "'" + Twine(letter) + "'");
    // Or an equation of the same letter over and over costs the square of its length.
    if (failed(check))
      break;
  }
  return check;
}

LogicalResult GemmOp::verify() {
  Check check(*this);
  check.rank("(C1)", "A", getA(), 2)
      .rank("(C1)", "B", getB(), 2)
      .that("(C1)", rankOf(getC()).value_or(0) <= 2,
            "'C' to have at most rank 2", Twine(rankOf(getC()).value_or(0)));
  return check.dim("(C2)", "B", getB(), getTransB() ? 1 : 0,
                   dimOf(getA(), getTransA() ? 0 : 1));
}

LogicalResult MatMulOp::verify() {
  return Check(*this).contraction("(C1)", getA(), getB());
}

//===-- Shapes ----------------------------------------------------------------===//

LogicalResult DetOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult EinsumOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult GemmOp::computeShape(ShapeHelper &) { return success(); }
LogicalResult MatMulOp::computeShape(ShapeHelper &) { return success(); }
