// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks indices that are computed at run time before a kernel reads with them,
// because kernels cannot fail. The check costs little compared with the kernel, since
// it needs no branch. If `low` is the least allowed index and `size - 1` the
// greatest, one of
//
//   index - low,  size - 1 - index
//
// is negative for an index out of range. The check combines the signs of all indices
// and searches for the bad index only if a sign is set.
#ifndef INVAR_RUNTIME_INDEXCHECK_H
#define INVAR_RUNTIME_INDEXCHECK_H

#include "Status.h"
#include "ThreadPool.h"
#include "Value.h"

#include <string_view>

namespace invar::runtime {

struct IndexCheck {
  /// The axis sizes. Consecutive elements belong to the axes in turn.
  Sizes sizes;
  /// Whether negative indices count from the end.
  bool fromBack;
  /// The word for an index in errors.
  std::string_view what;

  Status run(const Tensor &indices, ThreadPool &threads) const;
};

/// The failure for an index that is out of range for an axis of this size.
Status explainIndex(std::string_view what, int64_t index, int64_t size,
                    bool fromBack);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_INDEXCHECK_H
