// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over a range with a chosen number of threads.
//
// llvm::parallelFor and llvm::ThreadPool are not used because their callers wait
// without working. If tasks of a pool block on a value that one thread is computing (a
// tensor that is forced once), and that thread waits for the pool to run its own tasks,
// there is a deadlock. Here the caller processes its share of the range, and waits only
// for helpers that have begun. So a loop always ends, even inside another loop. The
// helpers live as long as the loop: parallel work takes milliseconds, starting a thread
// takes microseconds, and there is no pool to own, size or tear down.
#ifndef INVAR_SUPPORT_PARALLEL_H
#define INVAR_SUPPORT_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace invar {

/// Resolves a requested number of threads: 0 means as many as the process may use.
unsigned resolveThreads(unsigned requested);

/// Calls `body(begin, end)` for disjoint pieces that make up [0, size). Pieces have at
/// most `grain` (> 0) elements and begin in ascending order. They run on up to
/// `threads` threads (0: all cores), including the caller. If the system refuses a
/// helper thread, the loop runs without it. Returns when all pieces are done or the
/// thread's work is stopped (Stop/Scope.h). After a stop some pieces may be missing;
/// that has no visible effect, because no output file appears any more.
void parallelFor(uint64_t size, uint64_t grain, unsigned threads,
                 llvm::function_ref<void(uint64_t begin, uint64_t end)> body);

} // namespace invar

#endif // INVAR_SUPPORT_PARALLEL_H
