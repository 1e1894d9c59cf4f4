// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Testing.h"

using namespace invar;
using namespace invar::testing;

namespace {
std::string whyNoTensor(InvarDataType type, const std::vector<int64_t> &sizes) {
  auto value = rt::Value::create(type, sizes);
  return value ? "" : value.error().text();
}
} // namespace

TEST(Value, KnowsTheDataTypesOfONNX) {
  EXPECT_STREQ(invar_data_type_name(INVAR_FLOAT32), "float");
  EXPECT_STREQ(invar_data_type_name(INVAR_FLOAT6E3M2), "float6e3m2");
  EXPECT_EQ(invar_data_type_name(InvarDataType(0)), nullptr);
  EXPECT_EQ(invar_data_type_name(InvarDataType(29)), nullptr);
  EXPECT_EQ(invar_data_type_size(INVAR_INT4), 1u);
  EXPECT_EQ(invar_data_type_size(INVAR_COMPLEX128), 16u);
  EXPECT_EQ(invar_data_type_size(INVAR_STRING), sizeof(InvarString));
  EXPECT_EQ(invar_data_type_size(InvarDataType(31)), 0u);
}

TEST(Value, HasMemoryOfItsOwn) {
  rt::Value value = tensor<int32_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(value.kind(), INVAR_TYPE_TENSOR);
  EXPECT_EQ(value.sizes(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(invar_tensor_bytes(value.get()), 24u);
  EXPECT_EQ(size_t(value.data<char>()) % 64, 0u);
  rt::Value same = value;
  same.data<int32_t>()[5] = 7;
  EXPECT_EQ(elementsOf<int32_t>(value).back(), 7);
  // A tensor without axes has one element, one with a size of 0 has none.
  EXPECT_EQ(tensor<float>({}, {1}).count(), 1);
  EXPECT_EQ(tensor<float>({INT64_MAX, 0, INT64_MAX}, {}).count(), 0);
}

TEST(Value, RefusesWhatCannotBe) {
  EXPECT_EQ(whyNoTensor(INVAR_FLOAT32, {2, -1}),
            "expected sizes of at least 0, but got tensor(float)[2,-1]");
  EXPECT_EQ(whyNoTensor(INVAR_FLOAT32, {INT64_MAX, 2}),
            "expected less than 2^63 bytes, but got "
            "tensor(float)[9223372036854775807,2]");
  EXPECT_EQ(whyNoTensor(INVAR_FLOAT64, {int64_t(1) << 60}),
            "expected less than 2^63 bytes, but got "
            "tensor(double)[1152921504606846976]");
  EXPECT_EQ(whyNoTensor(InvarDataType(30), {}),
            "expected a data type of ONNX, but got 30");
  EXPECT_EQ(whyNoTensor(INVAR_INT8, std::vector<int64_t>(65, 1)),
            "expected at most 64 axes, but got 65");
  EXPECT_EQ(whyNoTensor(INVAR_UINT8, {int64_t(1) << 61}),
            "expected 2305843009213693952 bytes of memory for "
            "tensor(uint8)[2305843009213693952], but there are not as many");
}

TEST(Value, BorrowsAndLetsGo) {
  std::vector<float> numbers = {1, 2, 3, 4};
  int released = 0;
  auto release = [](void *context) { ++*static_cast<int *>(context); };
  int64_t sizes[] = {2, 2};
  InvarValue *value = nullptr;
  ASSERT_EQ(invar_tensor_borrow(INVAR_FLOAT32, sizes, 2, numbers.data(),
                                release, &released, &value),
            nullptr);
  EXPECT_EQ(invar_tensor_data(value), numbers.data());
  invar_value_retain(value);
  invar_value_release(value);
  EXPECT_EQ(released, 0);
  invar_value_release(value);
  EXPECT_EQ(released, 1);

  rt::Error error{invar_tensor_borrow(
      INVAR_FLOAT32, sizes, 2, reinterpret_cast<char *>(numbers.data()) + 1,
      release, &released, &value)};
  EXPECT_STREQ(error.text(), "expected elements aligned to 4 bytes, but got an "
                             "address that is 1 behind");
  EXPECT_EQ(error.code(), INVAR_BAD_ARGUMENT);
  EXPECT_EQ(released, 1);
}

TEST(Value, OwnsItsStrings) {
  std::string big(5000, 'x');
  rt::Value value = strings({3}, {"a", big, std::string("b\0c", 3)});
  EXPECT_EQ(stringsOf(value),
            (std::vector<std::string>{"a", big, std::string("b\0c", 3)}));
  EXPECT_EQ(invar_tensor_set_string(value.get(), 0, "changed", 7), nullptr);
  EXPECT_EQ(stringsOf(value)[0], "changed");
  EXPECT_EQ(stringsOf(strings({2}, {"only the first"}))[1], "");
  rt::Error error{invar_tensor_set_string(value.get(), 3, "", 0)};
  EXPECT_STREQ(error.text(), "expected an index below 3, but got 3");
  rt::Value numbers = tensor<float>({1}, {0});
  error = rt::Error(invar_tensor_set_string(numbers.get(), 0, "", 0));
  EXPECT_STREQ(error.text(), "expected a tensor of strings with memory of its "
                             "own, but got tensor(float)[1]");
}

TEST(Value, HoldsOthers) {
  rt::Value one = tensor<float>({1}, {1}), two = tensor<float>({}, {2});
  rt::Value list, maybe, nothing;
  ASSERT_FALSE(rt::Value::sequence({one, two, one}).moveInto(list));
  ASSERT_FALSE(rt::Value::optional(list).moveInto(maybe));
  ASSERT_FALSE(rt::Value::optional(rt::Value()).moveInto(nothing));
  EXPECT_EQ(maybe.kind(), INVAR_TYPE_OPTIONAL);
  EXPECT_FALSE(nothing.element());
  list = rt::Value();
  EXPECT_EQ(maybe.element().size(), 3u);
  EXPECT_EQ(maybe.element()[1].get(), two.get());
  InvarValue *null = nullptr, *made = nullptr;
  rt::Error error{invar_sequence_create(&null, 1, &made)};
  EXPECT_STREQ(error.text(), "expected values, but got a null pointer");
}

TEST(Value, NestsOnlySoDeep) {
  rt::Value value = tensor<float>({}, {1});
  for (int depth = 0; depth < 16; ++depth)
    ASSERT_FALSE(rt::Value::optional(value).moveInto(value)) << depth;
  auto deeper = rt::Value::optional(value);
  EXPECT_EQ(std::string(deeper.error().text())
                .find("expected sequences and optionals to be nested at most "
                      "16 deep, but got optional("),
            0u);
}
