// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests instructions on numbers: each runs on pairs of numbers and is compared with its
// definition.
#include "Testing.h"

#include <cmath>
#include <limits>

using namespace invar;
using namespace invar::testing;

namespace {
constexpr int64_t lowest = INT64_MIN, highest = INT64_MAX;
constexpr double infinity = std::numeric_limits<double>::infinity();

int64_t bitsOf(double number) {
  int64_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

/// Runs code that leaves a number in a register, and returns that number.
template <typename Emit> int64_t compute(Emit emit) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_INT64, {});
  uint32_t result = b.object();
  b.output("y", type);
  uint32_t number = emit(b);
  b.emit(INVAR_OP_ALLOCATE, result, INVAR_INT64, List{});
  b.emit(INVAR_OP_STORE, result, b.immediate(int64_t(0)), number);
  b.emit(INVAR_OP_RETURN, List{result});
  Model model(b);
  return *mustRun(model.mustLoad(), {})[0].data<int64_t>();
}

int64_t compute(InvarOpcode opcode, std::vector<int64_t> operands) {
  return compute([&](ProgramBuilder &b) {
    List registers;
    for (int64_t operand : operands)
      registers.push_back(b.immediate(operand));
    uint32_t result = b.number();
    b.code.insert(b.code.end(), {uint32_t(opcode), result});
    b.code.insert(b.code.end(), registers.begin(), registers.end());
    return result;
  });
}

int64_t computeWithWord(InvarOpcode opcode, int64_t operand, uint32_t word) {
  return compute([&](ProgramBuilder &b) {
    uint32_t from = b.immediate(operand), result = b.number();
    b.emit(opcode, result, from, word);
    return result;
  });
}

double computeFloat(InvarOpcode opcode, std::vector<double> operands) {
  std::vector<int64_t> bits;
  for (double operand : operands)
    bits.push_back(bitsOf(operand));
  int64_t result = compute(opcode, bits);
  double number;
  std::memcpy(&number, &result, sizeof(number));
  return number;
}
} // namespace

TEST(Numbers, AddSubtractAndMultiplyWrap) {
  EXPECT_EQ(compute(INVAR_OP_ADD, {highest, 1}), lowest);
  EXPECT_EQ(compute(INVAR_OP_SUB, {lowest, 1}), highest);
  EXPECT_EQ(compute(INVAR_OP_MUL, {int64_t(1) << 62, 6}), lowest);
  EXPECT_EQ(compute(INVAR_OP_MUL, {-3, 5}), -15);
  EXPECT_EQ(compute(INVAR_OP_COPY_NUMBER, {-3}), -3);
}

TEST(Numbers, SizesAndPlacesSaturate) {
  EXPECT_EQ(compute(INVAR_OP_ADD_SATURATED, {2, -5}), -3);
  EXPECT_EQ(compute(INVAR_OP_ADD_SATURATED, {highest, 1}), highest);
  EXPECT_EQ(compute(INVAR_OP_ADD_SATURATED, {highest, lowest}), -1);
  EXPECT_EQ(compute(INVAR_OP_ADD_SATURATED, {lowest, lowest}), lowest);
  EXPECT_EQ(compute(INVAR_OP_SUB_SATURATED, {2, 5}), -3);
  EXPECT_EQ(compute(INVAR_OP_SUB_SATURATED, {0, lowest}), highest);
  EXPECT_EQ(compute(INVAR_OP_SUB_SATURATED, {-2, highest}), lowest);
  EXPECT_EQ(compute(INVAR_OP_SUB_SATURATED, {lowest, lowest}), 0);
  EXPECT_EQ(compute(INVAR_OP_MUL_SATURATED, {-3, 5}), -15);
  EXPECT_EQ(compute(INVAR_OP_MUL_SATURATED, {int64_t(1) << 62, 6}), highest);
  EXPECT_EQ(compute(INVAR_OP_MUL_SATURATED, {-6, int64_t(1) << 62}), lowest);
  EXPECT_EQ(compute(INVAR_OP_MUL_SATURATED, {lowest, -1}), highest);
  EXPECT_EQ(compute(INVAR_OP_MUL_SATURATED, {lowest, 0}), 0);
}

TEST(Numbers, DivisionNeverTraps) {
  for (InvarOpcode opcode :
       {INVAR_OP_DIV, INVAR_OP_DIV_UNSIGNED, INVAR_OP_FLOOR_DIV,
        INVAR_OP_CEIL_DIV, INVAR_OP_REM, INVAR_OP_REM_UNSIGNED})
    EXPECT_EQ(compute(opcode, {7, 0}), 0);
  for (InvarOpcode opcode :
       {INVAR_OP_DIV, INVAR_OP_FLOOR_DIV, INVAR_OP_CEIL_DIV})
    EXPECT_EQ(compute(opcode, {lowest, -1}), lowest);
  EXPECT_EQ(compute(INVAR_OP_REM, {lowest, -1}), 0);
}

