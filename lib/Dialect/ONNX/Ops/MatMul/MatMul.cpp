// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Equation.h"
#include "invar/Dialect/ONNX/Shapes.h"
#include "invar/Dialect/ONNX/Verify.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult DetOp::verify() {
  return Check(*this)
      .rankAtLeast("(C1)", "X", getX(), 2)
      .dim("(C1)", "X", getX(), -1, dimOf(getX(), -2));
}

using Term = EinsumOp::Term;

/// Parses letters and at most one "..."; spaces are ignored. Empty for anything else.
static std::optional<Term> parseTerm(StringRef text) {
  Term term = {.text = text, .letters = {}, .ellipsis = {}};
  while (!(text = text.ltrim(' ')).empty()) {
    if (text.consume_front("...")) {
      if (term.ellipsis)
        return std::nullopt;
      term.ellipsis = term.letters.size();
      continue;
    }
    if (!llvm::isAlpha(text.front()))
      return std::nullopt;
    term.letters.push_back(text.front());
    text = text.drop_front();
  }
  return term;
}

/// Returns the letters that occur exactly once, in alphabetical order, after the axes
/// of "...".
static Term implyResult(ArrayRef<Term> operands) {
  std::map<char, unsigned> counts;
  for (const Term &term : operands)
    for (char letter : term.letters)
      ++counts[letter];
  Term result;
  result.ellipsis = 0;
  for (auto [letter, count] : counts)
    if (count == 1)
      result.letters.push_back(letter);
  return result;
}

FailureOr<EinsumOp::Equation> EinsumOp::parseEquation() {
  auto [left, right] = getEquation().split("->");
  SmallVector<StringRef> texts;
  left.split(texts, ',');
  Check check(*this);
  check.that("(C1)", texts.size() == getInputs().size(),
             "'equation' to have a term for each of " +
                 Twine(getInputs().size()) + " operands",
             Twine(texts.size()));
  Equation equation;
  llvm::SmallBitVector known(256);
  for (StringRef text : texts) {
    std::optional<Term> term = parseTerm(text);
    check.that("(C1)", term.has_value(),
               "a term of letters and at most one '...'", "'" + text + "'");
    if (failed(check))
      return failure();
    for (char letter : term->letters)
      known.set(uint8_t(letter));
    equation.operands.push_back(std::move(*term));
  }
  if (!getEquation().contains("->")) {
    equation.result = implyResult(equation.operands);
    return equation;
  }
  std::optional<Term> result = parseTerm(right);
  check.that("(C2)", result.has_value(),
             "a term of letters and at most one '...'", "'" + right + "'");
  if (failed(check))
    return failure();
  for (char letter : result->letters) {
    // A letter that is named again is not valid any more.
    check.that("(C2)", known.test(uint8_t(letter)),
               "the result to name axes of the operands, each once",
               "'" + Twine(letter) + "'");
    known.reset(uint8_t(letter));
  }
  equation.result = std::move(*result);
  if (failed(check))
    return failure();
  return equation;
}

