// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the form of Winograd's algorithm for each 3 x 3 convolution
// (Winograd/Winograd.h). A form must be faster than the direct sums, and there must be
// memory for its filters. Transformed filters have 16 or 36 numbers instead of 9, and
// stay in memory as long as the model does.
#ifndef INVAR_LIB_LAYOUT_WINOGRADFORMS_H
#define INVAR_LIB_LAYOUT_WINOGRADFORMS_H

#include "invar/Winograd/Winograd.h"
#include "llvm/ADT/SmallVector.h"

namespace invar {

/// Results of `height x width`, `count` of them, and a filter of `columns x channels x
/// 3 x 3`. The first three may be open sizes.
struct ConvolutionSizes {
  int64_t count, height, width, channels, columns;
};

/// For each convolution, the form that saves most, or null if the direct sums are
/// faster. All filters together grow by at most `room` bytes. If that is too little for
/// all, the filters that save most per byte are transformed. `lanes` is the number of
/// floats in a vector.
llvm::SmallVector<const Winograd *>
chooseForms(llvm::ArrayRef<ConvolutionSizes> convolutions, int64_t lanes,
            double room);

/// The fastest form of each convolution, even if the direct sums are faster.
llvm::SmallVector<const Winograd *>
getFastestForms(llvm::ArrayRef<ConvolutionSizes> convolutions, int64_t lanes);

} // namespace invar

#endif // INVAR_LIB_LAYOUT_WINOGRADFORMS_H
