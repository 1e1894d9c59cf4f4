// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the lifetimes of tensors, and which tensors may share memory.
#include "../../lib/Program/MemoryLayout.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace invar;

namespace {
/// Kernels of one operand, without and with in-place result, and one of two operands.
constexpr StringRef kernels = R"mlir(
  func.func private @copy(tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    attributes {invar.kernel}
  func.func private @over(tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    attributes {invar.kernel, invar.in_place = array<i64: 0>}
  func.func private @add(tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    attributes {invar.kernel, invar.in_place = array<i64: 0, 1>}
)mlir";

class MemoryLayoutTest : public ::testing::Test {
protected:
  MemoryLayoutTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, scf::SCFDialect,
                        tensor::TensorDialect, rt::RuntimeDialect>();
  }

  /// Makes the plan for a function @main with this body; its argument is %x.
  void plan(StringRef body, StringRef input = "tensor<16xf32>",
            StringRef output = "tensor<16xf32>") {
    std::string text = (kernels + "func.func @main(%x: " + input + ") -> " +
                        output + " {" + body + "}")
                           .str();
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    layout.emplace(module->lookupSymbol<func::FuncOp>("main"));
    report = layout->takeReport();
  }

  /// Returns the lifetime of the n-th tensor.empty or runtime call in the text.
  const Lifetime *find(unsigned number) {
    unsigned seen = 0;
    const Lifetime *found = nullptr;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<tensor::EmptyOp, rt::CallOp>(op) && seen++ == number)
        for (const Lifetime &lifetime : layout->getLifetimes().get())
          if (lifetime.tensor == op->getResult(0))
            found = &lifetime;
    });
    return found;
  }
  bool overlap(unsigned one, unsigned other) {
    const Lifetime *a = find(one), *b = find(other);
    return a && b && a->first <= b->last && b->first <= a->last;
  }
  std::optional<uint32_t> inPlaceOf(unsigned number) {
    const Lifetime *lifetime = find(number);
    EXPECT_TRUE(lifetime);
    return lifetime ? lifetime->inPlaceOf : std::nullopt;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<MemoryLayout> layout;
  MemoryReport report;
};

#define KERNEL(RESULT, NAME, OPERANDS, TYPES)                                  \
  "%e" RESULT " = tensor.empty() : tensor<16xf32>\n"                           \
  "%" RESULT " = func.call @" NAME "(" OPERANDS ", %e" RESULT ") : (" TYPES    \
  ", tensor<16xf32>) -> tensor<16xf32>\n"
#define COPY(RESULT, OPERAND) KERNEL(RESULT, "copy", OPERAND, "tensor<16xf32>")
#define OVER(RESULT, OPERAND) KERNEL(RESULT, "over", OPERAND, "tensor<16xf32>")
#define ADD(RESULT, LHS, RHS)                                                  \
  KERNEL(RESULT, "add", LHS ", " RHS, "tensor<16xf32>, tensor<16xf32>")
} // namespace

TEST_F(MemoryLayoutTest, AChainTakesTwoPlaces) {
  plan(COPY("a", "%x") COPY("b", "%a") COPY("c", "%b")
           COPY("d", "%c") "return %d : tensor<16xf32>");
  EXPECT_TRUE(overlap(0, 1));
  EXPECT_FALSE(overlap(0, 2));
  EXPECT_FALSE(find(3)) << "an output is the caller's";
  EXPECT_EQ(report.getSize(), 128u);
  EXPECT_EQ(report.getBound(), 128u);
}

TEST_F(MemoryLayoutTest, AResultTakesOverWhatDies) {
  plan(COPY("a", "%x") OVER("b", "%a") OVER("c", "%b")
           COPY("d", "%c") "return %d : tensor<16xf32>");
  EXPECT_EQ(inPlaceOf(1), 0u);
  EXPECT_EQ(inPlaceOf(2), 1u);
  EXPECT_EQ(report.getSize(), 64u);
}

