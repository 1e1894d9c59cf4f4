// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IndexCheck.h"

#include "Type.h"

#include <algorithm>
#include <atomic>
#include <limits>

using namespace invar::runtime;

Status invar::runtime::explainIndex(std::string_view what, int64_t index,
                                    int64_t size, bool fromBack) {
  const char *article = what.starts_with('i') ? "an " : "a ";
  if (size <= 0)
    return fail(INVAR_RUN_FAILED, "expected no ", what,
                " of an empty axis, but got ", index);
  return fail(INVAR_RUN_FAILED, "expected ", article, what, " from ",
              fromBack ? -size : 0, " to ", size - 1, ", but got ", index);
}

/// Whether one of the indices, `stride` apart, is below `low`, or not below `size`.
/// Both bounds are at most half of the range of T, so that no allowed index overflows.
template <typename T, typename Stride>
static bool hasOutside(const T *indices, int64_t count, Stride stride,
                       int64_t low, int64_t size) {
  using Unsigned = std::make_unsigned_t<T>;
  auto least = Unsigned(low), most = Unsigned(size - 1);
  Unsigned signs = 0;
  for (int64_t i = 0; i < count; ++i) {
    auto index = Unsigned(indices[i * stride]);
    signs |= (index - least) | (most - index);
  }
  return T(signs) < 0;
}

namespace {
/// Checks tuples of one index for each size, on the threads of the pool.
template <typename T> class Scan {
public:
  Scan(const Tensor &tensor, const IndexCheck &check, ThreadPool &threads)
      : indices(tensor.getData<const T>()), check(check), threads(threads),
        pieces(tensor.getCount() / int64_t(check.sizes.size()), grain,
               threads.getSize()) {}

  bool findsOutside() {
    if (pieces.count < 2 || !threads.tryRun(pieces.count, &Scan::work, this))
      look(0, pieces.units);
    return isOutside.load(std::memory_order_relaxed);
  }

private:
  /// The least number of tuples that is worth a thread.
  static constexpr int64_t grain = 1 << 17;

  void look(int64_t begin, int64_t end) {
    auto tuple = int64_t(check.sizes.size());
    for (int64_t k = 0; k < tuple; ++k) {
      int64_t size = check.sizes[size_t(k)], low = check.fromBack ? -size : 0;
      const T *first = indices + begin * tuple + k;
      bool found =
          tuple == 1
              ? hasOutside(first, end - begin,
                           std::integral_constant<int64_t, 1>(), low, size)
              : hasOutside(first, end - begin, tuple, low, size);
      if (found)
        isOutside.store(true, std::memory_order_relaxed);
    }
  }
  static void work(void *context, int64_t piece, unsigned) {
    auto &scan = *static_cast<Scan *>(context);
    scan.look(scan.pieces.begin(piece), scan.pieces.begin(piece + 1));
  }

  const T *indices;
  const IndexCheck &check;
  ThreadPool &threads;
  Pieces pieces;
  std::atomic<bool> isOutside = false;
};
} // namespace

/// Whether the fast check proves that all indices are in range.
template <typename T>
static bool areInside(const Tensor &tensor, const IndexCheck &check,
                      ThreadPool &threads) {
  constexpr int64_t most = std::numeric_limits<T>::max() / 2;
  bool canScan = tensor.getCount() % int64_t(check.sizes.size()) == 0 &&
                 std::ranges::all_of(check.sizes, [](int64_t size) {
                   return size > 0 && size <= most;
                 });
  return canScan && !Scan<T>(tensor, check, threads).findsOutside();
}

/// Checks the indices one by one: for rare cases, and to name the bad index.
static Status findOutside(const Tensor &tensor, const IndexCheck &check) {
  for (int64_t i = 0; i < tensor.getCount(); ++i) {
    int64_t size = check.sizes[size_t(i) % check.sizes.size()];
    std::optional<int64_t> index =
        loadNumber(tensor.getType(), tensor.getData(), i);
    if (!index)
      return fail(INVAR_RUN_FAILED, "expected a tensor of integers, but got ",
                  describe(&tensor));
    if (*index >= size || *index < (check.fromBack ? -size : 0))
      return explainIndex(check.what, *index, size, check.fromBack);
  }
  return Status::success();
}

Status IndexCheck::run(const Tensor &indices, ThreadPool &threads) const {
  InvarDataType type = indices.getType();
  if (indices.getCount() == 0 ||
      (type == INVAR_INT64 && areInside<int64_t>(indices, *this, threads)) ||
      (type == INVAR_INT32 && areInside<int32_t>(indices, *this, threads)))
    return Status::success();
  return findOutside(indices, *this);
}
