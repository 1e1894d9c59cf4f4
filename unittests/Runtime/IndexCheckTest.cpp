// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the check of indices before kernels use them.
#include "ProgramBuilder.h"
#include "Testing.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace invar;
using namespace invar::testing;

namespace {
/// Returns why a run fails whose indices refer to axes of these sizes; empty if it
/// succeeds.
template <typename T>
std::string check(std::vector<T> indices, std::vector<int64_t> sizes,
                  bool fromBack = true, const char *what = "index") {
  ProgramBuilder b;
  uint32_t type = b.tensor(sizeof(T) == 8 ? INVAR_INT64 : INVAR_INT32, {"N"});
  uint32_t input = b.input("i", type);
  b.output("o", type);
  b.node("emb");
  List bounds;
  for (int64_t size : sizes)
    bounds.push_back(b.immediate(size));
  b.emit(INVAR_OP_CHECK_INDICES, input, uint32_t(fromBack), b.string(what),
         bounds);
  b.emit(INVAR_OP_RETURN, List{input});
  Model model(b);
  auto count = int64_t(indices.size());
  return whyNot(model.mustLoad(), {tensor<T>({count}, std::move(indices))});
}
} // namespace

TEST(IndexCheck, NamesNodeIndexAndBounds) {
  EXPECT_EQ(
      check<int64_t>({0, 99, -100, 100}, {100}),
      "model: node 'emb': expected an index from -100 to 99, but got 100");
  EXPECT_EQ(check<int64_t>({3, -1}, {4}, false, "length"),
            "model: node 'emb': expected a length from 0 to 3, but got -1");
  EXPECT_EQ(check<int32_t>({0}, {0}),
            "model: node 'emb': expected no index of an empty axis, but got 0");
}

TEST(IndexCheck, TakesPlacesOfEachAxisInTurn) {
  EXPECT_EQ(check<int64_t>({1, 4, -2, -5}, {2, 5}), "");
  EXPECT_EQ(check<int64_t>({1, 4, 4, 1}, {2, 5}),
            "model: node 'emb': expected an index from -2 to 1, but got 4");
  EXPECT_EQ(check<int64_t>({}, {0, 5}), "");
}

/// Tests all sizes and indices near values where the result changes.
template <typename T> static void compareWithEach() {
  constexpr T least = std::numeric_limits<T>::min(),
              most = std::numeric_limits<T>::max();
  for (int64_t size : {int64_t(1), int64_t(2), int64_t(7), int64_t(most / 2),
                       int64_t(most / 2) + 1, int64_t(most) - 1})
    for (bool fromBack : {false, true})
      for (T center : {least, T(-size), T(0), T(most / 2), T(size), most})
        for (int64_t step = -2; step <= 2; ++step) {
          T index;
          if (__builtin_add_overflow(int64_t(center), step, &index))
            continue;
          bool isInside = index < size && index >= (fromBack ? -size : 0);
          // Among others, so that it is one lane of a vector.
          std::vector<T> indices(37, 0);
          indices[21] = index;
          EXPECT_EQ(check<T>(indices, {size}, fromBack).empty(), isInside)
              << index << " of " << size;
        }
}

TEST(IndexCheck, FindsOneAmongMany) {
  compareWithEach<int32_t>();
  compareWithEach<int64_t>();
}

TEST(IndexCheck, FindsOneWhereThreadsShareThem) {
  std::vector<int64_t> indices(1 << 20, 5);
  EXPECT_EQ(check(indices, {6}), "");
  for (size_t place : {size_t(0), size_t(777'777), indices.size() - 1}) {
    indices[place] = -7;
    EXPECT_EQ(check(indices, {6}), "model: node 'emb': expected an index from "
                                   "-6 to 5, but got -7");
    indices[place] = 5;
  }
}
