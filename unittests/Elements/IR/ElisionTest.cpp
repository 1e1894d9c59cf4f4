// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests MLIR's options for printing constants. These options are global to the process.
#include "../Testing.h"
#include "Samples.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace invar;
using namespace invar::elements;
using namespace invar::testing;

namespace {
class ElisionTest : public ::testing::Test {
protected:
  ElisionTest() : context(MLIRContext::Threading::DISABLED) {
    registerAsmPrinterCLOptions();
  }
  ~ElisionTest() override { llvm::cl::ResetAllOptionOccurrences(); }

  void setOption(const char *option) {
    llvm::cl::ResetAllOptionOccurrences();
    const char *arguments[] = {"test", option};
    llvm::cl::ParseCommandLineOptions(2, arguments);
  }

  void expectSame(const Elements &content) {
    EXPECT_EQ(print(LazyElementsAttr::get(&context, content)),
              printWrapped(makeDense(context, content)));
  }

  MLIRContext context;
  std::mt19937_64 random{1};
};

TEST_F(ElisionTest, PastALimit) {
  setOption("--mlir-elide-elementsattrs-if-larger=4");
  for (DataType type : allDataTypes) {
    SCOPED_TRACE(getName(type).str());
    expectSame(makeStored(type, {4}, random));
    expectSame(makeStored(type, {5}, random));
    Elements five = makeLazy(makeStored(type, {5}, random));
    EXPECT_TRUE(
        StringRef(print(LazyElementsAttr::get(&context, five)))
            .starts_with("#elements.lazy<dense_resource<__elided__>> : "));
    // A splat is short, whatever its size.
    expectSame(
        get(ElementsBuilder().expand(makeStored(type, {}, random), {9})));
  }
}

TEST_F(ElisionTest, HexadecimalPastALimit) {
  setOption("--mlir-print-elementsattrs-with-hex-if-larger=3");
  for (DataType type : allDataTypes) {
    SCOPED_TRACE(getName(type).str());
    expectSame(makeStored(type, {3}, random));
    expectSame(makeLazy(makeStored(type, {2, 2}, random)));
  }
  setOption("--mlir-print-elementsattrs-with-hex-if-larger=-1");
  for (DataType type : allDataTypes) {
    SCOPED_TRACE(getName(type).str());
    expectSame(makeStored(type, {200}, random));
  }
}
} // namespace
