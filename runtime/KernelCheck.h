// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks kernels against reference code. A library that was compiled to check itself
// has each kernel twice: optimized, and as plain loops, its "meaning"
// (InvarKernelCheck). Then every call of a kernel does this:
//
//   KernelCheck check(kernel, meaning, tensors, numbers);
//   if (Status status = check.runApart())       // both, in separate memory
//     return status;
//   kernel.run(…);                              // as usual: in place, by several threads
//   if (Status status = check.compareResults())
//     return status;
//
// It detects kernels that compute something else than their meaning, that read or
// write outside of their tensors, that skip elements, or whose results depend on how
// work is divided or where results lie.
//
// Results are compared bit for bit if no sum of floats is reordered. Otherwise the
// check measures the tolerance instead of guessing it: the meaning runs again with
// operands changed in their last digits, and results may differ by a few times the
// change of its results. An element next to a jump, such as the threshold of a
// ThresholdedRelu, may be on either side: it is accepted if some such change of the
// operands moves it as far.
#ifndef INVAR_RUNTIME_KERNELCHECK_H
#define INVAR_RUNTIME_KERNELCHECK_H

#include "GuardedMemory.h"
#include "Value.h"
#include "invar-c/Abi.h"

#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace invar::runtime {

/// The reference code of a session's kernels, and which kernels have been checked.
class KernelChecks {
public:
  explicit KernelChecks(const InvarModule &module)
      : checks(module.checks), numKernels(module.num_kernels),
        isDone(std::make_unique<std::atomic<bool>[]>(numKernels)) {}

  const InvarKernelCheck &get(size_t kernel) const { return checks[kernel]; }
  void setDone(size_t kernel) {
    isDone[kernel].store(true, std::memory_order_relaxed);
  }
  size_t countDone() const {
    size_t count = 0;
    for (size_t i = 0; i < numKernels; ++i)
      count += isDone[i].load(std::memory_order_relaxed);
    return count;
  }

private:
  const InvarKernelCheck *checks;
  size_t numKernels;
  std::unique_ptr<std::atomic<bool>[]> isDone;
};

/// One call of a kernel.
class KernelCheck {
public:
  /// Results are the last tensors. All must outlive the check.
  KernelCheck(const InvarKernel &kernel, const InvarKernelCheck &check,
              std::span<Tensor *const> tensors, const int64_t *numbers);

  /// Computes the results by the kernel and by its meaning, from copies of the
  /// operands, and compares them.
  Status runApart();
  /// Compares the results that the kernel computed in the run itself.
  Status compareResults();

private:
  /// Copies of all tensors, in their order, which kernels get instead of the
  /// originals.
  using Contents = std::vector<GuardedBytes>;

  const Tensor &getResult(size_t result) const {
    return *tensors[numOperands + result];
  }
  const char *getContent(const Contents &contents, size_t result) const {
    return contents[numOperands + result].getData();
  }
  Status noMemory() const;
  Status copyTensors(bool isAtEnd, char fill, Contents &contents) const;
  Status run(const InvarKernel &code, int64_t ranges, Contents &contents) const;
  Status compareWithMeaning(size_t result) const;
  Status runMoved(uint64_t attempt, Contents &moved) const;
  Status runWithoutSubnormals(Contents &flushed) const;
  Status dropJumps(size_t result, std::vector<int64_t> &elements) const;
  double getDistance(size_t result, int64_t element, const Contents &a,
                     const Contents &b) const;
  Status differs(size_t result, int64_t element, const void *wanted,
                 const void *got, std::string_view why) const;

  const InvarKernel &kernel;
  const InvarKernelCheck &check;
  std::span<Tensor *const> tensors;
  const int64_t *numbers;
  size_t numOperands;
  Contents computed, expected;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_KERNELCHECK_H