TEST(Numbers, DivisionsRoundAsTheyAreCalled) {
  struct Case {
    int64_t a, b, truncated, floor, ceil, remainder;
  };
  for (auto [a, b, truncated, floor, ceil, remainder] :
       {Case{7, 2, 3, 3, 4, 1}, Case{-7, 2, -3, -4, -3, -1},
        Case{7, -2, -3, -4, -3, 1}, Case{-7, -2, 3, 3, 4, -1},
        Case{6, 2, 3, 3, 3, 0}, Case{-6, 2, -3, -3, -3, 0},
        Case{0, 5, 0, 0, 0, 0}}) {
    EXPECT_EQ(compute(INVAR_OP_DIV, {a, b}), truncated);
    EXPECT_EQ(compute(INVAR_OP_FLOOR_DIV, {a, b}), floor);
    EXPECT_EQ(compute(INVAR_OP_CEIL_DIV, {a, b}), ceil);
    EXPECT_EQ(compute(INVAR_OP_REM, {a, b}), remainder);
  }
  EXPECT_EQ(compute(INVAR_OP_DIV_UNSIGNED, {-1, 2}), highest);
  EXPECT_EQ(compute(INVAR_OP_REM_UNSIGNED, {-1, 10}), 5);
}

TEST(Numbers, BitsAndShifts) {
  EXPECT_EQ(compute(INVAR_OP_AND, {12, 10}), 8);
  EXPECT_EQ(compute(INVAR_OP_OR, {12, 10}), 14);
  EXPECT_EQ(compute(INVAR_OP_XOR, {12, 10}), 6);
  EXPECT_EQ(compute(INVAR_OP_SHIFT_LEFT, {1, 63}), lowest);
  EXPECT_EQ(compute(INVAR_OP_SHIFT_LEFT, {1, 64}), 0);
  EXPECT_EQ(compute(INVAR_OP_SHIFT_LEFT, {1, -1}), 0);
  EXPECT_EQ(compute(INVAR_OP_SHIFT_RIGHT, {-8, 1}), -4);
  EXPECT_EQ(compute(INVAR_OP_SHIFT_RIGHT, {-8, 64}), -1);
  EXPECT_EQ(compute(INVAR_OP_SHIFT_RIGHT, {8, 1000}), 0);
  EXPECT_EQ(compute(INVAR_OP_SHIFT_RIGHT_UNSIGNED, {-1, 60}), 15);
  EXPECT_EQ(compute(INVAR_OP_SHIFT_RIGHT_UNSIGNED, {-1, 64}), 0);
  EXPECT_EQ(computeWithWord(INVAR_OP_SIGN_EXTEND, 0x1ff, 8), -1);
  EXPECT_EQ(computeWithWord(INVAR_OP_SIGN_EXTEND, 0x7f, 8), 127);
  EXPECT_EQ(computeWithWord(INVAR_OP_SIGN_EXTEND, 3, 1), -1);
  EXPECT_EQ(computeWithWord(INVAR_OP_SIGN_EXTEND, lowest, 64), lowest);
  EXPECT_EQ(computeWithWord(INVAR_OP_ZERO_EXTEND, -1, 8), 255);
  EXPECT_EQ(computeWithWord(INVAR_OP_ZERO_EXTEND, -1, 64), -1);
}

TEST(Numbers, Comparisons) {
  EXPECT_EQ(compute(INVAR_OP_MIN, {-1, 1}), -1);
  EXPECT_EQ(compute(INVAR_OP_MAX, {-1, 1}), 1);
  EXPECT_EQ(compute(INVAR_OP_MIN_UNSIGNED, {-1, 1}), 1);
  EXPECT_EQ(compute(INVAR_OP_MAX_UNSIGNED, {-1, 1}), -1);
  EXPECT_EQ(compute(INVAR_OP_EQUAL, {5, 5}), 1);
  EXPECT_EQ(compute(INVAR_OP_NOT_EQUAL, {5, 5}), 0);
  EXPECT_EQ(compute(INVAR_OP_LESS, {-1, 1}), 1);
  EXPECT_EQ(compute(INVAR_OP_LESS, {1, 1}), 0);
  EXPECT_EQ(compute(INVAR_OP_LESS_EQUAL, {1, 1}), 1);
  EXPECT_EQ(compute(INVAR_OP_LESS_UNSIGNED, {-1, 1}), 0);
  EXPECT_EQ(compute(INVAR_OP_LESS_EQUAL_UNSIGNED, {-1, -1}), 1);
  EXPECT_EQ(compute(INVAR_OP_SELECT, {2, 10, 20}), 10);
  EXPECT_EQ(compute(INVAR_OP_SELECT, {0, 10, 20}), 20);
}

