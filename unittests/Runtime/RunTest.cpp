// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Testing.h"

#include <numeric>

using namespace invar;
using namespace invar::testing;

namespace {
/// y = 2 * x, of any length.
ProgramBuilder makeTwice() {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t x = b.input("x", type), y = b.object(), n = b.number();
  b.output("y", type);
  b.node("double it");
  b.emit(INVAR_OP_SIZE, n, x, 0);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{n});
  b.emit(INVAR_OP_KERNEL, addTwiceKernel(b), List{x, y}, List{n});
  b.emit(INVAR_OP_RETURN, List{y});
  return b;
}
} // namespace

TEST(Run, CallsAKernel) {
  ProgramBuilder b = makeTwice();
  Model model(b);
  rt::Session session = model.mustLoad();
  EXPECT_EQ(session.numInputs(), 1u);
  EXPECT_STREQ(session.inputName(0), "x");
  const InvarType *type = session.inputType(0);
  EXPECT_EQ(invar_type_kind(type), INVAR_TYPE_TENSOR);
  EXPECT_EQ(invar_type_data_type(type), INVAR_FLOAT32);
  EXPECT_EQ(invar_type_rank(type), 1);
  EXPECT_EQ(invar_type_size(type, 0), -1);
  EXPECT_STREQ(invar_type_size_name(type, 0), "N");
  auto outputs = mustRun(session, {tensor<float>({3}, {1, 2, 3})});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(elementsOf<float>(outputs[0]), (std::vector<float>{2, 4, 6}));
}
