// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Graph.h"

#include "invar/Dialect/ONNX/TypeInference.h"

using namespace mlir;
using namespace invar::onnx;

// Checks (C1) of Custom and Call.
template <typename Op> static LogicalResult verifyGiven(Op op) {
  auto given = op.getGiven();
  if (!given)
    return success();
  size_t there = llvm::count(*given, true);
  if (there != op.getInputs().size())
    return op.emitOpError("(C1) expected 'given' to have ")
           << op.getInputs().size() << " true entries, but got " << there;
  return success();
}

LogicalResult CustomOp::verify() {
  size_t names = getGraphNames() ? getGraphNames()->size() : 0;
  if (names != getGraphs().size())
    return emitOpError("(C2) expected a graph name for each of the ")
           << getGraphs().size() << " regions, but got " << names;
  return verifyGiven(*this);
}

LogicalResult CallOp::verify() { return verifyGiven(*this); }

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOp>(getOperation(),
                                                            getCalleeAttr());
  if (!callee)
    return emitOpError("(C2) expected a function, but there is no '")
           << getCallee() << "'";
  Block &body = callee.getBody().front();
  size_t inputs = getGiven() ? getGiven()->size() : getInputs().size();
  if (inputs > body.getNumArguments())
    return (emitOpError("(C2) expected at most ")
            << body.getNumArguments() << " inputs, but got " << inputs)
               .attachNote(callee.getLoc())
           << "the function is here";
  size_t outputs = body.getTerminator()->getNumOperands();
  if (getOutputs().size() > outputs)
    return (emitOpError("(C2) expected at most ")
            << outputs << " outputs, but got " << getOutputs().size())
               .attachNote(callee.getLoc())
           << "the function is here";
  return success();
}

LogicalResult CallOp::inferTypes(TypeInference &inference) {
  return inference.inferCall(*this);
}
