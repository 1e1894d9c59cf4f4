// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that copy strided elements into row-major order.
#ifndef INVAR_LIB_ELEMENTS_STRIDEDCOPY_H
#define INVAR_LIB_ELEMENTS_STRIDEDCOPY_H

#include "invar/Elements/DataType.h"
#include "invar/Elements/Layout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace invar {

/// Splits elements [begin, begin + n) of a coalesced layout into runs along its
/// innermost dimension. Calls `run(first, stride, length)` with the number of the first
/// element.
void forEachRun(
    const Layout &runs, int64_t begin, int64_t n,
    llvm::function_ref<void(int64_t first, int64_t stride, int64_t length)>
        run);

/// How many elements to copy at once if a row of the layout is scattered in memory
/// while neighbouring rows share cache lines, as in a transposed matrix: enough rows to
/// use the lines completely. 0 if it does not matter.
int64_t preferredCopy(const Layout &runs, size_t laneSize);

/// Copies elements [begin, begin + n) of a coalesced layout over `source`, which holds
/// whole lanes of `laneSize` bytes, possibly unaligned.
void copyLanes(const Layout &runs, const uint8_t *source, size_t laneSize,
               int64_t begin, int64_t n, uint8_t *lanes);

/// The same for a packed `source`.
void copyPacked(const Layout &runs, const uint8_t *source, DataType type,
                int64_t begin, int64_t n, uint8_t *lanes);

} // namespace invar

#endif // INVAR_LIB_ELEMENTS_STRIDEDCOPY_H
