// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type inference through functions of the model. Each call has its own types. They are
// inferred in a copy of the body, whose inputs have the types of the call's operands
// and whose attributes have the call's values.
#include "invar/Dialect/ONNX/TypeInference.h"

#include "invar/Dialect/ONNX/CreateOperation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The total cost limit of nested calls in all graphs. Without it, functions that call
/// each other repeatedly could make a small file take forever.
static constexpr unsigned maxVisitsInCalls = 1'000'000;
static constexpr unsigned maxCallDepth = 32;

void TypeInference::forget(Value value) {
  entries.erase(value);
  constants.erase(value);
  auto dims = unknownDims.find(value);
  if (dims == unknownDims.end())
    return;
  for (Symbolic atom : dims->second)
    if (atom)
      owners.erase(atom);
  unknownDims.erase(dims);
}

void TypeInference::forget(Region &region) {
  for (Block &block : region) {
    for (Value argument : block.getArguments())
      forget(argument);
    for (Operation &op : block)
      forget(&op);
  }
}

void TypeInference::forget(Operation *op) {
  refusals.erase(op);
  for (Value result : op->getResults())
    forget(result);
  for (Region &region : op->getRegions())
    forget(region);
}

FunctionOp Functions::find(CallOp call) {
  return tables.lookupNearestSymbolFrom<FunctionOp>(call, call.getCalleeAttr());
}

bool Functions::isPure(FunctionOp root) {
  SmallVector<FunctionOp> left = {root};
  llvm::DenseSet<Operation *> seen = {root};
  auto isEffect = [&](Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    if (!call)
      return !isMemoryEffectFree(op) && !op->getNumRegions();
    FunctionOp callee = find(call);
    if (callee && !pure.contains(callee) && seen.insert(callee).second)
      left.push_back(callee);
    return !callee;
  };
  while (!left.empty())
    if (left.pop_back_val()
            .getBody()
            .walk([&](Operation *op) {
              return isEffect(op) ? WalkResult::interrupt()
                                  : WalkResult::advance();
            })
            .wasInterrupted())
      return false;
  pure.insert(seen.begin(), seen.end());
  return true;
}

LogicalResult TypeInference::inferCall(CallOp call) {
  for (Value result : call.getResults())
    setType(result, UnknownType::get(context));
  FunctionOp function = functions.find(call);
  if (!function || callDepth >= maxCallDepth ||
      functions.visits > maxVisitsInCalls)
    return success();
  FunctionOp copy = function.clone();
  copy.setSymName((function.getSymName() + ".call").str());
  function->getParentOfType<ModuleOp>().push_back(copy);
  Region &body = copy.getBody();
  ++callDepth;
  unsigned before = numVisits;
  llvm::scope_exit leave([&] {
    --callDepth;
    functions.visits += numVisits - before;
    forget(body);
    copy.erase();
  });
  bindParameters(copy, call.getNodeAttributes());

  SmallVector<Type> types(body.getNumArguments(), UnknownType::get(context));
  size_t next = 0;
  for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
    bool given = call.getGiven()
                     ? i < call.getGiven()->size() && (*call.getGiven())[i]
                     : i < call.getInputs().size();
    if (!given)
      continue;
    Value operand = call.getInputs()[next++];
    types[i] = operand.getType();
    copyContent(operand, argument);
  }
  auto yields = inferGraph(body, types, /*mayNotRun=*/false);
  if (failed(yields))
    return failure();
  for (auto [result, yielded] :
       llvm::zip(call.getResults(), body.front().back().getOperands())) {
    setType(result, leaveGraph(yielded.getType(), body, result));
    copyContent(yielded, result);
  }
  return success();
}
