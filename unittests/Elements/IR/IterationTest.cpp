// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that a lazy constant is an ElementsAttr: MLIR's code reads it like a dense one.
#include "../Testing.h"
#include "Samples.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace invar;
using namespace invar::elements;
using namespace invar::testing;

namespace {
class IterationTest : public ::testing::TestWithParam<DataType> {
protected:
  IterationTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<ElementsDialect>();
    samples = makeSamples(context, GetParam());
  }

  /// Expects that both yield the same values of C++ type T, or that both yield none.
  template <typename T> void expectSame(const Sample &sample) {
    auto lazy =
        cast<ElementsAttr>(LazyElementsAttr::get(&context, sample.content));
    auto ours = lazy.tryGetValues<T>();
    auto theirs = cast<ElementsAttr>(sample.dense).tryGetValues<T>();
    ASSERT_EQ(bool(ours), bool(theirs));
    if (!ours)
      return;
    ASSERT_EQ(ours->size(), theirs->size());
    auto other = theirs->begin();
    for (T value : *ours)
      EXPECT_TRUE(isSame(value, *other++));
  }
  template <typename T> static bool isSame(const T &a, const T &b) {
    return a == b;
  }
  static bool isSame(const APFloat &a, const APFloat &b) {
    return a.bitwiseIsEqual(b);
  }
  static bool isSame(const std::complex<APFloat> &a,
                     const std::complex<APFloat> &b) {
    return isSame(a.real(), b.real()) && isSame(a.imag(), b.imag());
  }

  MLIRContext context;
  std::vector<Sample> samples;
};

TEST_P(IterationTest, ValuesAsMLIRHasThem) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    expectSame<Attribute>(sample);
    expectSame<APInt>(sample);
    expectSame<APFloat>(sample);
    expectSame<std::complex<APFloat>>(sample);
    expectSame<StringRef>(sample);
  }
}

TEST_P(IterationTest, ValuesAsLanes) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    auto lazy =
        cast<ElementsAttr>(LazyElementsAttr::get(&context, sample.content));
    dispatch(GetParam(), [&](auto tag) {
      using Lane = typename decltype(tag)::Lane;
      auto values = lazy.tryGetValues<Lane>();
      ASSERT_TRUE(values);
      int64_t index = 0;
      for (Lane lane : *values) {
        Lane expected = sample.content.at<Lane>(index++);
        EXPECT_TRUE(isSameLane(GetParam(),
                               reinterpret_cast<const uint8_t *>(&lane),
                               reinterpret_cast<const uint8_t *>(&expected)));
      }
      EXPECT_EQ(index, sample.content.numElements());
    });
  }
}

// An element is read as its own type, never converted.
TEST_P(IterationTest, NoOtherType) {
  auto lazy = cast<ElementsAttr>(
      LazyElementsAttr::get(&context, samples.front().content));
  auto gives = [&](auto sample) {
    using T = decltype(sample);
    return bool(lazy.tryGetValues<T>()) == hasLane<T>(GetParam());
  };
  EXPECT_TRUE(gives(float()));
  EXPECT_TRUE(gives(double()));
  EXPECT_TRUE(gives(bool()));
  EXPECT_TRUE(gives(int8_t()));
  EXPECT_TRUE(gives(int64_t()));
  EXPECT_TRUE(gives(uint64_t()));
  EXPECT_TRUE(gives(std::complex<float>()));
  EXPECT_TRUE(gives(StringRef()));
  EXPECT_TRUE(gives(invar::Float16()));
  EXPECT_FALSE(lazy.tryGetValues<char *>());
}

TEST_P(IterationTest, Interfaces) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    Attribute attribute = LazyElementsAttr::get(&context, sample.content);
    auto typed = dyn_cast<TypedAttr>(attribute);
    ASSERT_TRUE(typed);
    EXPECT_EQ(typed.getType(), sample.dense.getType());
    auto values = dyn_cast<ElementsAttr>(attribute);
    ASSERT_TRUE(values);
    EXPECT_EQ(TypedAttr(values).getType(), sample.dense.getType());
    EXPECT_EQ(values.getShapedType(), sample.dense.getType());
    EXPECT_EQ(values.getNumElements(), sample.dense.getNumElements());
    // isSplat() need not detect splats that only a scan of all elements would find.
    if (values.isSplat())
      EXPECT_TRUE(sample.dense.isSplat());
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, IterationTest,
                         ::testing::ValuesIn(allDataTypes),
                         [](const ::testing::TestParamInfo<DataType> &info) {
                           return getName(info.param).str();
                         });

TEST(Identity, IsNotContent) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  float numbers[] = {1, 2};
  Elements content =
      get(ElementsBuilder().fromArray<DataType::Float32>({2}, numbers));
  auto first = LazyElementsAttr::get(&context, content);
  auto second = LazyElementsAttr::get(&context, content);
  EXPECT_NE(first, second);
  LazyElementsAttr copy = first;
  EXPECT_EQ(first, copy);
  EXPECT_EQ(toDense(first), toDense(second));
}

TEST(Identity, SurvivesCloning) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  Elements content =
      get(ElementsBuilder().fromArray<DataType::Int64>({}, int64_t(7)));
  auto attribute = LazyElementsAttr::get(&context, content);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  (*module)->setAttr("test.value", attribute);
  OwningOpRef<ModuleOp> copy = module->clone();
  EXPECT_EQ((*copy)->getAttr("test.value"), attribute);
}
} // namespace
