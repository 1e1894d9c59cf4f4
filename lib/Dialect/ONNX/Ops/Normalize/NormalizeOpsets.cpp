// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Ops/Adapters.h"
#include "invar/Dialect/ONNX/Ops/Arithmetic.h"
#include "invar/Dialect/ONNX/Ops/Concat.h"
#include "invar/Dialect/ONNX/Ops/Expand.h"
#include "invar/Dialect/ONNX/Ops/Reshape.h"
#include "invar/Elements/ElementsBuilder.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- BatchNormalization ------------------------------------------------------------===//
// Training was selected by `is_test` below version 7, then by the outputs of the node,
// and since version 14 by `training_mode`. Below version 14 statistics had four
// additional outputs, since then two.

// Version 1 required a hint about reuse of memory, which upgrade() drops.
static Refusal batchNormHintDown(NodeForm &node, AdaptContext &context) {
  node.attributes.set("consumed_inputs",
                      context.builder.getDenseI64ArrayAttr({0, 0, 0, 1, 1}));
  return adapted;
}

static Refusal batchNormTestUp(NodeForm &node, AdaptContext &context) {
  bool training = node.getInt("is_test", 0) == 0;
  node.attributes.erase("is_test");
  if (training)
    context.setInt(node, "training_mode", 1);
  return adapted;
}

static Refusal batchNormTestDown(NodeForm &node, AdaptContext &context) {
  bool training = node.getInt("training_mode", 0) != 0;
  node.attributes.erase("training_mode");
  if (!training)
    context.setInt(node, "is_test", 1);
  return adapted;
}

// Below version 9, with `spatial` = 0, each activation had separate statistics.
static Refusal batchNormSpatialUp(NodeForm &node, AdaptContext &) {
  if (node.getInt("spatial", 1) == 0)
    return "statistics for each activation ('spatial' = 0) exist only below "
           "version 9";
  node.attributes.erase("spatial");
  return adapted;
}

static bool hasStatistics(const NodeForm &node) {
  return llvm::any_of(llvm::seq<size_t>(1, 5),
                      [&](size_t slot) { return node.hasOutput(slot); });
}

static Refusal batchNormOutputsUp(NodeForm &node, AdaptContext &) {
  if (hasStatistics(node))
    return "the outputs of training changed in version 14";
  node.outputs.resize(1);
  return adapted;
}

static Refusal batchNormOutputsDown(NodeForm &node, AdaptContext &context) {
  bool training = node.getInt("training_mode", 0) != 0;
  if (hasStatistics(node))
    return "the outputs of training changed in version 14";
  // Below version 7 training can be expressed without additional outputs: see above.
  if (training && context.version >= 7)
    return "training without statistics cannot be said in versions 7 to 13";
  if (!training)
    node.attributes.erase("training_mode");
  return adapted;
}

//===-- Dropout -----------------------------------------------------------------------===//

// Dropout trained by default below version 7 and never in versions 7 to 11. Since
// version 12 operands select training and the ratio.
static Refusal dropoutUp(NodeForm &node, AdaptContext &context) {
  bool training = context.version < 7 && node.getInt("is_test", 0) == 0;
  if (context.version < 10 && node.hasOutput(1))
    return "the mask has the type of the data below version 10";
  node.attributes.erase("is_test");
  if (node.attributes.get("ratio"))
    node.setInput(
        1, context.scalar(DataType::Float32, node.getFloat("ratio", 0.5)));
  node.attributes.erase("ratio");
  if (training)
    node.setInput(2, context.scalar(DataType::Bool, 1));
  return adapted;
}

static Refusal dropoutDown(NodeForm &node, AdaptContext &context) {
  std::optional<double> training = 0.0;
  if (node.getInput(2))
    training = context.getNumber(node.getInput(2));
  if (!training)
    return "whether it trains is not constant";
  if (*training != 0 && context.version >= 7)
    return "training cannot be said in versions 7 to 11";
  if (*training != 0 && node.attributes.get("seed"))
    return "the seed cannot be said below version 12";
  if (context.version < 10 && node.hasOutput(1))
    return "the mask has the type of the data below version 10";
  node.attributes.erase("seed");
  if (node.getInput(1)) {
    std::optional<double> ratio = context.getNumber(node.getInput(1));
    if (!ratio)
      return "'ratio' is an attribute there, but its value is not constant";
    context.setFloat(node, "ratio", float(*ratio));
  }
  if (context.version < 7 && *training == 0)
    context.setInt(node, "is_test", 1);
  node.inputs.truncate(1);
  return adapted;
}

//===-- GroupNormalization ------------------------------------------------------------===//

/// Returns the number of channels in each group, if X's number of channels is known.
static std::optional<int64_t> getGroupSize(const NodeForm &node,
                                           AdaptContext &context) {
  std::optional<ArrayRef<int64_t>> shape = context.getShape(node.getInput(0));
  int64_t groups = node.getInt("num_groups", 0);
  if (!shape || shape->size() < 2 || ShapedType::isDynamic((*shape)[1]) ||
      groups <= 0 || (*shape)[1] % groups != 0)
    return std::nullopt;
  return (*shape)[1] / groups;
}

