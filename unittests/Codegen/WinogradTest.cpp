// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests kernels of convolutions with transformed filters.
#include "invar/Winograd/Winograd.h"
#include "HotKernels.h"
#include "KernelTest.h"

#include "mlir/IR/BuiltinAttributes.h"
#include <gtest/gtest.h>
#include <optional>
#include <random>

using namespace invar;

/// Returns G g G^T for a 3 x 3 filter g.
static std::vector<double> transform(const Winograd &form,
                                     llvm::ArrayRef<double> filter) {
  unsigned tile = form.getTile();
  std::vector<double> made(tile * tile);
  for (unsigned a = 0; a < tile; ++a)
    for (unsigned b = 0; b < tile; ++b)
      for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j)
          made[a * tile + b] += form.filter[a * 3 + i] *
                                form.filter[b * 3 + j] * filter[i * 3 + j];
  return made;
}

/// Replaces random numbers by transformed filters: [panel][a][b][channel][column].
static void transformFilters(const Winograd &form, TestValue &packed) {
  llvm::ArrayRef<int64_t> shape = *packed.shape;
  unsigned places = form.getTile() * form.getTile();
  int64_t each = shape[3] * shape[4];
  for (int64_t panel = 0; panel < shape[0]; ++panel)
    for (int64_t at = 0; at < each; ++at) {
      auto element = [&](unsigned place) -> mlir::TypedAttr & {
        return packed.elements[(panel * places + place) * each + at];
      };
      std::vector<double> filter;
      for (unsigned tap = 0; tap < 9; ++tap)
        filter.push_back(
            mlir::cast<mlir::FloatAttr>(element(tap)).getValueAsDouble());
      for (auto [place, value] : llvm::enumerate(transform(form, filter)))
        element(place) = mlir::FloatAttr::get(packed.element, value);
    }
}

/// Tests tiles of 2 x 2 and of 4 x 4, or only one of them.
static void expectRight(const Image &image, int64_t results, int64_t panel,
                        Finish finish, std::optional<unsigned> only = {}) {
  for (const Winograd &form : winogradForms) {
    if (only && form.results != *only)
      continue;
    Image transformed = image;
    transformed.winograd = form.results;
    KernelCase kernel = transformed.getConvolution(results, panel, 1, finish);
    SCOPED_TRACE(kernel.text);
    Expectation expectation;
    expectation.tolerance = form.results == 4 ? 2e-5 : 4e-6;
    expectation.prepare = [&](llvm::MutableArrayRef<TestValue> arguments) {
      transformFilters(form, arguments[1]);
    };
    invar::expectRight(kernel.text, kernel.sizes, expectation);
  }
}

TEST(Winograd, InversesGiveFiltersBack) {
  for (const Winograd &form : winogradForms)
    for (unsigned row = 0; row < 3; ++row)
      for (unsigned column = 0; column < 3; ++column) {
        double sum = 0;
        for (unsigned at = 0; at < form.getTile(); ++at)
          sum += form.inverse[row * form.getTile() + at] *
                 form.filter[at * 3 + column];
        EXPECT_EQ(sum, row == column);
      }
}

TEST(Winograd, Images) {
  std::mt19937 engine(1);
  auto below = [&](int64_t end) { return int64_t(engine() % end); };
  static constexpr int64_t channels[] = {1, 3, 8, 16, 17, 20};
  static constexpr int64_t columns[] = {4, 8, 16, 20, 33};
  for (int round = 0; round < 10; ++round) {
    Image image{
        1 + below(2), 1 + below(9), 1 + below(13), channels[below(6)], 3, 3};
    image.border = below(3);
    image.isDynamic = below(2);
    if (image.isValid())
      expectRight(image, columns[below(5)], round % 2 ? 8 : 32,
                  Finish(round % 5));
  }
}

TEST(Winograd, SmallestImages) {
  // Loops with one iteration advance nothing.
  expectRight({2, 1, 1, 5, 3, 3, 1, 1, 1}, 8, 8, Finish::None);
  expectRight({1, 1, 4, 5, 3, 3, 1, 1, 1}, 8, 8, Finish::None);
  expectRight({1, 3, 3, 5, 3, 3}, 8, 8, Finish::None);
}

TEST(Winograd, ManyTiles) {
  for (bool isDynamic : {false, true}) {
    Image image{2, 21, 18, 4, 3, 3, 1, 1, 1};
    image.isDynamic = isDynamic;
    expectRight(image, 8, 32, Finish::BiasRelu);
  }
}

TEST(Winograd, StripsOfColumns) {
  // Vectors of 16 and of 8 lanes: whole strips, thirds, and remainders.
  for (int64_t columns : {48, 72, 80, 136})
    expectRight({1, 3, 5, 4, 3, 3, 1, 1, 1}, columns, 32, Finish::Residual, 2);
}

TEST(Winograd, LargeFilters) {
  // So large that filters are prefetched, by one tile and by several.
  expectRight({1, 2, 2, 70, 3, 3, 1, 1, 1}, 80, 32, Finish::None, 4);
  expectRight({1, 3, 4, 96, 3, 3, 1, 1, 1}, 128, 32, Finish::None, 2);
}
