// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/MatMul.h"

#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

using namespace invar::kernels;

namespace {

/// Numbers small enough that their products and sums are exact.
template <typename T>
std::vector<T> randomNumbers(int64_t count, std::mt19937 &random) {
  std::vector<T> numbers(static_cast<size_t>(count));
  for (T &number : numbers)
    number = T(int64_t(random() % 199) - 99);
  return numbers;
}

template <typename T>
T multiplyRow(MatrixRef<const T> a, MatrixRef<const T> b, int64_t row,
              int64_t column) {
  using Sum = std::conditional_t<std::is_floating_point_v<T>, double, uint64_t>;
  Sum sum = 0;
  for (int64_t k = 0; k < a.columns; ++k)
    sum += Sum(a.at(row, k)) * Sum(b.at(k, column));
  return T(sum);
}

template <typename T> class MatMulTest : public testing::Test {};
using Types =
    testing::Types<float, double, int32_t, uint32_t, int64_t, uint64_t>;
TYPED_TEST_SUITE(MatMulTest, Types);

TYPED_TEST(MatMulTest, AllSizesAndTransposes) {
  using T = TypeParam;
  std::mt19937 random(1);
  struct {
    int64_t rows, depth, columns;
  } const cases[] = {{1, 1, 1},   {7, 3, 17},   {0, 2, 3},    {3, 2, 0},
                     {3, 0, 4},   {6, 256, 16}, {5, 257, 33}, {145, 300, 513},
                     {288, 2, 1}, {1, 600, 530}};
  for (auto [rows, depth, columns] : cases)
    for (int transposes = 0; transposes < 4; ++transposes) {
      std::vector<T> left = randomNumbers<T>(rows * depth, random);
      std::vector<T> right = randomNumbers<T>(depth * columns, random);
      std::vector<T> out(static_cast<size_t>(rows * columns), T(77));
      MatrixRef<const T> a(left.data(), rows, depth);
      MatrixRef<const T> b(right.data(), depth, columns);
      if (transposes & 1)
        a = MatrixRef<const T>(left.data(), depth, rows).transposed();
      if (transposes & 2)
        b = MatrixRef<const T>(right.data(), columns, depth).transposed();
      MatrixRef<T> c(out.data(), rows, columns);
      matMul(a, b, c);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
          ASSERT_EQ(c.at(i, j), multiplyRow(a, b, i, j))
              << rows << "x" << depth << "x" << columns << " at " << i << ", "
              << j;
    }
}

TEST(MatMul, FloatsAreSummedInDouble) {
  // In float32, 2^24 + 1 loses the 1.
  const float left[] = {16777216, 1, -16777216}, right[] = {1, 1, 1};
  float out;
  matMul(MatrixRef<const float>(left, 1, 3),
         MatrixRef<const float>(right, 3, 1), MatrixRef<float>(&out, 1, 1));
  EXPECT_EQ(out, 1);
}

TEST(MatMul, IntegersWrap) {
  const int32_t left[] = {INT32_MAX, INT32_MIN}, right[] = {2, 2};
  int32_t out;
  matMul(MatrixRef<const int32_t>(left, 1, 2),
         MatrixRef<const int32_t>(right, 2, 1), MatrixRef<int32_t>(&out, 1, 1));
  EXPECT_EQ(out, -2);
}

TEST(MatMul, PartsMakeTheWhole) {
  std::mt19937 random(2);
  std::vector<float> left = randomNumbers<float>(50 * 20, random);
  std::vector<float> right = randomNumbers<float>(20 * 40, random);
  std::vector<float> whole(50 * 40), parts(50 * 40);
  MatrixRef<const float> a(left.data(), 50, 20), b(right.data(), 20, 40);
  matMul(a, b, MatrixRef<float>(whole.data(), 50, 40));
  MatrixRef<float> c(parts.data(), 50, 40);
  matMul(a.someRows(0, 13), b, c.someRows(0, 13));
  for (int64_t from : {0, 25})
    matMul(a.someRows(13, 37), b.someColumns(from, from ? 15 : 25),
           c.someRows(13, 37).someColumns(from, from ? 15 : 25));
  EXPECT_EQ(whole, parts);
}

TEST(MatMul, InfinityStaysInItsRow) {
  // Tiles are padded with zeros, which must not be multiplied by infinity.
  std::vector<float> left(7 * 2, 1), right(2 * 3, 1), out(7 * 3);
  left[0] = INFINITY;
  matMul(MatrixRef<const float>(left.data(), 7, 2),
         MatrixRef<const float>(right.data(), 2, 3),
         MatrixRef<float>(out.data(), 7, 3));
  for (size_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], i < 3 ? INFINITY : 2) << i;
}

} // namespace
