// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only in version 8, Scan had a batch: it was the first axis of all operands and
// results, and Scan iterated over the sequence of each batch element separately. Here
// this becomes a Scan over the batch, whose body is a Scan over a sequence. An optional
// operand had the length of each sequence. Then the inner Scan iterates over a slice,
// and its results are padded with zeros.
#include "invar/Dialect/ONNX/CreateOperation.h"
#include "invar/Dialect/ONNX/Ops/Adapters.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Control.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Dialect/ONNX/Ops/Pad.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Dialect/ONNX/Ops/Slice.h"
#include "invar/Dialect/ONNX/Schema.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Since this version Pad takes the pads and the axes as operands.
static constexpr int64_t canFillUp = 18;

namespace {
/// Cuts the sequences of one batch element to a length, and pads the results again.
class Lengths {
public:
  Lengths(OpBuilder &builder, Location loc, Value length)
      : context(builder, loc, newestOpset), axes(context.ints(0)),
        length(UnsqueezeOp::create(builder, loc, context.getType(length, {1}),
                                   length, axes)) {}

  Value cut(Value sequence) {
    // All sequences are as long as the first.
    if (!longest)
      longest = ShapeOp::create(context.builder, context.loc,
                                context.getType(length, {1}), sequence,
                                context.builder.getI64IntegerAttr(1),
                                context.builder.getI64IntegerAttr(0));
    return SliceOp::create(context.builder, context.loc,
                           context.getType(sequence), sequence, context.ints(0),
                           length, axes, Value());
  }

  Value fillUp(Value sequence) {
    if (!missing) {
      Value count =
          SubOp::create(context.builder, context.loc,
                        context.getType(length, {1}), longest, length);
      missing = ConcatOp::create(context.builder, context.loc,
                                 context.getType(length, {2}),
                                 ValueRange{context.ints(0), count},
                                 context.builder.getI64IntegerAttr(0));
    }
    return PadOp::create(context.builder, context.loc,
                         context.getType(sequence), sequence, missing, Value(),
                         axes, StringAttr());
  }

private:
  AdaptContext context;
  Value axes, length, longest, missing;
};
} // namespace

/// Moves a Scan, whose operands have a batch, into a Scan over that batch.
static Operation *scanBatch(Operation *op, Value lengths) {
  auto inner = cast<ScanOp>(op);
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Value> operands(op->getOperands());
  if (lengths)
    operands.push_back(lengths);
  auto outer = ScanOp::create(builder, loc, op->getResultTypes(), operands,
                              builder.getI64IntegerAttr(operands.size()),
                              nullptr, nullptr, nullptr, nullptr);
  Block *body = builder.createBlock(&outer.getBody());
  for (Value operand : operands)
    body->addArgument(withoutShape(operand.getType()), loc);
  builder.setInsertionPointToEnd(body);
  size_t states = op->getNumOperands() - inner.getNumScanInputs();
  SmallVector<Value> given(
      body->getArguments().take_front(op->getNumOperands()));
  std::optional<Lengths> cut;
  if (lengths)
    cut.emplace(builder, loc, body->getArguments().back());
  for (Value &sequence : MutableArrayRef(given).drop_front(states))
    sequence = cut ? cut->cut(sequence) : sequence;
  op->moveBefore(body, body->end());
  op->setOperands(given);
  SmallVector<Value> results(op->getResults());
  for (Value &sequence : MutableArrayRef(results).drop_front(states))
    sequence = cut ? cut->fillUp(sequence) : sequence;
  YieldOp::create(builder, loc, results);
  return outer;
}

static Refusal scanUp(NodeForm &node, AdaptContext &context) {
  Value lengths = node.getInput(0);
  if (lengths && context.target < canFillUp)
    return "lengths of sequences exist only in version 8";
  // The first input is the lengths. The states follow; each of them is also an output.
  int64_t inputs = int64_t(node.inputs.size()) - 1,
          scans = node.getInt("num_scan_inputs", 0);
  if (scans < 1 || inputs < scans)
    return "it has fewer inputs than it goes through, or goes through none";
  if (int64_t(node.outputs.size()) < inputs - scans)
    return "it has fewer outputs than states";
  node.inputs.erase(node.inputs.begin());
  if (Attribute directions = node.attributes.erase("directions"))
    node.attributes.set("scan_input_directions", directions);
  node.wrap = [lengths](Operation *op) { return scanBatch(op, lengths); };
  return adapted;
}

/// Whether a list of axes or directions is all 0, which is the default.
static bool isZero(std::optional<ArrayRef<int64_t>> list) {
  return llvm::all_of(list.value_or(ArrayRef<int64_t>()),
                      [](int64_t entry) { return entry == 0; });
}

/// Returns the Scan over a sequence in a Scan over a batch; null if the pattern does
/// not match.
static ScanOp findInner(Operation *op) {
  auto outer = dyn_cast_or_null<ScanOp>(op);
  if (!outer || int64_t(outer->getNumOperands()) != outer.getNumScanInputs() ||
      !isZero(outer.getScanInputAxes()) ||
      !isZero(outer.getScanInputDirections()) ||
      !isZero(outer.getScanOutputAxes()) ||
      !isZero(outer.getScanOutputDirections()))
    return nullptr;
  Block &body = outer.getBody().front();
  auto inner = dyn_cast<ScanOp>(body.front());
  bool isAll =
      inner && inner->getNextNode() == body.getTerminator() &&
      llvm::equal(inner->getOperands(), body.getArguments()) &&
      llvm::equal(body.getTerminator()->getOperands(), inner->getResults());
  return isAll ? inner : nullptr;
}

static Refusal scanDown(NodeForm &node, AdaptContext &context) {
  ScanOp inner = findInner(context.op);
  if (inner) {
    node.attributes = getNodeForm(inner).attributes;
    node.graphsOf = inner;
  } else {
    // Insert a batch of size one.
    for (Value &input : node.inputs)
      input =
          UnsqueezeOp::create(context.builder, context.loc,
                              context.getType(input), input, context.ints(0));
    node.afterEach = std::make_shared<NodeForm>();
    node.afterEach->opType = "Squeeze";
    node.afterEach->attributes.set("axes",
                                   context.builder.getDenseI64ArrayAttr(0));
  }
  for (StringRef name :
       {"scan_input_axes", "scan_output_axes", "scan_output_directions"}) {
    if (!isZero(node.getInts(name)))
      return "version 8 has no attribute '" + name.str() + "'";
    node.attributes.erase(name);
  }
  if (Attribute directions = node.attributes.erase("scan_input_directions"))
    node.attributes.set("directions", directions);
  node.inputs.insert(node.inputs.begin(), Value());
  return adapted;
}

void invar::onnx::addControlAdapters(AdapterTable &table) {
  table.exist({{"Scan", 8}, {"SequenceMap", 17}});
  table.add({{"Scan", 9, scanUp, scanDown},
             {"Scan", 11, nullptr, countFromFront("scan_input_axes")}});
}
