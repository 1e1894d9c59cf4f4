// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upsample (1 to 9) became Resize (since 10), so the adapters of both form one chain:
//   Upsample 1   height_scale, width_scale
//            7   scales, one for each axis
//            9   scales as an operand
//   Resize  10   the same under another name, also for sizes that shrink
//           11   an attribute maps coordinates; roi, scales, sizes, not all needed
//           13   operands that are not needed are left out, no longer empty
#include "invar/Dialect/ONNX/Ops/Adapters.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Upsample ----------------------------------------------------------------------===//

static Refusal upsampleScalesUp(NodeForm &node, AdaptContext &context) {
  float scales[] = {1, 1, node.getFloat("height_scale", 1),
                    node.getFloat("width_scale", 1)};
  node.attributes.erase("height_scale");
  node.attributes.erase("width_scale");
  node.attributes.set("scales", context.builder.getDenseF32ArrayAttr(scales));
  if (node.getString("mode", "nearest") == "bilinear")
    context.setString(node, "mode", "linear");
  return adapted;
}

static Refusal upsampleScalesDown(NodeForm &node, AdaptContext &context) {
  auto given =
      dyn_cast_or_null<DenseF32ArrayAttr>(node.attributes.erase("scales"));
  ArrayRef<float> scales = given ? given.asArrayRef() : ArrayRef<float>();
  if (scales.size() != 4 || scales[0] != 1 || scales[1] != 1)
    return "only height and width could be scaled in version 1";
  context.setFloat(node, "height_scale", scales[2]);
  context.setFloat(node, "width_scale", scales[3]);
  if (node.getString("mode", "nearest") == "linear")
    context.setString(node, "mode", "bilinear");
  return adapted;
}

static Refusal upsampleOperandUp(NodeForm &node, AdaptContext &context) {
  if (auto scales =
          dyn_cast_or_null<DenseF32ArrayAttr>(node.attributes.erase("scales")))
    node.setInput(1, context.floats(scales.asArrayRef()));
  return adapted;
}

/// Returns the scales, if they are constant and not more than a tensor has axes.
static std::optional<SmallVector<float>> getScales(Value value,
                                                   AdaptContext &context) {
  std::optional<Elements> content = context.getConstant(value);
  if (!content || content->getType() != DataType::Float32 ||
      content->numElements() > 256)
    return std::nullopt;
  SmallVector<float> scales(content->numElements());
  content->read<float>(0, scales);
  return scales;
}

static Refusal upsampleOperandDown(NodeForm &node, AdaptContext &context) {
  std::optional<SmallVector<float>> scales =
      getScales(node.getInput(1), context);
  if (!scales)
    return "'scales' is an attribute there, but its value is not constant";
  node.attributes.set("scales", context.builder.getDenseF32ArrayAttr(*scales));
  node.inputs.truncate(1);
  return adapted;
}

static Refusal upsampleToResize(NodeForm &node, AdaptContext &) {
  node.opType = "Resize";
  return adapted;
}

static Refusal resizeToUpsample(NodeForm &node, AdaptContext &context) {
  std::optional<SmallVector<float>> scales =
      getScales(node.getInput(1), context);
  if (scales &&
      llvm::any_of(*scales, [](float scale) { return !(scale >= 1); }))
    return "sizes that shrink cannot be said below version 10";
  node.opType = "Upsample";
  return adapted;
}

//===-- Resize ------------------------------------------------------------------------===//

// Version 10 had only one way to map coordinates.
static Refusal resizeModesUp(NodeForm &node, AdaptContext &context) {
  node.inputs = {node.getInput(0), Value(), node.getInput(1)};
  context.setString(node, "coordinate_transformation_mode", "asymmetric");
  if (node.getString("mode", "nearest") == "nearest")
    context.setString(node, "nearest_mode", "floor");
  return adapted;
}

static Refusal resizeModesDown(NodeForm &node, AdaptContext &) {
  StringRef mode = node.getString("mode", "nearest");
  bool isOlder =
      node.getString("coordinate_transformation_mode", "half_pixel") ==
          "asymmetric" &&
      (mode == "linear" ||
       (mode == "nearest" &&
        node.getString("nearest_mode", "round_prefer_floor") == "floor")) &&
      node.getInt("exclude_outside", 0) == 0;
  if (!isOlder)
    return "only the mode 'asymmetric' with 'linear' or 'floor' can be said "
           "below version 11";
  if (node.getInput(3) || !node.getInput(2))
    return "the sizes must be given by 'scales' below version 11";
  node.inputs = {node.getInput(0), node.getInput(2)};
  for (StringRef name :
       {"coordinate_transformation_mode", "nearest_mode", "exclude_outside",
        "cubic_coeff_a", "extrapolation_value"})
    node.attributes.erase(name);
  return adapted;
}

// In versions 11 and 12 an operand that was not needed was an empty constant.
static Refusal resizeGapsUp(NodeForm &node, AdaptContext &context) {
  if (node.getString("coordinate_transformation_mode", "") ==
      "tf_half_pixel_for_nn")
    return "the mode 'tf_half_pixel_for_nn' exists only in versions 11 and 12";
  for (size_t slot : {1, 2}) {
    std::optional<Elements> content = context.getConstant(node.getInput(slot));
    if (content && content->numElements() == 0)
      node.setInput(slot, nullptr);
  }
  return adapted;
}

static Refusal resizeGapsDown(NodeForm &node, AdaptContext &context) {
  for (size_t slot : {1, 2})
    if (!node.getInput(slot) && context.version >= 11)
      node.setInput(slot, context.floats({}));
  return adapted;
}

static Refusal resizeSymmetricDown(NodeForm &node, AdaptContext &) {
  if (node.getString("coordinate_transformation_mode", "") ==
      "half_pixel_symmetric")
    return "the mode 'half_pixel_symmetric' exists since version 19";
  return adapted;
}

//===-- GridSample --------------------------------------------------------------------===//

// Since version 20 GridSample accepts any rank, so its modes lost their prefix.
static Refusal gridSampleUp(NodeForm &node, AdaptContext &context) {
  StringRef mode = node.getString("mode", "bilinear");
  if (mode.consume_front("bi"))
    context.setString(node, "mode", mode);
  return adapted;
}

static Refusal gridSampleDown(NodeForm &node, AdaptContext &context) {
  if (context.getRank(node.getInput(0)).value_or(4) != 4)
    return "only images, of rank 4, can be sampled below version 20";
  StringRef mode = node.getString("mode", "linear");
  if (mode != "nearest")
    context.setString(node, "mode", ("bi" + mode).str());
  return adapted;
}

void invar::onnx::addResizeAdapters(AdapterTable &table) {
  table.exist({{"AffineGrid", 20}, {"GridSample", 16}, {"Resize", 10}});
  table.add({{"Upsample", 7, upsampleScalesUp, upsampleScalesDown},
             {"Upsample", 9, upsampleOperandUp, upsampleOperandDown},
             {"Upsample", 10, upsampleToResize, nullptr},
             {"Resize", 10, nullptr, resizeToUpsample},
             {"Resize", 11, resizeModesUp, resizeModesDown},
             {"Resize", 13, resizeGapsUp, resizeGapsDown},
             {"Resize", 18, nullptr, dropIfDefault("antialias", 0)},
             {"Resize", 18, nullptr,
              dropIfDefault("keep_aspect_ratio_policy", "stretch")},
             {"Resize", 18, nullptr, refuseIfGiven("axes")},
             {"Resize", 19, nullptr, resizeSymmetricDown},
             {"GridSample", 20, gridSampleUp, gridSampleDown}});
}
