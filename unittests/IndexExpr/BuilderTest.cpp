// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests getters: values known from types and constants, out-of-bounds access, emitted
// code.
#include "invar/IndexExpr/Builder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace invar;

namespace {
class BuilderTest : public testing::Test {
protected:
  BuilderTest()
      : builder(&context), loc(builder.getUnknownLoc()),
        module(ModuleOp::create(loc)), scope(symbolic) {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect, memref::MemRefDialect,
                        tensor::TensorDialect>();
    builder.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(builder, loc, "f",
                                         builder.getFunctionType({}, {}));
    block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
  }

  Value argument(Type type) { return block->addArgument(type, loc); }
  Value tensor(ArrayRef<int64_t> shape, Type type) {
    return argument(RankedTensorType::get(shape, type));
  }
  template <typename T> Value constant(ArrayRef<T> values, Type type) {
    auto tensorType = RankedTensorType::get(int64_t(values.size()), type);
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(tensorType, values));
  }
  Value ints(ArrayRef<int64_t> values) {
    return constant(values, builder.getI64Type());
  }
  template <typename Op> unsigned count() {
    return llvm::range_size(block->getOps<Op>());
  }

  MLIRContext context;
  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> module;
  Block *block;
  SymbolicContext symbolic;
  IndexExprScope scope;
};
constexpr int64_t dynamic = ShapedType::kDynamic;
} // namespace

TEST_F(BuilderTest, TypesSayShapes) {
  IndexExprBuilderForAnalysis analysis(scope);
  Value data = tensor({4, dynamic}, builder.getF32Type());
  Value any = argument(UnrankedTensorType::get(builder.getF32Type()));
  Value number = argument(builder.getIndexType());
  EXPECT_EQ(analysis.getRank(data), 2);
  EXPECT_EQ(analysis.getRank(any), std::nullopt);
  EXPECT_EQ(analysis.getRank(number), std::nullopt);
  EXPECT_EQ(analysis.getRank(nullptr), std::nullopt);
  EXPECT_FALSE(analysis.hasShape(nullptr));
  EXPECT_TRUE(analysis.getShapeAsLiteral(data, 0).isLiteral(4));
  EXPECT_TRUE(analysis.getShapeAsLiteral(data, 1).isUndefined());
  EXPECT_TRUE(analysis.getShapeAsDim(data, 0).isLiteral(4));
  EXPECT_TRUE(analysis.getShapeAsDim(data, 1).isQuestionmark());
  EXPECT_TRUE(analysis.getShapeAsSymbols(data)[0].isLiteral(4));
  EXPECT_TRUE(analysis.getNumElements(data).hasQuestionmark());
  Value fixed = tensor({4, 5, 6}, builder.getF32Type());
  EXPECT_TRUE(analysis.getNumElements(fixed).isLiteral(120));
  EXPECT_TRUE(
      analysis.getNumElements(tensor({}, builder.getF32Type())).isLiteral(1));
  // A hostile type has more elements than an integer can hold: no value, no overflow.
  Value huge = tensor({INT64_MAX, 3}, builder.getF32Type());
  EXPECT_TRUE(analysis.getNumElements(huge).isUndefined());
}

TEST_F(BuilderTest, ConstantsSayEntries) {
  IndexExprBuilderForAnalysis analysis(scope);
  Value array = ints({3, -1, 7});
  EXPECT_EQ(analysis.getArraySize(array), 3);
  EXPECT_TRUE(analysis.getIntFromArrayAsLiteral(array, 1).isLiteral(-1));
  EXPECT_TRUE(analysis.getIntFromArrayAsSymbol(array, 2).isLiteral(7));
  EXPECT_TRUE(analysis.getIntFromArrayAsDim(array, 0).isLiteral(3));
  EXPECT_TRUE(analysis.getIntAsSymbol(array).isLiteral(3));
  EXPECT_EQ(analysis.getIntsFromArrayAsLiterals(array),
            (SmallVector<int64_t>{3, -1, 7}));
  EXPECT_EQ(analysis.getIntsFromArrayAsSymbols(array, 2)->size(), 2u);
  EXPECT_TRUE(analysis.getIntsFromArrayAsLiterals(ints({}))->empty());
}

