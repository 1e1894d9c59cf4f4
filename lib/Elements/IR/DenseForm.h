// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements in the form of MLIR's dense attributes: single values as APInt and APFloat,
// and bytes in dense storage form. That form differs from the raw form in two ways:
// bools are bits, eight in a byte, and other types narrower than a byte take a whole
// byte each, whose high bits are zero, even for negative numbers.
#ifndef INVAR_LIB_ELEMENTS_IR_DENSEFORM_H
#define INVAR_LIB_ELEMENTS_IR_DENSEFORM_H

#include "invar/Elements/Elements.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include <complex>

namespace invar::elements {

/// The bits of an element of any type except complex and string, as wide as the type.
llvm::APInt bitsAt(const Elements &content, int64_t index);
llvm::APFloat floatAt(const Elements &content, mlir::FloatType type,
                      int64_t index);
std::complex<llvm::APFloat> complexAt(const Elements &content,
                                      mlir::ComplexType type, int64_t index);

/// The bytes of `count` elements in dense form.
uint64_t getDenseSize(DataType type, int64_t count);
/// The same for all elements, or for the single element of a splat. Not for strings.
uint64_t getDenseSize(const Elements &content);

/// Reads bytes of the dense form, from `begin` on. The form of a splat is one element;
/// for bools, one byte with all bits equal.
void readDenseBytes(const Elements &content, uint64_t begin,
                    llvm::MutableArrayRef<char> bytes);

} // namespace invar::elements

#endif // INVAR_LIB_ELEMENTS_IR_DENSEFORM_H