TEST_F(MemoryLayoutTest, WhatIsNeededLaterStays) {
  plan(COPY("a", "%x") OVER("b", "%a") ADD("c", "%a", "%b")
           COPY("d", "%c") "return %d : tensor<16xf32>");
  EXPECT_EQ(inPlaceOf(1), std::nullopt);
  EXPECT_EQ(inPlaceOf(2), 0u) << "both would do";
}

TEST_F(MemoryLayoutTest, AnOperandGivenTwiceStays) {
  plan(COPY("a", "%x") R"mlir(
    %v = tensor.expand_shape %a [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
    %w = tensor.collapse_shape %v [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  )mlir" ADD("b", "%a", "%w") COPY("c", "%b") "return %c : tensor<16xf32>");
  EXPECT_EQ(inPlaceOf(1), std::nullopt);
}

TEST_F(MemoryLayoutTest, InputsAreNotOverwritten) {
  plan(OVER("a", "%x") COPY("b", "%a") "return %b : tensor<16xf32>");
  EXPECT_EQ(inPlaceOf(0), std::nullopt);
}

TEST_F(MemoryLayoutTest, AViewIsAsLongInUse) {
  plan(COPY("a", "%x") R"mlir(
    %v = tensor.extract_slice %a[0] [16] [1] : tensor<16xf32> to tensor<16xf32>
  )mlir" COPY("b", "%x") COPY("c", "%v")
           COPY("d", "%c") "return %d : tensor<16xf32>");
  EXPECT_TRUE(overlap(0, 1));
  EXPECT_TRUE(overlap(0, 2));
}

TEST_F(MemoryLayoutTest, AViewThatIsReturnedIsAnOutput) {
  plan(COPY("a", "%x") R"mlir(
    %v = tensor.expand_shape %a [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>
    return %v : tensor<4x4xf32>
  )mlir",
       "tensor<16xf32>", "tensor<4x4xf32>");
  EXPECT_FALSE(find(0));
}

TEST_F(MemoryLayoutTest, SequencesHoldTensors) {
  plan(COPY("a", "%x") R"mlir(
    %s = rt.call "SequenceConstruct"(%a) {} : (tensor<16xf32>) -> !rt.seq<tensor<16xf32>>
  )mlir" COPY("b", "%x") R"mlir(
    %i = arith.constant dense<0> : tensor<i64>
    %t = rt.call "SequenceAt"(%s, %i) {} : (!rt.seq<tensor<16xf32>>, tensor<i64>) -> tensor<16xf32>
  )mlir" COPY("c", "%b") OVER("d", "%t")
           COPY("e", "%d") "return %e : tensor<16xf32>");
  EXPECT_TRUE(overlap(0, 2));
  EXPECT_TRUE(overlap(0, 5)) << "what the sequence gives may be it";
  EXPECT_NE(inPlaceOf(5), 0u);
}

TEST_F(MemoryLayoutTest, ACallMayGiveItsOperand) {
  plan(COPY("a", "%x") R"mlir(
    %same = rt.call "Cast"(%a) {} : (tensor<16xf32>) -> tensor<16xf32>
  )mlir" COPY("b", "%x") COPY("c", "%same")
           COPY("d", "%c") "return %d : tensor<16xf32>");
  EXPECT_TRUE(overlap(0, 2));
  plan(
      COPY("a", "%x") R"mlir(
    %part = rt.call "Compress"(%a) {} : (tensor<16xf32>) -> tensor<4xf32>
  )mlir" COPY("b", "%x")
          COPY("c", "%b") R"mlir(%n = rt.call "Take"(%part) {} : (tensor<4xf32>) -> tensor<16xf32>)mlir" COPY(
              "d", "%n") "return %d : tensor<16xf32>");
  EXPECT_FALSE(overlap(0, 2)) << "it has other bytes";
}

TEST_F(MemoryLayoutTest, WhatTheRuntimeChangesInPlaceIsItsOwn) {
  plan(COPY("a", "%x") R"mlir(
    %i = arith.constant dense<0> : tensor<1xi64>
    %s = rt.call "ScatterElements"(%a, %i, %x) {} : (tensor<16xf32>, tensor<1xi64>, tensor<16xf32>) -> tensor<16xf32>
  )mlir" COPY("b", "%s") "return %b : tensor<16xf32>");
  EXPECT_FALSE(find(0));
}

