// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classic models and maps are calls of the runtime, except elementwise operators.
#include "MLFormulas.h"
#include "invar/Conversion/ONNXToLinalg/Movement.h"
#include "invar/Dialect/ONNX/Ops/ML.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Elementwise -----------------------------------------------------------===//

/// Returns a list of an attribute as a tensor that broadcasts over the features of `x`;
/// fails if its length does not match.
template <typename T>
static FailureOr<Value> makeRow(Lowering &to, RankedTensorType x,
                                std::optional<ArrayRef<T>> list, Type type,
                                StringRef name) {
  int64_t count = list ? int64_t(list->size()) : 0;
  int64_t features = x.getRank() ? x.getShape().back() : 1;
  if (count != 1 && (x.getRank() == 0 ||
                     (count != features && ShapedType::isStatic(features))))
    return to.decline("expected an entry of '" + name +
                      "' for each feature, or one");
  return to.makeConstant(
      DenseElementsAttr::get(RankedTensorType::get(count, type), *list));
}

static LogicalResult lower(BinarizerOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  Value x = to.get(op.getX());
  Type type = getElementTypeOrSelf(x.getType());
  double threshold = op.getThreshold();
  FailureOr<Value> made = to.combine(
      x, to.sizesOf(x), type, [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
        Number number = toNumber(b, b.getLoc(), in[0]).castTo(b.getF64Type());
        return toElement(Number(number > Number(threshold)), type);
      });
  return succeeded(made) ? to.set(op.getY(), *made) : failure();
}

static LogicalResult lower(ScalerOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  Value x = to.get(op.getX());
  Type type = to.getBuilder().getF32Type();
  RankedTensorType given = to.getType(op.getX());
  auto offset = makeRow(to, given, op.getOffset(), type, "offset");
  if (failed(offset))
    return failure();
  auto scale = makeRow(to, given, op.getScale(), type, "scale");
  if (failed(scale))
    return failure();
  FailureOr<Value> made = to.combine(
      {x, *offset, *scale}, to.sizesOf(x), type,
      [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
        auto number = [&](Value element) {
          return toNumber(b, b.getLoc(), element).castTo(b.getF64Type());
        };
        return toElement(
            formula::Scale()(number(in[0]), number(in[1]), number(in[2])),
            type);
      });
  return succeeded(made) ? to.set(op.getY(), *made) : failure();
}

static LogicalResult lower(ImputerOp op, Lowering &to) {
  if (failed(to.expectRanks()))
    return failure();
  Value x = to.get(op.getX());
  Type type = getElementTypeOrSelf(x.getType());
  bool areFloats = isa<FloatType>(type);
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Type listType = areFloats ? Type(builder.getF32Type()) : builder.getI64Type();
  RankedTensorType given = to.getType(op.getX());
  auto values = areFloats ? makeRow(to, given, op.getImputedValueFloats(),
                                    listType, "imputed_value_floats")
                          : makeRow(to, given, op.getImputedValueInt64s(),
                                    listType, "imputed_value_int64s");
  if (failed(values))
    return failure();
  TypedAttr replaced =
      areFloats
          ? TypedAttr(builder.getF32FloatAttr(op.getReplacedValueFloat()))
          : builder.getI64IntegerAttr(int64_t(op.getReplacedValueInt64()));
  FailureOr<Value> made = to.combine(
      {x, *values}, to.sizesOf(x), type,
      [&](ImplicitLocOpBuilder &b, ArrayRef<Value> in) {
        auto number = [&](Value element) {
          return toNumber(b, b.getLoc(), element).castTo(type);
        };
        using Impute = formula::Impute<Number, OnFloats | OnInts>;
        Impute impute{{}, number(arith::ConstantOp::create(b, replaced))};
        return toElement(impute(number(in[0]), number(in[1])), type);
      });
  return succeeded(made) ? to.set(op.getY(), *made) : failure();
}

void invar::onnx::addMLLowerings(LoweringTable &table) {
  table.addCall<ArrayFeatureExtractorOp>();
  table.add<BinarizerOp>(lower);
  table.addCall<CastMapOp>();
  table.addCall<CategoryMapperOp>();
  table.addCall<DictVectorizerOp>();
  table.addCall<FeatureVectorizerOp>();
  table.add<ImputerOp>(lower);
  table.addCall<LabelEncoderOp>();
  table.addCall<LinearClassifierOp>();
  table.addCall<LinearRegressorOp>();
  table.addCall<NormalizerOp>();
  table.addCall<OneHotEncoderOp>();
  table.addCall<SVMClassifierOp>();
  table.addCall<SVMRegressorOp>();
  table.add<ScalerOp>(lower);
  table.addCall<TreeEnsembleOp>();
  table.addCall<TreeEnsembleClassifierOp>();
  table.addCall<TreeEnsembleRegressorOp>();
  table.addCall<ZipMapOp>();
}
