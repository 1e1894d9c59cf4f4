// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies the facts that a user states about a model's inputs, and checks them against
// the model.
#include "invar/Dialect/ONNX/TypeInference.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

LogicalResult TypeInference::applyFacts(func::FuncOp main,
                                        const ShapeFacts &facts) {
  for (const ShapeFacts::Shape &fact : facts.shapes) {
    auto arguments = main.getArguments();
    auto found = llvm::find_if(arguments, [&](Value argument) {
      return getValueName(argument) == fact.input;
    });
    if (found == arguments.end()) {
      InFlightDiagnostic error = main.emitError("expected an input for the "
                                                "shape of '")
                                 << fact.input << "', but the inputs are ";
      llvm::interleaveComma(arguments, error, [&](Value argument) {
        error << "'" << getValueName(argument) << "'";
      });
      return error;
    }
    auto type = dyn_cast<TensorType>(found->getType());
    if (!type)
      return emitError(found->getLoc())
             << "expected a tensor to have a shape, but got "
             << found->getType();
    if (type.hasRank() && type.getRank() != int64_t(fact.dims.size()))
      return emitError(found->getLoc())
             << "expected a shape of rank " << type.getRank()
             << ", which the model gives it, but got one of rank "
             << fact.dims.size();
    DimsExpr dims;
    for (auto [axis, text] : llvm::enumerate(fact.dims)) {
      IndexExpr was = type.hasRank() ? getBuilder().getShapeAsDim(*found, axis)
                                     : scope.getQuestionmark();
      if (text.empty()) {
        dims.push_back(was);
        continue;
      }
      int64_t number;
      IndexExpr is = StringRef(text).getAsInteger(10, number)
                         ? scope.getAsDim(symbolic.parse(text))
                         : IndexExpr(number);
      if (!getBuilder().assumeEqual(was, is))
        return emitError(found->getLoc())
               << "expected axis " << axis << " to have size "
               << llvm::to_string(was)
               << ", which the model gives it, but got '" << text << "'";
      dims.push_back(is);
    }
    found->setType(getTensorType(dims, type.getElementType(), *found));
  }
  return success();
}

LogicalResult TypeInference::applyRanges(func::FuncOp main,
                                         const ShapeFacts &facts) {
  llvm::SmallSetVector<StringRef, 8> names;
  for (Value argument : main.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      if (auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding()))
        for (StringAttr name : dims.getNames())
          if (!name.empty())
            names.insert(name.getValue());
  for (const ShapeFacts::Range &fact : facts.ranges) {
    if (!names.contains(fact.name)) {
      InFlightDiagnostic error = main.emitError("expected a dimension of the "
                                                "inputs, but got '")
                                 << fact.name << "'; ";
      if (names.empty())
        return error << "all of them are numbers";
      error << "there are ";
      llvm::interleaveComma(
          names, error, [&](StringRef name) { error << "'" << name << "'"; });
      return error;
    }
    Symbolic dim = symbolic.resolve(symbolic.parse(fact.name));
    bool possible =
        fact.bounds.least == fact.bounds.most
            ? symbolic.unify(dim, symbolic.getConstant(fact.bounds.least))
        : dim->isAtom() ? symbolic.setBounds(dim, fact.bounds)
                        : dim->getBounds().least <= fact.bounds.most &&
                              dim->getBounds().most >= fact.bounds.least;
    if (!possible) {
      InFlightDiagnostic error = main.emitError("expected '")
                                 << fact.name << "' to be ";
      if (dim->isConstant())
        error << dim->getConstant();
      else
        error << "from " << dim->getBounds().least << " to "
              << dim->getBounds().most;
      error << ", but got " << fact.bounds.least;
      if (fact.bounds.most != fact.bounds.least)
        error << " to " << fact.bounds.most;
      return error;
    }
  }
  return success();
}