/// Returns the shape GROUPS x SIZE, computed from X's shape if that is unknown.
static Value makeGroupShape(const NodeForm &node, AdaptContext &context) {
  OpBuilder &builder = context.builder;
  int64_t groups = node.getInt("num_groups", 0);
  if (std::optional<int64_t> size = getGroupSize(node, context))
    return context.ints({groups, *size});
  auto vector = [&](int64_t size) {
    return RankedTensorType::get(size, builder.getI64Type());
  };
  Value channels = ShapeOp::create(
      builder, context.loc, vector(1), node.getInput(0),
      builder.getI64IntegerAttr(2), builder.getI64IntegerAttr(1));
  Value count = context.ints(groups);
  Value size = DivOp::create(builder, context.loc, vector(1), channels, count);
  return ConcatOp::create(builder, context.loc, vector(2),
                          ValueRange{count, size},
                          builder.getI64IntegerAttr(0));
}

// Below version 21 GroupNormalization had a scale and a bias for each group; since then
// for each channel.
static Refusal groupNormUp(NodeForm &node, AdaptContext &context) {
  OpBuilder &builder = context.builder;
  int64_t groups = node.getInt("num_groups", 0);
  std::optional<int64_t> size = getGroupSize(node, context);
  if (groups <= 0)
    return "expected a positive 'num_groups', but got " +
           std::to_string(groups);
  if (size == 1)
    return adapted;
  Value shape = makeGroupShape(node, context);
  int64_t each = size.value_or(ShapedType::kDynamic);
  int64_t all = size ? groups * *size : ShapedType::kDynamic;
  for (size_t slot : {1, 2}) {
    Value value = node.getInput(slot);
    if (!value)
      continue;
    value = UnsqueezeOp::create(builder, context.loc,
                                context.getType(value, {groups, 1}), value,
                                context.ints(1));
    value =
        ExpandOp::create(builder, context.loc,
                         context.getType(value, {groups, each}), value, shape);
    value = ReshapeOp::create(builder, context.loc, context.getType(value, all),
                              value, context.ints(-1), IntegerAttr());
    node.setInput(slot, value);
  }
  return adapted;
}

/// Returns the value that groupNormUp() repeated, if `value` comes from it.
static Value findRepeated(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  auto expand =
      reshape ? reshape.getData().getDefiningOp<ExpandOp>() : ExpandOp();
  auto unsqueeze =
      expand ? expand.getInput().getDefiningOp<UnsqueezeOp>() : UnsqueezeOp();
  return unsqueeze ? unsqueeze.getData() : Value();
}

/// More channels than any model has. The limit bounds the cost of reading a lazy
/// constant.
static constexpr int64_t mostChannels = 1 << 20;

/// Returns one element of each of `groups` runs of equal elements, if `value` is such a
/// constant.
static std::optional<Elements>
getOneOfEach(Value value, int64_t groups, int64_t size, AdaptContext &context) {
  std::optional<Elements> content = context.getConstant(value);
  if (!content || content->getShape() != ArrayRef(groups * size) ||
      !isNumeric(content->getType()) || content->numElements() > mostChannels)
    return std::nullopt;
  SmallVector<WideNum> numbers(content->numElements());
  content->readWideNums(0, numbers);
  for (int64_t i = 0; i < groups * size; ++i)
    if (numbers[i].u != numbers[i / size * size].u)
      return std::nullopt;
  return llvm::cantFail(
      ElementsBuilder().slice(*content, int64_t(0), groups, size));
}

static Refusal groupNormDown(NodeForm &node, AdaptContext &context) {
  std::optional<int64_t> size = getGroupSize(node, context);
  int64_t groups = node.getInt("num_groups", 0);
  for (size_t slot : {1, 2}) {
    Value value = node.getInput(slot);
    if (size == 1 || !value)
      continue;
    Value repeated = findRepeated(value);
    if (repeated && context.getShape(repeated) == ArrayRef(groups)) {
      node.setInput(slot, repeated);
      continue;
    }
    std::optional<Elements> each =
        size ? getOneOfEach(value, groups, *size, context) : std::nullopt;
    if (!each)
      return "scale and bias must be equal within each group below version 21";
    node.setInput(slot, context.constant(*each));
  }
  return adapted;
}

void invar::onnx::addNormalizeAdapters(AdapterTable &table) {
  table.exist({{"GroupNormalization", 18},
               {"LayerNormalization", 17},
               {"MeanVarianceNormalization", 9},
               {"RMSNormalization", 23}});
  table.add(
      {{"BatchNormalization", 6, nullptr, batchNormHintDown},
       {"BatchNormalization", 7, batchNormTestUp, batchNormTestDown},
       {"BatchNormalization", 9, batchNormSpatialUp, nullptr},
       {"BatchNormalization", 14, batchNormOutputsUp, batchNormOutputsDown},
       {"Dropout", 12, dropoutUp, dropoutDown},
       {"GroupNormalization", 21, groupNormUp, groupNormDown},
       {"GroupNormalization", 21, nullptr, dropIfDefault("stash_type", 1)}});
}
