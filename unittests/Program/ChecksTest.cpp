// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the checks that a program does before it runs a kernel, and that a program is
// rejected if a check would come too late.
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "invar/Program/Encode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace invar;

namespace {
/// A kernel that copies %s, which `prepared` computes from %x, %from and %n.
std::string makeKernel(StringRef name, StringRef prepared) {
  return (R"mlir(
    func.func private @)mlir" +
          name +
          R"mlir((%x: tensor<?xf32>, %from: index, %n: index, %y: tensor<?xf32>)
        -> tensor<?xf32> attributes {invar.kernel, invar.results = 1 : i64} {
      )mlir" +
          prepared + R"mlir(
      %z = linalg.generic {
          indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]}
          ins(%s : tensor<?xf32>) outs(%y : tensor<?xf32>) {
      ^bb0(%a: f32, %b: f32):
        linalg.yield %a : f32
      } -> tensor<?xf32>
      return %z : tensor<?xf32>
    })mlir")
      .str();
}

class ChecksTest : public ::testing::Test {
protected:
  ChecksTest() {
    context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        scf::SCFDialect, tensor::TensorDialect,
                        constants::ConstDialect, rt::RuntimeDialect>();
    kernels = makeKernel("copy", "%s = tensor.cast %x : tensor<?xf32> to "
                                 "tensor<?xf32>") +
              makeKernel("part", "%s = tensor.extract_slice %x[%from] [%n] [1] "
                                 ": tensor<?xf32> to tensor<?xf32>") +
              makeKernel("padded", R"mlir(
      %zero = arith.constant 0.0 : f32
      %s = tensor.pad %x low[%from] high[%n] {
      ^bb0(%i: index):
        tensor.yield %zero : f32
      } : tensor<?xf32> to tensor<?xf32>)mlir");
  }

  /// Encodes the program of @main with this body, whose arguments are %x, %i and %n. If
  /// it is rejected, `error` has the reason.
  FailureOr<EncodedProgram> encode(StringRef body) {
    std::string text =
        kernels +
        R"mlir(func.func @main(%x: tensor<?xf32> {invar.name = "x"},
                   %i: tensor<2xi64> {invar.name = "i"})
            -> (tensor<?xf32> {invar.name = "y"}) {
          %0 = arith.constant 0 : index
          %1 = arith.constant 1 : index
          %a = tensor.extract %i[%0] : tensor<2xi64>
          %b = tensor.extract %i[%1] : tensor<2xi64>
          %from = arith.index_cast %a : i64 to index
          %n = arith.index_cast %b : i64 to index
          %e = tensor.empty(%n) : tensor<?xf32>)mlir" +
        body.str() + "return %y : tensor<?xf32> }";
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return failure();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      error = diagnostic.str();
      return success();
    });
    return encodeProgram(module->lookupSymbol<func::FuncOp>("main"), {});
  }

  /// Whether the program can fail with this text.
  static bool has(const EncodedProgram &program, StringRef message) {
    return StringRef(reinterpret_cast<const char *>(program.words.data()),
                     program.words.size() * sizeof(uint32_t))
        .contains(message);
  }

  MLIRContext context;
  std::string kernels;
  OwningOpRef<ModuleOp> module;
  std::string error;
};

#define CALL(KERNEL)                                                           \
  "%y = call @" KERNEL "(%x, %from, %n, %e) : (tensor<?xf32>, index, index, "  \
  "tensor<?xf32>) -> tensor<?xf32>\n"
#define CHECK                                                                  \
  "%ok = arith.cmpi ult, %from, %n : index\n"                                  \
  "cf.assert %ok, \"expected order\"\n"
} // namespace

TEST_F(ChecksTest, AProgramThatChecksTooLateIsRefused) {
  EXPECT_TRUE(succeeded(encode(CHECK CALL("copy"))));
  EXPECT_TRUE(failed(encode(CALL("copy") CHECK)));
  EXPECT_EQ(error, "expected a check before kernels whose results it does not "
                   "need, but got it behind one");
}

TEST_F(ChecksTest, AKernelInABranchIsOne) {
  EXPECT_TRUE(failed(encode(
      "%yes = arith.cmpi eq, %0, %n : index\n"
      "%y = scf.if %yes -> (tensor<?xf32>) {\n"
      "  %z = func.call @copy(%x, %from, %n, %e) : (tensor<?xf32>, index, "
      "index, tensor<?xf32>) -> tensor<?xf32>\n"
      "  scf.yield %z : tensor<?xf32>\n"
      "} else {\n  scf.yield %x : tensor<?xf32>\n}\n" CHECK)));
}

TEST_F(ChecksTest, ACheckOfAResultComesBehindItsKernel) {
  EXPECT_TRUE(succeeded(
      encode(CALL("copy") "%first = tensor.extract %y[%0] : tensor<?xf32>\n"
                          "%ok = arith.cmpf oeq, %first, %first : f32\n"
                          "cf.assert %ok, \"expected a number\"\n")));
}

TEST_F(ChecksTest, IndicesAreCheckedBeforeKernelsToo) {
  StringRef checked =
      "%c = rt.check_indices \"index\" %i of (%n) from_back : tensor<2xi64>\n"
      "%k = tensor.extract %c[%0] : tensor<2xi64>\n"
      "%ok = arith.cmpi eq, %k, %k : i64\n"
      "cf.assert %ok, \"expected itself\"\n";
  EXPECT_TRUE(succeeded(encode((checked + CALL("copy")).str())));
  EXPECT_TRUE(failed(encode((CALL("copy") + checked).str())));
}

TEST_F(ChecksTest, PartsThatAKernelTakesAreChecked) {
  auto part = encode(CALL("part"));
  ASSERT_TRUE(succeeded(part)) << error;
  EXPECT_TRUE(has(*part, "expected a part that lies within its tensor"));
  auto copy = encode(CALL("copy"));
  ASSERT_TRUE(succeeded(copy)) << error;
  EXPECT_FALSE(has(*copy, "expected a part that lies within its tensor"));
}

TEST_F(ChecksTest, BordersThatAKernelReadsAreChecked) {
  auto padded = encode(CALL("padded"));
  ASSERT_TRUE(succeeded(padded)) << error;
  EXPECT_TRUE(has(*padded, "expected a border of at least 0"));
}

TEST_F(ChecksTest, SizesThatALoopTakesToBeEqualAreChecked) {
  auto copy = encode(CALL("copy"));
  ASSERT_TRUE(succeeded(copy)) << error;
  EXPECT_TRUE(has(*copy, "expected sizes that agree"));
  // A slice has the given size, and so has the result.
  auto part = encode(CALL("part"));
  ASSERT_TRUE(succeeded(part)) << error;
  EXPECT_FALSE(has(*part, "expected sizes that agree"));
}
