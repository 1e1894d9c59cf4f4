// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

// Since version 18 a tensor or sequence counts as an optional that is present, and an
// operand that is left out as one that is absent.
static bool isOptional(Value value) {
  return value && isa<OptionalType, UnknownType>(value.getType());
}

static Refusal hasElementDown(NodeForm &node, AdaptContext &) {
  if (!isOptional(node.getInput(0)))
    return "the operand must be an optional below version 18";
  return adapted;
}

static Refusal getElementDown(NodeForm &node, AdaptContext &) {
  if (node.getInput(0) && !isOptional(node.getInput(0)))
    node.opType = "Identity";
  return adapted;
}

void invar::onnx::addSequenceAdapters(AdapterTable &table) {
  table.exist({{"ConcatFromSequence", 11},
               {"Optional", 15},
               {"OptionalGetElement", 15},
               {"OptionalHasElement", 15},
               {"SequenceAt", 11},
               {"SequenceConstruct", 11},
               {"SequenceEmpty", 11},
               {"SequenceErase", 11},
               {"SequenceInsert", 11},
               {"SequenceLength", 11},
               {"SplitToSequence", 11}});
  table.add({{"OptionalGetElement", 18, nullptr, getElementDown},
             {"OptionalHasElement", 18, nullptr, hasElementDown}});
}
