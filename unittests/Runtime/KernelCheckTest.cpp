// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the check of kernels: kernels with one error each, and the kernels that define
// the right result.
#include "Testing.h"

#include <cmath>

using namespace invar;
using namespace invar::testing;

namespace {
/// Computes elements [from, to) of `y` from `x`; both have `n` elements.
using Work = void (*)(const float *x, float *y, int64_t n, int64_t from,
                      int64_t to);

/// A kernel with the runtime's interface; a unit is an element.
template <Work work> struct Kernel {
  static void run(void *const *tensors, const int64_t *numbers, int64_t from,
                  int64_t to, void *) {
    work(static_cast<const float *>(tensors[0]),
         static_cast<float *>(tensors[1]), numbers[0], from, to);
  }
  static void plan(const int64_t *numbers, InvarKernelPlan *plan) {
    *plan = {numbers[0], 1, 0};
  }
  static InvarKernel get(const char *name) { return {&run, &plan, name}; }
};

void square(const float *x, float *y, int64_t, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; ++i)
    y[i] = x[i] * x[i];
}
void squareRounded(const float *x, float *y, int64_t, int64_t from,
                   int64_t to) {
  for (int64_t i = from; i < to; ++i)
    y[i] = std::nextafterf(x[i] * x[i], 1e30f);
}
void squareButOne(const float *x, float *y, int64_t n, int64_t from,
                  int64_t to) {
  square(x, y, n, from, to);
  if (from <= 5 && 5 < to)
    y[5] = x[4] * x[5];
}
void squareLeavingOne(const float *x, float *y, int64_t n, int64_t from,
                      int64_t to) {
  for (int64_t i = from; i < to; ++i)
    if (i != 6)
      y[i] = x[i] * x[i];
}
void squareTooFar(const float *x, float *y, int64_t n, int64_t from,
                  int64_t to) {
  square(x, y, n, from, to);
  if (to == n)
    y[n] = 0;
}
void squareReadingTooFar(const float *x, float *y, int64_t n, int64_t from,
                         int64_t to) {
  for (int64_t i = from; i < to; ++i)
    y[i] = x[i] * x[i] + (i + 1 == n ? 0 * x[n] : 0);
}
void squareOfRange(const float *x, float *y, int64_t n, int64_t from,
                   int64_t to) {
  square(x, y, n, from, to);
  if (from == 0 && to == n)
    y[0] += 1;
}
void round(const float *x, float *y, int64_t, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; ++i)
    y[i] = std::floor(x[i]);
}
void roundOtherwise(const float *x, float *y, int64_t, int64_t from,
                    int64_t to) {
  for (int64_t i = from; i < to; ++i)
    y[i] = std::floor(std::nextafterf(x[i], -1e30f));
}
void threshold(const float *x, float *y, int64_t, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; ++i)
    y[i] = x[i] > 1 ? x[i] : 0;
}
/// As if x were a sum that is computed in another order.
void thresholdOtherwise(const float *x, float *y, int64_t, int64_t from,
                        int64_t to) {
  for (int64_t i = from; i < to; ++i)
    y[i] = x[i] > 1.000001f ? x[i] : 0;
}

/// As if everything were padding: one element, whose first operand has none.
struct Border {
  static void run(void *const *tensors, const int64_t *numbers, int64_t from,
                  int64_t to, void *) {
    // Volatile, because the compiler would remove a read whose result is unused.
    float read = *static_cast<const volatile float *>(tensors[0]);
    for (int64_t i = from; i < to; ++i)
      static_cast<float *>(tensors[1])[i] = numbers[0] > 0 ? read : 3;
  }
  static void plan(const int64_t *, InvarKernelPlan *plan) {
    *plan = {1, 1, 0};
  }
};

/// Returns the error of a run of `kernel`, which `meaning` defines, and the number of
/// checked kernels.
std::pair<std::string, size_t>
check(InvarKernel kernel, InvarKernel meaning, bool isExact,
      std::vector<float> elements = {1, 2, 3, 4, 5, 6, 7}) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t x = b.input("x", type), y = b.object(), n = b.number();
  b.output("y", type);
  b.emit(INVAR_OP_SIZE, n, x, 0);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{n});
  b.emit(INVAR_OP_KERNEL, b.kernel(kernel), List{x, y}, List{n});
  b.emit(INVAR_OP_RETURN, List{y});
  Model model(b);
  InvarKernelCheck meanings[] = {{meaning, "test", 1, isExact}};
  model.module.checks = meanings;
  rt::Session session = model.mustLoad();
  auto sizes = std::vector<int64_t>{int64_t(elements.size())};
  auto outputs = session.run({tensor<float>(sizes, elements)});
  std::string text = outputs ? "" : outputs.error().text();
  EXPECT_TRUE(outputs || outputs.error().code() == INVAR_CHECK_FAILED);
  return {text, session.kernelsChecked()};
}
} // namespace

