// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over a range by a chosen number of threads.
//
// Why not llvm::parallelFor or llvm::ThreadPool: their callers wait without
// working. When tasks of a pool block on a value that one thread is computing
// (a tensor forced once), and that thread waits for the pool to run its own
// tasks, all stand still. Here the caller takes its share of the range, and
// waits only for helpers that have begun, so a loop always ends, also inside
// another one. The helpers live as long as the loop: what is run in parallel
// takes milliseconds, a thread takes microseconds, and there is no pool to own,
// size or tear down.
#ifndef INVAR_SUPPORT_PARALLEL_H
#define INVAR_SUPPORT_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace invar {

/// How many threads `requested` stands for: 0 means as many as the process may
/// use.
unsigned resolveThreads(unsigned requested);

/// Calls `body(begin, end)` for disjoint pieces that make up [0, size), each of
/// at most `grain` (> 0) and begun in ascending order, on up to `threads`
/// threads (0: all cores), of which the caller is one. A helper that the system
/// refuses is done without. Returns when all is done, or the thread's work is stopped
/// (Stop/Scope.h): then what is left out is not seen, as no file appears any more.
void parallelFor(uint64_t size, uint64_t grain, unsigned threads,
                 llvm::function_ref<void(uint64_t begin, uint64_t end)> body);

} // namespace invar

#endif // INVAR_SUPPORT_PARALLEL_H
