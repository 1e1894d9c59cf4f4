// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the precision of float32 functions over all exponents, compared with doubles.
#include "KernelTest.h"
#include "KernelText.h"

#include "mlir/Parser/Parser.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace invar;

namespace {
/// A kernel that computes a function of as many numbers as it gets.
class Function {
public:
  Function(const std::string &body, bool isBinary, const char *cpu)
      : isBinary(isBinary), context(makeContext()) {
    KernelText k;
    k.read("x", "tensor<?xf32>")
        .read("z", "tensor<?xf32>")
        .write("y", "tensor<?xf32>");
    k.step("p", {{"x", "(i) -> (i)"}, {"z", "(i) -> (i)"}},
           {{"y", "(i) -> (i)"}}, body);
    module = parseSourceString<ModuleOp>(k.get(), context.get());
    loaded = LoadedModule::load(*module, llvm::cantFail(CpuTarget::get(cpu)));
  }

  std::vector<float> run(std::vector<float> x, std::vector<float> z) const {
    if (!isBinary)
      z = x;
    std::vector<float> y(x.size());
    void *tensors[] = {x.data(), z.data(), y.data()};
    int64_t size = x.size(), numbers[] = {size, size, size};
    InvarKernelPlan plan;
    loaded->getKernel().plan(numbers, &plan);
    loaded->getKernel().run(tensors, numbers, 0, plan.units, nullptr);
    return y;
  }

private:
  bool isBinary;
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<LoadedModule> loaded;
};
} // namespace

/// Returns the distance between `got` and `right` in units of float32, which need not be
/// an integer.
static double getError(float got, double right) {
  if (std::isnan(right) || std::isnan(got))
    return std::isnan(right) == std::isnan(got) ? 0 : 1e9;
  float rounded = static_cast<float>(right);
  if (got == rounded)
    return std::signbit(got) == std::signbit(rounded) ? 0 : 1e9;
  if (std::isinf(got) || std::isinf(rounded)) {
    // The last finite number and infinity are neighbours.
    float last = std::copysign(std::numeric_limits<float>::max(), rounded);
    return got == last || (std::isinf(got) && rounded == last) ? 1 : 1e9;
  }
  double ulp = std::ldexp(1.0, std::max(std::ilogb(right), -126) - 23);
  return std::abs(got - right) / ulp;
}

static float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Every 4099th float32 value, and those around special values.
static std::vector<float> makeArguments() {
  std::vector<float> all;
  for (uint64_t bits = 0; bits < (uint64_t(1) << 32); bits += 4099)
    all.push_back(fromBits(bits));
  for (float special :
       {0.0f, 1.0f, 0.5f, 2.0f, 88.72f, -87.33f, -103.97f, 3.92f, 9.1f,
        1.5707964f, 3.1415927f, 65536.0f, 0.70710677f, INFINITY, NAN})
    for (float sign : {1.0f, -1.0f})
      for (int step = -50; step <= 50; ++step) {
        uint32_t bits;
        float value = sign * special;
        std::memcpy(&bits, &value, sizeof(bits));
        all.push_back(fromBits(bits + step));
      }
  return all;
}

static void expectExact(const std::string &name, double (*right)(double),
                        double limit) {
  std::vector<float> x = makeArguments();
  for (const char *cpu : getTestTargets()) {
    Function function("%r = math." + name + " %x_ : f32", false, cpu);
    std::vector<float> y = function.run(x, {});
    double worst = 0;
    float worstAt = 0, worstGot = 0;
    for (size_t index = 0; index < x.size(); ++index)
      if (double error = getError(y[index], right(x[index])); error > worst) {
        worst = error;
        worstAt = x[index];
        worstGot = y[index];
      }
    EXPECT_LE(worst, limit)
        << name << " on " << cpu << " at " << worstAt << ": expected "
        << right(worstAt) << ", but got " << worstGot;
    std::printf("%-6s %s %.2f\n", name.c_str(), cpu, worst);
  }
}