TEST(KernelCheck, AgreesBitForBit) {
  auto [text, checked] =
      check(Kernel<square>::get("k"), Kernel<square>::get("k"), true);
  EXPECT_EQ(text, "");
  EXPECT_EQ(checked, 1u);
}

TEST(KernelCheck, ALastDigitMattersWhereNoSumIsReordered) {
  InvarKernel kernel = Kernel<squareRounded>::get("k"),
              meaning = Kernel<square>::get("k");
  EXPECT_NE(check(kernel, meaning, true)
                .first.find("kernel 'k' (test): expected 1 for element 0 of "
                            "tensor(float)[7], but got 1.00000012"),
            std::string::npos);
  EXPECT_EQ(check(kernel, meaning, false).first, "");
}

TEST(KernelCheck, FindsAWrongElement) {
  for (bool isExact : {true, false}) {
    auto [text, checked] = check(Kernel<squareButOne>::get("k"),
                                 Kernel<square>::get("k"), isExact);
    EXPECT_NE(text.find("expected 36 for element 5"), std::string::npos)
        << text;
    EXPECT_EQ(checked, 0u);
  }
}

TEST(KernelCheck, FindsAnElementThatIsNotWritten) {
  EXPECT_NE(
      check(Kernel<squareLeavingOne>::get("k"), Kernel<square>::get("k"), false)
          .first.find("expected 49 for element 6"),
      std::string::npos);
}

TEST(KernelCheck, FindsWhatDependsOnHowWorkIsDivided) {
  EXPECT_NE(
      check(Kernel<squareOfRange>::get("k"), Kernel<square>::get("k"), true)
          .first.find("when work was divided and placed as in the run"),
      std::string::npos);
}

TEST(KernelCheck, ToleratesWhatRoundingOfOperandsExplains) {
  // Where floor() jumps, the last digit of its operand decides.
  InvarKernel kernel = Kernel<roundOtherwise>::get("k"),
              meaning = Kernel<round>::get("k");
  EXPECT_EQ(check(kernel, meaning, false).first, "");
  EXPECT_NE(check(kernel, meaning, true).first, "");
  EXPECT_NE(check(kernel, Kernel<square>::get("k"), false).first, "");
}

TEST(KernelCheck, AnElementNextToAJumpMayBeOnEitherSide) {
  InvarKernel kernel = Kernel<thresholdOtherwise>::get("k"),
              meaning = Kernel<threshold>::get("k");
  for (size_t place = 0; place < 7; ++place) {
    std::vector<float> elements(7, 3);
    elements[place] = 1.0000005f;
    EXPECT_EQ(check(kernel, meaning, false, elements).first, "") << place;
    elements[place] = 1.5f; // not near a jump
    EXPECT_NE(check(Kernel<round>::get("k"), meaning, false, elements).first,
              "");
  }
}

TEST(KernelCheck, NumbersWithoutDigitsMayGetLost) {
  InvarKernel kernel = Kernel<round>::get("k"),
              meaning = Kernel<square>::get("k");
  std::vector<float> tiny = {1e-22f, 0};
  EXPECT_EQ(check(kernel, meaning, false, tiny).first, "");
  EXPECT_NE(check(kernel, meaning, true, tiny).first, "");
}

TEST(KernelCheck, ReadsOfNothingAreHarmless) {
  ProgramBuilder b;
  uint32_t x = b.input("x", b.tensor(INVAR_FLOAT32, {"N"})), y = b.object();
  uint32_t n = b.number(), one = b.immediate(int64_t(1));
  b.output("y", b.tensor(INVAR_FLOAT32, {1}));
  b.emit(INVAR_OP_SIZE, n, x, 0);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{one});
  InvarKernel border = {&Border::run, &Border::plan, "border"};
  b.emit(INVAR_OP_KERNEL, b.kernel(border), List{x, y}, List{n});
  b.emit(INVAR_OP_RETURN, List{y});
  for (bool isChecked : {false, true}) {
    Model model(b);
    InvarKernelCheck meanings[] = {{border, "test", 1, 1}};
    model.module.checks = isChecked ? meanings : nullptr;
    rt::Session session = model.mustLoad();
    // The caller's memory is empty.
    rt::Value empty = rt::Value::borrow<float>(nullptr, {0});
    ASSERT_TRUE(empty);
    auto outputs = session.run({empty});
    ASSERT_TRUE(outputs) << outputs.error().text();
    EXPECT_EQ((*outputs)[0].data<float>()[0], 3);
  }
}

// A sanitizer would report such an access itself.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INVAR_SANITIZED 1
#endif
#endif
#ifndef INVAR_SANITIZED
TEST(KernelCheck, FindsAccessesBeyondTensors) {
  for (const InvarKernel &kernel :
       {Kernel<squareTooFar>::get("k"), Kernel<squareReadingTooFar>::get("k")})
    EXPECT_NE(check(kernel, Kernel<square>::get("k"), true)
                  .first.find("expected it to stay within its tensors"),
              std::string::npos);
}
#endif