TEST_F(BuilderTest, EntriesAreReadByTheirType) {
  IndexExprBuilderForAnalysis analysis(scope);
  Value bytes = constant<int8_t>({-1}, builder.getI8Type());
  EXPECT_TRUE(analysis.getIntAsSymbol(bytes).isLiteral(-1));
  Value unsignedBytes =
      constant<uint8_t>({255}, builder.getIntegerType(8, /*isSigned=*/false));
  EXPECT_TRUE(analysis.getIntAsSymbol(unsignedBytes).isLiteral(255));
  Value truth = constant<bool>({true}, builder.getI1Type());
  EXPECT_TRUE(analysis.getIntAsSymbol(truth).isLiteral(1));
  Value large = constant<uint64_t>(
      {UINT64_MAX}, builder.getIntegerType(64, /*isSigned=*/false));
  EXPECT_TRUE(analysis.getIntAsSymbol(large).isUndefined());
  Value floats = constant<float>({2.5f}, builder.getF32Type());
  EXPECT_TRUE(analysis.getIntAsSymbol(floats).isUndefined());
  EXPECT_EQ(analysis.getFloatFromArrayAsLiteral(floats, 0), 2.5);
  EXPECT_EQ(analysis.getFloatFromArrayAsLiteral(floats, 1), std::nullopt);
  EXPECT_EQ(analysis.getFloatFromArrayAsLiteral(bytes, 0), std::nullopt);
  EXPECT_EQ(analysis.getFloatFromArrayAsLiteral(nullptr, 0), std::nullopt);
}

TEST_F(BuilderTest, WhatIsOutOfBoundsIsTheDefault) {
  IndexExprBuilderForAnalysis analysis(scope);
  Value array = ints({3, -1});
  for (uint64_t i : {uint64_t(2), uint64_t(1) << 40, UINT64_MAX}) {
    EXPECT_TRUE(analysis.getIntFromArrayAsLiteral(array, i, 9).isLiteral(9));
    EXPECT_TRUE(analysis.getIntFromArrayAsSymbol(array, i, 9).isLiteral(9));
    EXPECT_TRUE(analysis.getIntFromArrayAsDim(array, i, 9).isLiteral(9));
    EXPECT_TRUE(analysis.getIntFromArrayAsSymbol(array, i).isUndefined());
    EXPECT_TRUE(analysis.getIntFromArrayAsLiteral(Value(), i, 9).isLiteral(9));
  }
  EXPECT_TRUE(analysis.getIntAsSymbol(nullptr, 4).isLiteral(4));
  EXPECT_TRUE(analysis.getIntAsSymbol(nullptr).isUndefined());
  EXPECT_TRUE(analysis.getIntAsSymbol(ints({}), 4).isLiteral(4));
  EXPECT_EQ(analysis.getIntsFromArrayAsSymbols(nullptr), std::nullopt);
  std::optional<ArrayRef<int64_t>> none;
  int64_t numbers[] = {5, 6};
  EXPECT_TRUE(analysis.getIntFromArrayAsLiteral(none, 0, 1).isLiteral(1));
  EXPECT_TRUE(analysis.getIntFromArrayAsLiteral(none, 0).isUndefined());
  EXPECT_TRUE(
      analysis.getIntFromArrayAsLiteral(ArrayRef(numbers), 1, 1).isLiteral(6));
  EXPECT_TRUE(
      analysis.getIntFromArrayAsLiteral(ArrayRef(numbers), 2, 1).isLiteral(1));
}

