// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a function of the runtime outside of a program. The compiler folds constants this
// way, with the same code that computes them in a run:
//
//   Value *operands[] = {&x, nullptr};
//   std::vector<Value *> results;
//   if (Status status = invoke({"Unique", attributes, operands, types}, threads,
//                              /*stop=*/nullptr, results))
//     return status;
//   …
//   release(results[0], nullptr);
#ifndef INVAR_RUNTIME_INVOKE_H
#define INVAR_RUNTIME_INVOKE_H

#include "CallSite.h"
#include "ThreadPool.h"
#include "invar/Stop/Stop.h"

#include <span>
#include <vector>

namespace invar::runtime {

struct Invocation {
  /// The name of a function of Calls.def.
  std::string_view function;
  const Attributes &attributes;
  /// Null for an operand that is left out. The function does not change operands.
  std::span<Value *const> operands;
  /// The types that results must have; null for a result that is left out.
  std::span<const Type *const> results;
  /// Tensors to write results into if their types and sizes are equal, or null; may be
  /// shorter than `results`.
  std::span<Tensor *const> places = {};
};

/// Sets `results` to the results, null for one that is left out. The caller must release
/// them, with null as the running arena: their memory comes from the system.
Status invoke(const Invocation &invocation, ThreadPool &threads, Stop *stop,
              std::vector<Value *> &results);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_INVOKE_H