LogicalResult EinsumOp::verify() {
  FailureOr<Equation> equation = parseEquation();
  if (failed(equation))
    return failure();
  Check check(*this);
  for (auto [term, input] : llvm::zip(equation->operands, getInputs())) {
    int64_t named = term.letters.size();
    if (term.ellipsis)
      check.rankAtLeast("(C3)", term.text, input, named);
    else
      check.rank("(C3)", term.text, input, named);
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

LogicalResult DetOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  if (!shape.hasShape(in.getX()))
    return success();
  DimsExpr dims = shape.getDims(in.getX());
  IndexExpr columns = dims.pop_back_val(), rows = dims.pop_back_val();
  if (failed(shape.expectEqual(rows, columns, "rows and columns")))
    return failure();
  shape.setOutputDims(std::move(dims));
  return success();
}

namespace {
/// The known sizes of an equation's axes.
struct EinsumSizes {
  std::map<char, IndexExpr> letters;
  /// The sizes of the axes that "..." stands for.
  DimsExpr others;
  /// False if an operand with a "..." has an unknown rank.
  bool knowsOthers = true;
};
} // namespace

/// Adds the sizes of one operand's axes.
static LogicalResult addOperand(ShapeHelper &shape, const Term &term,
                                Value operand, EinsumSizes &sizes) {
  if (!shape.hasShape(operand)) {
    sizes.knowsOthers &= !term.ellipsis.has_value();
    return success();
  }
  DimsExpr dims = shape.getDims(operand);
  if (term.ellipsis) {
    auto first = dims.begin() + *term.ellipsis;
    auto last = first + (dims.size() - term.letters.size());
    FailureOr<DimsExpr> joined =
        shape.broadcast({sizes.others, DimsExpr(first, last)});
    if (failed(joined))
      return failure();
    sizes.others = std::move(*joined);
    dims.erase(first, last);
  }
  // A letter that occurs twice in a term is a diagonal and has one size. In different
  // terms, a size of 1 is broadcast.
  std::map<char, IndexExpr> own;
  for (auto [letter, size] : llvm::zip_equal(term.letters, dims)) {
    auto [it, isNew] = own.try_emplace(letter, size);
    if (!isNew &&
        failed(shape.expectEqual(it->second, size,
                                 "the axes '" + Twine(letter) + "' of a term")))
      return failure();
  }
  for (auto [letter, size] : own) {
    auto [it, isNew] = sizes.letters.try_emplace(letter, size);
    if (isNew)
      continue;
    FailureOr<DimsExpr> joined =
        shape.broadcast({DimsExpr{it->second}, DimsExpr{size}});
    if (failed(joined))
      return failure();
    it->second = joined->front();
  }
  return success();
}

LogicalResult EinsumOp::computeShape(ShapeHelper &shape) {
  FailureOr<Equation> equation = parseEquation();
  if (failed(equation))
    return failure();
  EinsumSizes sizes;
  for (auto [term, operand] :
       llvm::zip_equal(equation->operands, shape.getOperands()))
    if (failed(addOperand(shape, term, operand, sizes)))
      return failure();
  const Term &result = equation->result;
  if (result.ellipsis && !sizes.knowsOthers)
    return success();
  DimsExpr dims;
  for (char letter : result.letters) {
    auto found = sizes.letters.find(letter);
    dims.push_back(found != sizes.letters.end() ? found->second
                                                : shape.getQuestionmark());
  }
  if (result.ellipsis)
    dims.insert(dims.begin() + *result.ellipsis, sizes.others.begin(),
                sizes.others.end());
  shape.setOutputDims(std::move(dims));
  return success();
}

LogicalResult GemmOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  DimsExpr a = shape.hasShape(in.getA()) ? shape.getDims(in.getA())
                                         : shape.getQuestionmarks(2);
  DimsExpr b = shape.hasShape(in.getB()) ? shape.getDims(in.getB())
                                         : shape.getQuestionmarks(2);
  if (getTransA())
    std::swap(a[0], a[1]);
  if (getTransB())
    std::swap(b[0], b[1]);
  if (failed(
          shape.expectEqual(a[1], b[0], "the sizes that are multiplied over")))
    return failure();
  DimsExpr dims = {a[0], b[1]};
  if (in.getC() && shape.hasShape(in.getC())) {
    // C is broadcast to the product, never the product to C.
    DimsExpr c = shape.getDims(in.getC());
    for (auto [size, own] : llvm::zip(llvm::reverse(dims), llvm::reverse(c))) {
      if (own.getBounds().contains(1))
        continue;
      if (failed(shape.expectEqual(size, own, "the sizes of 'C' and A B")))
        return failure();
      if (size.isQuestionmark())
        size = own;
    }
  }
  shape.setOutputDims(std::move(dims));
  return success();
}

LogicalResult MatMulOp::computeShape(ShapeHelper &shape) {
  auto in = shape.operandsOf(*this);
  return shape::matMul(shape, in.getA(), in.getB());
}