TEST_F(MemoryLayoutTest, BranchesHaveMemoryOfTheirOwn) {
  plan(COPY("a", "%x") R"mlir(
    %c0 = arith.constant 0 : index
    %first = tensor.extract %x[%c0] : tensor<16xf32>
    %zero = arith.constant 0.0 : f32
    %is = arith.cmpf ogt, %first, %zero : f32
    %y = scf.if %is -> tensor<16xf32> {
  )mlir" COPY("b", "%a") COPY(
      "c", "%b") "scf.yield %c : tensor<16xf32>\n} else {\n" OVER("d", "%a")
           COPY("f", "%d") "scf.yield %f : tensor<16xf32>\n}\n" COPY(
               "g", "%y") "return %g : tensor<16xf32>");
  EXPECT_TRUE(overlap(0, 1));
  EXPECT_FALSE(find(2)) << "it outlives its branch";
  EXPECT_TRUE(find(3));
  EXPECT_FALSE(overlap(1, 3));
  EXPECT_EQ(inPlaceOf(3), std::nullopt) << "the branch may give it";
}

TEST_F(MemoryLayoutTest, WhatALoopReadsStaysForItsNextRound) {
  plan(COPY("a", "%x") R"mlir(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %y = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %x) -> tensor<16xf32> {
  )mlir" OVER("b", "%a") OVER("c", "%b")
           ADD("d", "%c", "%s") "scf.yield %d : tensor<16xf32>\n}\n" COPY(
               "f", "%y") "return %f : tensor<16xf32>");
  EXPECT_EQ(inPlaceOf(1), std::nullopt) << "it is read in the next round again";
  EXPECT_TRUE(overlap(0, 2)) << "to the loop's end";
  EXPECT_EQ(inPlaceOf(2), 1u);
  EXPECT_FALSE(find(3)) << "it is carried to the next round";
}

TEST_F(MemoryLayoutTest, OpenSizesOfOneUnitArePlanned) {
  plan(R"mlir(
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %n = tensor.dim %x, %c0 : tensor<?x16xf32>
    %n2 = arith.muli %n, %c2 : index
    %a = tensor.empty(%n) : tensor<?x32xf32>
    %i = tensor.extract %a[%c0, %c0] : tensor<?x32xf32>
    %m = tensor.dim %a, %c0 : tensor<?x32xf32>
    %b = tensor.empty(%n2) : tensor<?x16xf32>
    %j = tensor.extract %b[%c0, %c0] : tensor<?x16xf32>
    %c = tensor.empty(%m) : tensor<?x16xf32>
    %k = tensor.extract %c[%c0, %c0] : tensor<?x16xf32>
    return %x : tensor<?x16xf32>
  )mlir",
       "tensor<?x16xf32>", "tensor<?x16xf32>");
  ASSERT_EQ(report.blocks.size(), 1u);
  EXPECT_EQ(report.blocks[0].unit, "size 0 of input 0");
  EXPECT_EQ(report.blocks[0].buffers.size(), 3u);
  EXPECT_EQ(report.blocks[0].plan.size, 128u) << "bytes for each of the size";
}

TEST_F(MemoryLayoutTest, SizesThatCannotBeComparedAreLeft) {
  // At different times, so separate blocks would need twice the memory.
  plan(R"mlir(
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = tensor.dim %x, %c0 : tensor<?x?xf32>
    %m = tensor.dim %x, %c1 : tensor<?x?xf32>
    %a = tensor.empty(%n) : tensor<?x32xf32>
    %i = tensor.extract %a[%c0, %c0] : tensor<?x32xf32>
    %b = tensor.empty(%m) : tensor<?x32xf32>
    %j = tensor.extract %b[%c0, %c0] : tensor<?x32xf32>
    return %x : tensor<?x?xf32>
  )mlir",
       "tensor<?x?xf32>", "tensor<?x?xf32>");
  EXPECT_EQ(report.blocks.size(), 0u);
  EXPECT_EQ(report.open, 2u);
}
