// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WinogradForms.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace invar;

namespace {
/// The costs of convolutions, in units of one multiplication at peak speed. The factors
/// are measured (bench/Kernels.cpp).
class Costs {
public:
  Costs(const ConvolutionSizes &sizes, int64_t lanes)
      : channels(double(sizes.channels)), columns(double(sizes.columns)),
        wholeChannels(double(llvm::alignTo(sizes.channels, lanes))),
        wholeColumns(double(llvm::alignTo(sizes.columns, lanes))),
        fetch(1.75 * double(lanes)) {
    // For open sizes, assume a height and width that are common for this number of
    // channels.
    constexpr int64_t commonElements = 4096;
    int64_t common = std::clamp<int64_t>(
        commonElements / std::max<int64_t>(sizes.channels, 1), 1, 160);
    auto known = [](int64_t size, int64_t otherwise) {
      return double(ShapedType::isDynamic(size) ? otherwise : size);
    };
    count = known(sizes.count, 1);
    height = known(sizes.height, common);
    width = known(sizes.width, common);
  }

  /// The cost of the direct sums.
  double getPlain() const {
    return taps * channels *
           (count * height * width * wholeColumns + columns * fetch);
  }

  double get(const Winograd &form) const {
    // In short sums, the products wait for each other more often.
    constexpr double waiting = 1.15;
    double places = getPlaces(form);
    double tiles = count * std::ceil(height / form.results) *
                   std::ceil(width / form.results);
    // The cost of transforming each element, including the transformation back.
    double perElement = 6;
    return places * channels *
               (tiles * wholeColumns * waiting + columns * fetch) +
           tiles * places * perElement * (wholeChannels + wholeColumns);
  }

  /// The bytes by which a filter grows.
  double getGrowth(const Winograd &form) const {
    return (getPlaces(form) - taps) * channels * columns * sizeof(float);
  }

private:
  static constexpr double taps = 9;

  static double getPlaces(const Winograd &form) {
    return double(form.getTile()) * form.getTile();
  }

  double count, height, width, channels, columns;
  /// Rounded up to whole vectors.
  double wholeChannels, wholeColumns;
  /// The cost of reading a filter element once from memory. In that time, wider vectors
  /// would multiply more.
  double fetch;
};

/// A step from one form of a convolution, or from the direct sums, to a faster form
/// with a larger filter.
struct Step {
  double getWorth() const { return saved / grown; }

  size_t convolution;
  const Winograd *from, *to;
  double saved, grown;
};
} // namespace

/// Appends the steps of a convolution. Each step is worth less per byte than those
/// before it.
static void addSteps(size_t convolution, const Costs &costs,
                     SmallVectorImpl<Step> &steps) {
  // The gain must exceed the cost that this model ignores.
  constexpr double clearly = 0.9;
  size_t first = steps.size();
  const Winograd *now = nullptr;
  for (const Winograd &form : winogradForms) {
    double before = now ? costs.get(*now) : clearly * costs.getPlain();
    if (costs.get(form) >= before)
      continue;
    Step step = {convolution, now, &form,
                 (now ? before : costs.getPlain()) - costs.get(form),
                 costs.getGrowth(form) - (now ? costs.getGrowth(*now) : 0)};
    now = &form;
    // If this step is worth at least as much as the previous one, merge both.
    while (steps.size() != first &&
           step.getWorth() >= steps.back().getWorth()) {
      Step last = steps.pop_back_val();
      step = {convolution, last.from, step.to, last.saved + step.saved,
              last.grown + step.grown};
    }
    steps.push_back(step);
  }
}

SmallVector<const Winograd *>
invar::chooseForms(ArrayRef<ConvolutionSizes> convolutions, int64_t lanes,
                   double room) {
  SmallVector<Step> steps;
  for (auto [number, sizes] : llvm::enumerate(convolutions))
    addSteps(number, Costs(sizes, lanes), steps);
  llvm::stable_sort(steps, [](const Step &a, const Step &b) {
    return a.getWorth() > b.getWorth();
  });
  SmallVector<const Winograd *> forms(convolutions.size());
  for (const Step &step : steps) {
    const Winograd *&form = forms[step.convolution];
    if (form != step.from || step.grown > room)
      continue;
    form = step.to;
    room -= step.grown;
  }
  return forms;
}

SmallVector<const Winograd *>
invar::getFastestForms(ArrayRef<ConvolutionSizes> convolutions, int64_t lanes) {
  return llvm::map_to_vector(
      convolutions, [&](const ConvolutionSizes &sizes) -> const Winograd * {
        Costs costs(sizes, lanes);
        return llvm::min_element(winogradForms, [&](auto &a, auto &b) {
          return costs.get(a) < costs.get(b);
        });
      });
}
