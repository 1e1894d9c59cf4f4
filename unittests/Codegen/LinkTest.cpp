// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Codegen/Link.h"
#include "invar/Stop/Scope.h"

#include <gtest/gtest.h>

using namespace invar;

/// lld ends the process if it does not like an object, so it must not see an unfinished
/// one.
TEST(Link, CanBeStoppedAnywhere) {
  KernelVariant none = {llvm::cantFail(CpuTarget::get("x86-64-v2")), {}};
  bool isStopped = true;
  for (int left = 1; isStopped; ++left) {
    int rest = left;
    Stop stop(
        {.ask = [](void *rest) { return --*static_cast<int *>(rest) == 0; },
         .context = &rest,
         .askInterval = std::chrono::nanoseconds(0)});
    StopScope scope(&stop);
    auto library = linkModule(none, {{}, "test"});
    isStopped = stop.isStopped();
    if (!library)
      EXPECT_EQ(llvm::toString(library.takeError()), stop.explain());
    else
      EXPECT_GT((*library)->getBufferSize(), 0u);
    ASSERT_LT(left, 10000);
  }
}