TEST_F(BuilderTest, WhatIsNotConstantIsUnknownInAnalysis) {
  IndexExprBuilderForAnalysis analysis(scope);
  Value array = tensor({2}, builder.getI64Type());
  EXPECT_TRUE(analysis.getIntFromArrayAsSymbol(array, 0).isQuestionmark());
  EXPECT_FALSE(analysis.getIntFromArrayAsSymbol(array, 0).isAtLeast(0))
      << "an entry may be negative, a size not";
  EXPECT_TRUE(analysis.getIntFromArrayAsLiteral(array, 0, 5).isUndefined())
      << "it is there, so it is not the default";
  EXPECT_TRUE(analysis.getIntFromArrayAsSymbol(array, 2, 5).isLiteral(5));
  EXPECT_EQ(analysis.getIntsFromArrayAsLiterals(array), std::nullopt);
  // Lists of unknown or unreasonable length.
  Value some = tensor({dynamic}, builder.getI64Type());
  EXPECT_EQ(analysis.getArraySize(some), std::nullopt);
  EXPECT_EQ(analysis.getIntsFromArrayAsSymbols(some), std::nullopt);
  EXPECT_EQ(analysis.getIntsFromArrayAsSymbols(some, 3)->size(), 3u);
  Value many = tensor({int64_t(1) << 40}, builder.getI64Type());
  EXPECT_EQ(analysis.getIntsFromArrayAsSymbols(many), std::nullopt);
  EXPECT_EQ(analysis.getArraySize(tensor({2, 2}, builder.getI64Type())),
            std::nullopt);
  EXPECT_EQ(analysis.getArraySize(tensor({}, builder.getI64Type())), 1);
}

TEST_F(BuilderTest, SizesAreScaledAsFloatsAre) {
  IndexExprBuilderForAnalysis analysis(scope);
  Value scales = constant<float>({2.0f, 0.6f, 0.5f, 1e30f, -1.0f, NAN},
                                 builder.getF32Type());
  EXPECT_TRUE(analysis.getScaled(7, scales, 0).isLiteral(14));
  EXPECT_TRUE(analysis.getScaled(10, scales, 1).isLiteral(6));
  EXPECT_TRUE(analysis.getScaled(7, scales, 2).isLiteral(3));
  EXPECT_TRUE(analysis.getScaled(7, scales, 3).isUndefined());
  EXPECT_TRUE(analysis.getScaled(7, scales, 5).isUndefined());
  EXPECT_TRUE(analysis.getScaled(7, scales, 9).isQuestionmark());
  IndexExpr h = scope.getDim("h");
  EXPECT_TRUE(analysis.getScaled(h, scales, 0).isKnownEqual(h * 2));
  EXPECT_TRUE(analysis.getScaled(h, scales, 2).isKnownEqual(h.floorDiv(2)));
  for (unsigned i : {1u, 3u, 4u, 5u})
    EXPECT_TRUE(analysis.getScaled(h, scales, i).isQuestionmark()) << i;
}

TEST_F(BuilderTest, StepsOfARangeAreCounted) {
  IndexExprBuilderForAnalysis analysis(scope);
  auto steps = [&](float start, float limit, float delta) {
    Type f32 = builder.getF32Type();
    return analysis.getStepCount(constant<float>({start}, f32),
                                 constant<float>({limit}, f32),
                                 constant<float>({delta}, f32));
  };
  EXPECT_TRUE(steps(1, 5, 2).isLiteral(2));
  EXPECT_TRUE(steps(1, 5, 1.5).isLiteral(3));
  EXPECT_TRUE(steps(10, 6, -3).isLiteral(2));
  EXPECT_TRUE(steps(5, 1, 1).isLiteral(0));
  EXPECT_TRUE(steps(1, 5, 0).isQuestionmark());
  EXPECT_TRUE(steps(0, INFINITY, 1).isUndefined());
  EXPECT_TRUE(steps(NAN, 1, 1).hasQuestionmark());
}

