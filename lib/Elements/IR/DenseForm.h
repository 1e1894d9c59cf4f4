// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements as MLIR's dense attributes see them: single values as APInt and APFloat, and
// bytes in dense storage form, which differs from raw form in two ways: bools are bits,
// eight to a byte, and other types narrower than a byte take a whole one each, whose
// high bits are zero, also below a sign.
#ifndef INVAR_LIB_ELEMENTS_IR_DENSEFORM_H
#define INVAR_LIB_ELEMENTS_IR_DENSEFORM_H

#include "invar/Elements/Elements.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include <complex>

namespace invar::elements {

/// The bits of an element of any type but complex and string, as wide as the type.
llvm::APInt bitsAt(const Elements &content, int64_t index);
llvm::APFloat floatAt(const Elements &content, mlir::FloatType type,
                      int64_t index);
std::complex<llvm::APFloat> complexAt(const Elements &content,
                                      mlir::ComplexType type, int64_t index);

/// Bytes of `count` elements in dense form.
uint64_t getDenseSize(DataType type, int64_t count);
/// The same of all elements, or of the one that a splat has. Not for strings.
uint64_t getDenseSize(const Elements &content);

/// Bytes from `begin` on of the dense form. A splat's is one element, bools all bits.
void readDenseBytes(const Elements &content, uint64_t begin,
                    llvm::MutableArrayRef<char> bytes);

} // namespace invar::elements

#endif // INVAR_LIB_ELEMENTS_IR_DENSEFORM_H
