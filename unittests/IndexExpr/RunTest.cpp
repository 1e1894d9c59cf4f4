// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests random formulas that are emitted as code, compiled and run: they must have the
// value of plain arithmetic.
#include "RandomExpr.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace invar;

namespace {
class RunTest : public testing::Test {
protected:
  RunTest()
      : builder(&context), module(ModuleOp::create(builder.getUnknownLoc())) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    context.loadDialect<func::FuncDialect, arith::ArithDialect,
                        affine::AffineDialect, LLVM::LLVMDialect>();
    registerBuiltinDialectTranslation(context);
    registerLLVMDialectTranslation(context);
  }

  /// Emits a function of the inputs that returns the formula. Returns false if it has no
  /// value.
  bool emit(const Formula &formula, const std::string &name, bool inner) {
    Location loc = builder.getUnknownLoc();
    SmallVector<Type> inputs(numInputs, builder.getIndexType());
    builder.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(
        builder, loc, name,
        builder.getFunctionType(inputs, builder.getIndexType()));
    builder.setInsertionPointToStart(function.addEntryBlock());
    SymbolicContext symbolic;
    IndexExprScope outer(symbolic, builder, loc);
    std::vector<IndexExpr> exprs;
    for (auto [i, argument] : llvm::enumerate(function.getArguments()))
      exprs.push_back(i < numSizes ? outer.getDim(argument)
                                   : outer.getSymbol(argument));
    // Code that the outer scope emitted is reused.
    IndexExprScope scope(outer);
    if (inner) {
      (exprs[0] + exprs[1] * exprs[3]).getValue(outer);
      for (IndexExpr &expr : exprs)
        expr = scope.import(expr);
    }
    IndexExprScope &used = inner ? scope : outer;
    Value result = build(formula, exprs).getValue(used);
    if (!result) {
      function.erase();
      return false;
    }
    func::ReturnOp::create(builder, loc, result);
    return true;
  }

  std::unique_ptr<ExecutionEngine> compile() {
    EXPECT_TRUE(succeeded(verify(*module)));
    PassManager passes(&context);
    passes.addPass(createLowerAffinePass());
    passes.addPass(arith::createArithExpandOpsPass());
    passes.addPass(createArithToLLVMConversionPass());
    passes.addPass(createConvertFuncToLLVMPass());
    passes.addPass(createReconcileUnrealizedCastsPass());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    ExecutionEngineOptions options;
    options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::None;
    return llvm::cantFail(ExecutionEngine::create(*module, options));
  }

  static int64_t run(ExecutionEngine &engine, const std::string &name,
                     std::vector<int64_t> values) {
    int64_t result = 0;
    llvm::SmallVector<void *> pointers;
    for (int64_t &value : values)
      pointers.push_back(&value);
    pointers.push_back(&result);
    llvm::cantFail(engine.invokePacked(name, pointers));
    return result;
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(RunTest, CodeIsWorthWhatNumbersAre) {
  struct Case {
    std::string name;
    uint64_t seed;
    Formula formula;
  };
  std::vector<Case> cases;
  unsigned undefined = 0;
  // The deepest formulas exceed the size limit of expressions: parts are emitted early.
  for (auto [depth, count] :
       {std::pair(1, 300), std::pair(2, 700), std::pair(3, 700),
        std::pair(4, 250), std::pair(5, 50), std::pair(6, 10)})
    for (int i = 0; i < count; ++i) {
      uint64_t seed = 7000000 + depth * 100000 + i;
      Random random(seed);
      Case next{"f" + std::to_string(seed), seed, makeFormula(random, depth)};
      if (emit(next.formula, next.name, /*inner=*/i % 2))
        cases.push_back(std::move(next));
      else
        ++undefined;
    }
  // Only a division by a literal zero makes it impossible to emit code.
  EXPECT_LT(undefined, cases.size() / 10);
  auto engine = compile();
  unsigned checked = 0;
  for (const Case &next : cases) {
    Random random(next.seed);
    for (int i = 0; i < 20; ++i) {
      std::vector<int64_t> values = makeInputs(random);
      std::optional<int64_t> expected = evaluate(next.formula, values);
      if (!expected)
        continue;
      ++checked;
      std::string inputs;
      for (int64_t value : values)
        inputs += " " + std::to_string(value);
      ASSERT_EQ(run(*engine, next.name, values), *expected)
          << "seed " << next.seed << ", inputs" << inputs << ": "
          << toString(next.formula);
    }
  }
  EXPECT_GT(checked, 10 * cases.size());
}