TEST(Numbers, Floats) {
  EXPECT_EQ(computeFloat(INVAR_OP_FLOAT_ADD, {0.5, 0.25}), 0.75);
  EXPECT_EQ(computeFloat(INVAR_OP_FLOAT_SUB, {0.5, 0.25}), 0.25);
  EXPECT_EQ(computeFloat(INVAR_OP_FLOAT_MUL, {0.5, -3}), -1.5);
  EXPECT_EQ(computeFloat(INVAR_OP_FLOAT_DIV, {1, 0}), infinity);
  EXPECT_EQ(computeFloat(INVAR_OP_FLOAT_FLOOR, {-0.5}), -1);
  EXPECT_EQ(computeFloat(INVAR_OP_FLOAT_CEIL, {0.5}), 1);
  EXPECT_EQ(computeFloat(INVAR_OP_FLOAT_ROUND_TO_SINGLE, {0.1}), double(0.1f));
  double nan = std::nan("");
  EXPECT_EQ(compute(INVAR_OP_FLOAT_EQUAL, {bitsOf(nan), bitsOf(nan)}), 0);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_EQUAL, {bitsOf(0.0), bitsOf(-0.0)}), 1);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_LESS, {bitsOf(1), bitsOf(2)}), 1);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_LESS, {bitsOf(nan), bitsOf(2)}), 0);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_LESS_EQUAL, {bitsOf(2), bitsOf(2)}), 1);
}

TEST(Numbers, FloatsBecomeIntegersWithoutATrap) {
  EXPECT_EQ(compute(INVAR_OP_INT_TO_FLOAT, {-3}), bitsOf(-3.0));
  EXPECT_EQ(compute(INVAR_OP_FLOAT_TO_INT, {bitsOf(-2.9)}), -2);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_TO_INT, {bitsOf(1e300)}), highest);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_TO_INT, {bitsOf(-1e300)}), lowest);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_TO_INT, {bitsOf(0x1p63)}), highest);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_TO_INT, {bitsOf(-0x1p63)}), lowest);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_TO_INT, {bitsOf(infinity)}), highest);
  EXPECT_EQ(compute(INVAR_OP_FLOAT_TO_INT, {bitsOf(std::nan(""))}), 0);
}

namespace {
/// Returns the result of LOAD after STORE of a number in a tensor of a type.
int64_t throughElement(InvarDataType type, int64_t number) {
  return compute([&](ProgramBuilder &b) {
    uint32_t tensor = b.object(), result = b.number();
    uint32_t size = b.immediate(int64_t(3)), index = b.immediate(int64_t(2));
    b.emit(INVAR_OP_ALLOCATE, tensor, type, List{size});
    b.emit(INVAR_OP_STORE, tensor, index, b.immediate(number));
    b.emit(INVAR_OP_LOAD, result, tensor, index);
    b.emit(INVAR_OP_DROP, tensor);
    return result;
  });
}
} // namespace

TEST(Numbers, ElementsAreExtendedByTheirSignOrZeros) {
  EXPECT_EQ(throughElement(INVAR_INT8, 0x1ff), -1);
  EXPECT_EQ(throughElement(INVAR_UINT8, 0x1ff), 255);
  EXPECT_EQ(throughElement(INVAR_INT16, 0x18000), -32768);
  EXPECT_EQ(throughElement(INVAR_UINT16, -1), 65535);
  EXPECT_EQ(throughElement(INVAR_INT32, int64_t(1) << 31), INT32_MIN);
  EXPECT_EQ(throughElement(INVAR_UINT32, -1), UINT32_MAX);
  EXPECT_EQ(throughElement(INVAR_INT64, lowest), lowest);
  EXPECT_EQ(throughElement(INVAR_UINT64, -1), -1);
  EXPECT_EQ(throughElement(INVAR_INT4, 15), -1);
  EXPECT_EQ(throughElement(INVAR_UINT4, -1), 15);
  EXPECT_EQ(throughElement(INVAR_INT2, 2), -2);
  EXPECT_EQ(throughElement(INVAR_UINT2, 7), 3);
  EXPECT_EQ(throughElement(INVAR_BOOL, 256), 1);
  EXPECT_EQ(throughElement(INVAR_BOOL, 0), 0);
}

TEST(Numbers, ElementsThatAreFloatsRoundOnce) {
  EXPECT_EQ(throughElement(INVAR_FLOAT64, bitsOf(0.1)), bitsOf(0.1));
  EXPECT_EQ(throughElement(INVAR_FLOAT32, bitsOf(0.1)), bitsOf(double(0.1f)));
  EXPECT_EQ(throughElement(INVAR_FLOAT16, bitsOf(65520)), bitsOf(infinity));
  EXPECT_EQ(throughElement(INVAR_FLOAT16, bitsOf(65519)), bitsOf(65504));
  // Just above the midpoint between 1 and the next half: rounding to float32 first would
  // round down.
  EXPECT_EQ(throughElement(INVAR_FLOAT16, bitsOf(1 + 0x1p-11 + 0x1p-40)),
            bitsOf(1 + 0x1p-10));
  EXPECT_EQ(throughElement(INVAR_BFLOAT16, bitsOf(1 + 0x1p-8 + 0x1p-40)),
            bitsOf(1 + 0x1p-7));
}
