// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices that come with a run are looked at before a kernel reads by them: kernels cannot
// fail. A pass over them costs little beside what they move, since it needs no branch: where
// `low` is the least index that is allowed, and `size - 1` the greatest, one of
//
//   index - low,  size - 1 - index
//
// is negative for one that is outside. The signs of all are joined, and only where one is
// set is the index looked for.
#ifndef INVAR_RUNTIME_INDEXCHECK_H
#define INVAR_RUNTIME_INDEXCHECK_H

#include "Status.h"
#include "ThreadPool.h"
#include "Value.h"

#include <string_view>

namespace invar::runtime {

struct IndexCheck {
  /// Of the axes that elements belong to in turn.
  Sizes sizes;
  /// Whether negative indices count from the end.
  bool fromBack;
  /// What an index is called in an error.
  std::string_view what;

  Status run(const Tensor &indices, ThreadPool &threads) const;
};

/// The failure for an index that is no place of an axis of this size.
Status explainIndex(std::string_view what, int64_t index, int64_t size,
                    bool fromBack);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_INDEXCHECK_H
