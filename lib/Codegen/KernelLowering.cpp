// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelLowering.h"
#include "invar/Stop/Scope.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace invar;

/// The canonicalizations of only those dialects that kernels are written in: a context
/// has hundreds of other operations.
static FrozenRewritePatternSet makeFolds(MLIRContext *context) {
  RewritePatternSet patterns(context);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (isa<arith::ArithDialect, scf::SCFDialect, vector::VectorDialect,
            memref::MemRefDialect>(op.getDialect()))
      op.getCanonicalizationPatterns(patterns, context);
  return std::move(patterns);
}

static FrozenRewritePatternSet makeMath(MLIRContext *context, bool hasHalves) {
  RewritePatternSet patterns(context);
  populateMathPatterns(patterns);
  if (!hasHalves)
    populateHalfPatterns(patterns);
  // LLVM calls a function for each conversion of bf16 if no instruction does it.
  arith::populateExpandBFloat16Patterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  return std::move(patterns);
}

static FrozenRewritePatternSet makeControl(MLIRContext *context) {
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  return std::move(patterns);
}

static FrozenRewritePatternSet makeVectors(MLIRContext *context) {
  RewritePatternSet patterns(context);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  vector::populateVectorMaskMaterializationPatterns(
      patterns, /*force32BitVectorIndices=*/true);
  vector::populateVectorStepLoweringPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  return std::move(patterns);
}

namespace {
/// Lowers a constant of halves to its bits, if the type converter turns halves into bits.
struct LowerHalfConstant : ConvertOpToLLVMPattern<arith::ConstantOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!isa<FloatType>(element) ||
        !getTypeConverter()->convertType(element).isInteger(16))
      return failure();
    Type bits = rewriter.getI16Type();
    auto toBits = [](const APFloat &number) { return number.bitcastToAPInt(); };
    TypedAttr value;
    if (auto number = dyn_cast<FloatAttr>(op.getValue()))
      value = rewriter.getIntegerAttr(bits, toBits(number.getValue()));
    else
      value = cast<DenseFPElementsAttr>(op.getValue()).mapValues(bits, toBits);
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
        op, getTypeConverter()->convertType(op.getType()), value);
    return success();
  }
};
} // namespace

static FrozenRewritePatternSet makeToLLVM(LLVMTypeConverter &types,
                                          bool hasHalves) {
  // A half is just bits once conversions are expanded; LLVM would convert it back and forth
  // even to move it.
  Type bits = IntegerType::get(&types.getContext(), 16);
  auto isBits = [hasHalves](Type type) {
    return type.isBF16() || (type.isF16() && !hasHalves);
  };
  types.addConversion([bits, isBits](FloatType type) -> std::optional<Type> {
    return isBits(type) ? std::optional(bits) : std::nullopt;
  });
  types.addConversion([bits, isBits](VectorType type) -> std::optional<Type> {
    if (isBits(type.getElementType()))
      return type.clone(bits);
    return std::nullopt;
  });
  RewritePatternSet patterns(&types.getContext());
  patterns.add<LowerHalfConstant>(types, PatternBenefit(2));
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(types, patterns);
  populateVectorToLLVMConversionPatterns(types, patterns,
                                         /*reassociateFPReductions=*/true,
                                         /*force32BitVectorIndices=*/true);
  populateFuncToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  return std::move(patterns);
}

KernelLowering::KernelLowering(MLIRContext *context, bool hasHalves)
    : types(context), folds(makeFolds(context)),
      math(makeMath(context, hasHalves)), control(makeControl(context)),
      vectors(makeVectors(context)), toLLVM(makeToLLVM(types, hasHalves)) {}

static GreedyRewriteConfig getConfig() {
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .setUseTopDownTraversal();
  return config;
}

LogicalResult KernelLowering::simplify(ModuleOp module) const {
  if (failed(applyPatternsGreedily(module, folds, getConfig())))
    return module.emitError("expected the rewriting of a kernel to end");
  IRRewriter rewriter(module.getContext());
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration())
      continue;
    function.walk(
        [](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
    DominanceInfo dominance(function);
    eliminateCommonSubExpressions(rewriter, dominance, function);
  }
  return success();
}

LogicalResult KernelLowering::lower(ModuleOp module) const {
  if (failed(simplify(module)) || StopScope::isDue() ||
      failed(applyPatternsGreedily(module, math, getConfig())) ||
      failed(simplify(module)) || StopScope::isDue())
    return failure();
  makeNativeInterface(module, types);

  ConversionTarget flat(*module.getContext());
  flat.addIllegalDialect<scf::SCFDialect>();
  flat.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  if (failed(applyPartialConversion(module, flat, control)) ||
      failed(applyPatternsGreedily(module, vectors, getConfig())))
    return failure();

  LLVMConversionTarget target(*module.getContext());
  if (failed(applyPartialConversion(module, target, toLLVM)))
    return failure();
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
  return success();
}
