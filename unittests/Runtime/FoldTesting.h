// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for models with folds, and a fold that doubles a constant.
#ifndef INVAR_UNITTESTS_RUNTIME_FOLDTESTING_H
#define INVAR_UNITTESTS_RUNTIME_FOLDTESTING_H

#include "Testing.h"

#include <atomic>

namespace invar::testing {

/// The total number of runs of the folds' kernel.
inline std::atomic<int> numDoubled = 0;

inline void doubleAll(void *const *tensors, const int64_t *, int64_t from,
                      int64_t to, void *) {
  ++numDoubled;
  const auto *x = static_cast<const float *>(tensors[0]);
  auto *y = static_cast<float *>(tensors[1]);
  for (int64_t i = from; i < to; ++i)
    y[i] = 2 * x[i];
}
inline void addAll(void *const *tensors, const int64_t *, int64_t from,
                   int64_t to, void *) {
  const auto *x = static_cast<const float *>(tensors[0]);
  const auto *w = static_cast<const float *>(tensors[1]);
  auto *y = static_cast<float *>(tensors[2]);
  for (int64_t i = from; i < to; ++i)
    y[i] = x[i] + w[i];
}
inline void planAll(const int64_t *numbers, InvarKernelPlan *plan) {
  *plan = {numbers[0], numbers[0], 0};
}

/// A model's kernels and their numbers.
enum : uint32_t { Double, Add };
inline std::vector<InvarKernel> foldKernels() {
  return {{doubleAll, planAll, "double"}, {addAll, planAll, "add"}};
}

/// y = 2 w, for a constant w of two floats. `place` is its offset in the store, or its
/// number.
inline List makeFold(uint64_t place, const char *result = "#0",
                     InvarConstantKind kind = INVAR_CONSTANT_STORED) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {2});
  uint32_t w = b.object(), y = b.object();
  b.output(result, type);
  b.emit(INVAR_OP_CONSTANT, w, b.addConstant(type, place, 8, kind));
  uint32_t two = b.immediate(int64_t(2));
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{two});
  b.emit(INVAR_OP_KERNEL, uint32_t(Double), List{w, y}, List{two});
  b.emit(INVAR_OP_RETURN, List{y});
  return b.words();
}

} // namespace invar::testing

#endif // INVAR_UNITTESTS_RUNTIME_FOLDTESTING_H
