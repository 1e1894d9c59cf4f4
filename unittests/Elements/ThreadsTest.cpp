// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests many threads on the same expressions; also run with ThreadSanitizer.
#include "Testing.h"
#include "invar/Support/Parallel.h"
#include <atomic>

using namespace invar;
using namespace invar::testing;

namespace {
/// A tensor that must be materialized to be read, whose operand must be, too; and the
/// number of elements computed for the inner one.
struct Kept {
  std::shared_ptr<std::atomic<int64_t>> computed =
      std::make_shared<std::atomic<int64_t>>(0);
  ElementsBuilder builder;
  int64_t rows = 400, columns = 500;

  Elements make() {
    std::vector<int32_t> lanes(size_t(rows * columns));
    for (size_t i = 0; i < lanes.size(); ++i)
      lanes[i] = int32_t(i);
    Elements x =
        get(builder.fromArray<DataType::Int32>({rows, columns}, lanes));
    auto counter = computed;
    ElementwiseFunction next("Next", DataType::Int32, DataType::Int32,
                             [counter](llvm::ArrayRef<const void *> operands,
                                       void *result, size_t n) {
                               const auto *in =
                                   static_cast<const int32_t *>(operands[0]);
                               for (size_t i = 0; i < n; ++i)
                                 static_cast<int32_t *>(result)[i] = in[i] + 1;
                               *counter += int64_t(n);
                             });
    // Strides cannot express it after transposing and flattening; after reversing, the
    // order differs.
    x = get(builder.transform(next, get(builder.transpose(x, {1, 0}))));
    return get(builder.reverse(get(builder.reshape(x, {rows * columns})), {0}));
  }

  int32_t expected(int64_t i) const {
    int64_t at = rows * columns - 1 - i;
    return int32_t(at % rows * columns + at / rows) + 1;
  }
};
} // namespace

TEST(Threads, KeepOnceWhatAllRead) {
  Kept kept;
  Elements x = kept.make();
  Elements y = get(kept.builder.cast(x, DataType::Int64));
  std::atomic<int> wrong{0};
  parallelFor(64, 1, 8, [&](uint64_t task, uint64_t) {
    int64_t begin = int64_t(task) * 3000;
    std::vector<int64_t> lanes(5000);
    y.read<int64_t>(begin, lanes);
    for (size_t i = 0; i < lanes.size(); ++i)
      wrong += lanes[i] != kept.expected(begin + int64_t(i));
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(*kept.computed, kept.rows * kept.columns);
}

TEST(Threads, MaterializeAtOnce) {
  Kept kept;
  Elements x = kept.make();
  std::atomic<int> wrong{0};
  EvalOptions options;
  options.threads = 3;
  parallelFor(4, 1, 4, [&](uint64_t, uint64_t) {
    Elements stored = get(x.materialize(options));
    ElementsArray<int32_t> lanes = get(stored.getArray<int32_t>());
    for (size_t i = 0; i < lanes.get().size(); i += 97)
      wrong += lanes[i] != kept.expected(int64_t(i));
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(*kept.computed, kept.rows * kept.columns);
}

TEST(Threads, HashAndInternAtOnce) {
  Kept kept;
  Elements x = kept.make();
  Elements y = kept.make();
  std::vector<Hash128> hashes(16);
  std::vector<std::optional<Elements>> interned(16);
  parallelFor(16, 1, 8, [&](uint64_t task, uint64_t) {
    hashes[task] = (task % 2 ? x : y).getRecipe();
    interned[task] = kept.builder.intern(task % 2 ? x : y);
  });
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(hashes[i], hashes[0]);
    EXPECT_TRUE(*interned[i] == *interned[0]);
  }
}
