// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which form of Winograd's algorithm a convolution of 3 x 3 takes (Support/Winograd.h): one
// that is faster than the sums themselves, and whose filters there is memory for. Filters
// grow when they are transformed, to 16 or 36 numbers of 9, and stay in memory as long as
// the model does.
#ifndef INVAR_LIB_LAYOUT_WINOGRADFORMS_H
#define INVAR_LIB_LAYOUT_WINOGRADFORMS_H

#include "invar/Support/Winograd.h"
#include "llvm/ADT/SmallVector.h"

namespace invar {

/// Images of `height x width` results, and a filter of `columns x channels x 3 x 3`. The
/// first three may be open.
struct ConvolutionSizes {
  int64_t count, height, width, channels, columns;
};

/// For each convolution the form that saves most, or null where the sums are faster. All
/// filters together grow by at most `room` bytes: where that is too little for all, those
/// are transformed that save most for each byte. `lanes` are the floats of a vector.
llvm::SmallVector<const Winograd *>
chooseForms(llvm::ArrayRef<ConvolutionSizes> convolutions, int64_t lanes,
            double room);

/// The fastest form of each, whether or not the sums are faster still.
llvm::SmallVector<const Winograd *>
getFastestForms(llvm::ArrayRef<ConvolutionSizes> convolutions, int64_t lanes);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_WINOGRADFORMS_H
