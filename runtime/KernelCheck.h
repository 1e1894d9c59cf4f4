// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels beside their meaning. A library that was compiled to check itself has each kernel
// twice: fast, and as plain loops (InvarKernelCheck). Then every call of a kernel does this:
//
//   KernelCheck check(kernel, meaning, tensors, numbers);
//   if (Status status = check.runApart())       // both, in memory of their own
//     return status;
//   kernel.run(…);                              // as ever: in place, by several threads
//   if (Status status = check.compareResults())
//     return status;
//
// It finds kernels that compute something else than their meaning, that read or write
// outside of their tensors, that leave out elements, and whose results depend on how work
// is divided or on where results lie.
//
// Results are compared bit for bit where no sum of floats is reordered. Elsewhere they may
// differ by a few times what the meaning itself moves by when its operands change in their
// last digits: the check measures that instead of guessing a tolerance. An element next to a
// jump, such as the threshold of a ThresholdedRelu, may be on either side: it is right if
// some such change of the operands moves it as far.
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

/// What a session checks its kernels against, and which kernels it has checked.
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

  /// Computes the results twice, by the kernel and by its meaning, of copies of the
  /// operands, and compares them.
  Status runApart();
  /// Compares what the kernel then gave in the run itself.
  Status compareResults();

private:
  /// What tensors hold, in their order, in memory that kernels get instead of theirs.
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