TEST_F(BuilderTest, LinalgAsksTensors) {
  IndexExprScope emission(symbolic, builder, loc);
  IndexExprBuilderForLinalg code(emission);
  Value data = tensor({4, dynamic}, builder.getF32Type());
  Value array = tensor({2}, builder.getI32Type());
  Value scalar = tensor({}, builder.getI64Type());
  EXPECT_TRUE(code.getShapeAsDim(data, 0).isLiteral(4));
  EXPECT_TRUE(code.getShapeAsDim(data, 1).isDim());
  EXPECT_TRUE(code.getIntFromArrayAsSymbol(array, 1).isSymbol());
  EXPECT_FALSE(code.getIntFromArrayAsSymbol(array, 1).isAtLeast(0));
  EXPECT_TRUE(code.getIntFromArrayAsSymbol(array, 2, 5).isLiteral(5));
  EXPECT_TRUE(code.getIntAsSymbol(scalar).isSymbol());
  EXPECT_TRUE(code.getIntAsSymbol(ints({8})).isLiteral(8));
  Value all = (code.getNumElements(data) + code.getIntAsSymbol(scalar))
                  .getValue(emission);
  ASSERT_TRUE(all);
  // Each value is read once.
  EXPECT_EQ(count<tensor::DimOp>(), 1u);
  EXPECT_EQ(count<tensor::ExtractOp>(), 2u);
  func::ReturnOp::create(builder, loc);
}

TEST_F(BuilderTest, LiteralsAreNoReasonForCode) {
  IndexExprScope emission(symbolic, builder, loc);
  IndexExprBuilderForLinalg code(emission);
  Value array = tensor({2}, builder.getI64Type());
  EXPECT_TRUE(code.getIntFromArrayAsLiteral(array, 0, 5).isUndefined());
  EXPECT_EQ(code.getIntsFromArrayAsLiterals(array), std::nullopt);
  EXPECT_TRUE(code.getIntsFromArrayAsLiterals(tensor({0}, builder.getI64Type()))
                  ->empty());
  EXPECT_EQ(count<tensor::ExtractOp>(), 0u);
  EXPECT_EQ(code.getIntsFromArrayAsLiterals(ints({1, 2})),
            (SmallVector<int64_t>{1, 2}));
}

TEST_F(BuilderTest, MemRefAsksMemRefs) {
  IndexExprScope emission(symbolic, builder, loc);
  IndexExprBuilderForMemRef code(emission);
  Value data = argument(MemRefType::get({4, dynamic}, builder.getF32Type()));
  Value array = argument(MemRefType::get({2}, builder.getI1Type()));
  EXPECT_EQ(code.getRank(data), 2);
  EXPECT_TRUE((code.getNumElements(data) + code.getIntAsSymbol(array))
                  .getValue(emission));
  EXPECT_EQ(count<memref::DimOp>(), 1u);
  EXPECT_EQ(count<memref::LoadOp>(), 1u);
  EXPECT_EQ(count<arith::IndexCastUIOp>(), 1u) << "true is 1, not -1";
}

TEST_F(BuilderTest, FloatsAreCalculatedWithInCode) {
  IndexExprScope emission(symbolic, builder, loc);
  IndexExprBuilderForLinalg code(emission);
  Value data = tensor({dynamic}, builder.getF32Type());
  Value scales = tensor({1}, builder.getF32Type());
  Value known = constant<double>({0.5}, builder.getF64Type());
  IndexExpr size = code.getShapeAsDim(data, 0);
  EXPECT_TRUE(code.getScaled(size, scales, 0).getValue(emission));
  EXPECT_TRUE(code.getScaled(size, known, 0).getValue(emission));
  EXPECT_TRUE(code.getStepCount(scales, scales, known).getValue(emission));
  EXPECT_EQ(count<tensor::ExtractOp>(), 3u);
}

TEST_F(BuilderTest, OnlyWhatCannotBeIsRefused) {
  IndexExprBuilderForAnalysis analysis(scope);
  IndexExpr n = scope.getDim("n");
  EXPECT_TRUE(analysis.assumeEqual(n, 5));
  EXPECT_TRUE(analysis.assumeEqual(n, scope.getQuestionmark()));
  EXPECT_FALSE(analysis.assumeEqual(n, n + 1));
  EXPECT_FALSE(analysis.assumeEqual(4, 5));
}
