// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stops simplification at many places: each rule, and inference between rules, must
// leave a graph that can be released.
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "invar/Simplify/Simplify.h"
#include "invar/Stop/Scope.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <filesystem>

using namespace mlir;
using namespace invar;

namespace {
/// Stops work in a given poll.
struct Countdown {
  int64_t polls = 0, last = -1;

  StopConditions getConditions() {
    return {.ask =
                [](void *countdown) {
                  auto &self = *static_cast<Countdown *>(countdown);
                  return ++self.polls == self.last;
                },
            .context = this,
            .askInterval = std::chrono::nanoseconds(0)};
  }
};
} // namespace

/// Simplifies a graph, and stops in the given poll. Returns the number of polls.
static int64_t simplifyUntil(int64_t last, StringRef text, bool &isStopped) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<onnx::ONNXDialect, elements::ElementsDialect,
                      func::FuncDialect>();
  ScopedDiagnosticHandler ignore(&context, [](Diagnostic &) {});
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return 0; // A test of an error.
  Countdown countdown = {.last = last};
  Stop stop(countdown.getConditions());
  StopScope scope(&stop);
  (void)simplify(*module, {}, SimplifyOptions());
  isStopped = stop.isStopped();
  return countdown.polls;
}

/// The graphs of a test file.
static SmallVector<StringRef> getGraphs(StringRef text) {
  SmallVector<StringRef> graphs;
  text.split(graphs, "// -----");
  return graphs;
}

TEST(Stop, SimplifyCanBeStoppedAnywhere) {
  // The tests of rules contain graphs for each of them.
  constexpr int64_t placesInGraph = 40;
  int64_t numGraphs = 0, numStops = 0;
  for (auto &entry : std::filesystem::directory_iterator(TEST_FOLDER)) {
    if (entry.path().extension() != ".mlir")
      continue;
    auto file = llvm::MemoryBuffer::getFile(entry.path().string());
    ASSERT_TRUE(file) << entry.path();
    for (StringRef text : getGraphs((*file)->getBuffer())) {
      bool isStopped = false;
      int64_t polls = simplifyUntil(-1, text, isStopped);
      EXPECT_FALSE(isStopped);
      numGraphs += polls != 0;
      int64_t step = std::max<int64_t>(1, polls / placesInGraph);
      for (int64_t last = 1; last <= polls; last += step, ++numStops) {
        SCOPED_TRACE(entry.path().string());
        simplifyUntil(last, text, isStopped);
        EXPECT_TRUE(isStopped);
      }
    }
  }
  std::printf("%d graphs, stopped %d times\n", int(numGraphs), int(numStops));
  EXPECT_GT(numGraphs, 20);
}