TEST(Math, Exp) { expectExact("exp", std::exp, 1); }
TEST(Math, Exp2) { expectExact("exp2", std::exp2, 1); }
TEST(Math, ExpM1) { expectExact("expm1", std::expm1, 2); }
TEST(Math, Log) { expectExact("log", std::log, 1.5); }
TEST(Math, Log2) { expectExact("log2", std::log2, 2.5); }
TEST(Math, Log10) { expectExact("log10", std::log10, 2.5); }
TEST(Math, Log1p) { expectExact("log1p", std::log1p, 3); }
TEST(Math, Tanh) { expectExact("tanh", std::tanh, 5); }
TEST(Math, Erf) { expectExact("erf", std::erf, 5); }
TEST(Math, Sin) { expectExact("sin", std::sin, 2); }
TEST(Math, Cos) { expectExact("cos", std::cos, 2); }
TEST(Math, Sqrt) { expectExact("sqrt", std::sqrt, 0.5); }
// These call the C library.
TEST(Math, Atan) { expectExact("atan", std::atan, 1); }
TEST(Math, Acosh) { expectExact("acosh", std::acosh, 3); }

TEST(Math, SigmoidsEndAtOne) {
  for (const char *name : {"tanh", "erf"})
    for (const char *cpu : getTestTargets()) {
      Function function(std::string("%r = math.") + name + " %x_ : f32", false,
                        cpu);
      std::vector<float> x = {9.1f, 10, 15.5f, 100, 1e30f, INFINITY}, beyond;
      for (float bound : x) {
        beyond.push_back(bound);
        beyond.push_back(-bound);
      }
      std::vector<float> y = function.run(beyond, {});
      for (size_t i = 0; i < beyond.size(); ++i)
        EXPECT_EQ(y[i], std::copysign(1.0f, beyond[i]))
            << name << " of " << beyond[i] << " on " << cpu;
    }
}

/// A lane's result must not depend on the other lanes of its vector, which may hold any
/// value beyond the end of a tensor.
TEST(Math, LanesDoNotDependOnEachOther) {
  for (const char *name :
       {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "tanh", "erf",
        "sin", "cos", "atan", "acosh"})
    for (const char *cpu : getTestTargets()) {
      Function function(std::string("%r = math.") + name + " %x_ : f32", false,
                        cpu);
      for (float other : {INFINITY, NAN, 1e30f, -1e30f, 0.0f}) {
        std::vector<float> alone, among;
        for (int i = 0; i < 256; ++i) {
          alone.push_back(float(i) * 0.05f - 3);
          among.push_back(alone.back());
          among.push_back(other);
        }
        std::vector<float> own = function.run(alone, {}),
                           mixed = function.run(among, {});
        for (size_t i = 0; i < own.size(); ++i)
          ASSERT_TRUE(own[i] == mixed[2 * i] ||
                      (std::isnan(own[i]) && std::isnan(mixed[2 * i])))
              << name << " of " << alone[i] << " beside " << other << " on "
              << cpu << ": expected " << own[i] << ", but got " << mixed[2 * i];
      }
    }
}

TEST(Math, Pow) {
  std::vector<float> special = {
      0.0f, -0.0f,     1,        -1,      0.5f,     -0.5f,  2,      -2,
      3,    -3,        2.5f,     -2.5f,   1e10f,    -1e10f, 1e-40f, INFINITY,
      NAN,  -INFINITY, 16777215, 8388609, -8388607, 1e30f};
  std::vector<float> x, y;
  for (float base : special)
    for (float exponent : special) {
      x.push_back(base);
      y.push_back(exponent);
    }
  std::mt19937 random(1);
  std::uniform_real_distribution<float> size(-30, 30), exponent(-8, 8);
  for (int count = 0; count < 200000; ++count) {
    x.push_back(std::exp(size(random)));
    y.push_back(exponent(random));
  }
  for (const char *cpu : getTestTargets()) {
    Function function("%r = math.powf %x_, %z_ : f32", true, cpu);
    std::vector<float> got = function.run(x, y);
    for (size_t index = 0; index < x.size(); ++index)
      ASSERT_LE(
          getError(got[index], std::pow(double(x[index]), double(y[index]))), 1)
          << x[index] << " to the power of " << y[index] << " is "
          << got[index];
  }
}
