// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of every data type in every form of an Elements, each with the dense
// attribute that MLIR makes of the same values, by code that shares nothing with the
// dialect's own conversion.
#ifndef INVAR_UNITTESTS_ELEMENTS_IR_SAMPLES_H
#define INVAR_UNITTESTS_ELEMENTS_IR_SAMPLES_H

#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <random>

namespace invar::testing {

struct Sample {
  /// Type and form, e.g. "int4 reversed".
  std::string name;
  Elements content;
  mlir::DenseElementsAttr dense;
};

/// Makes a stored constant with random content.
Elements makeStored(DataType type, llvm::ArrayRef<int64_t> shape,
                    std::mt19937_64 &random);

/// Random constants of `type`: scalars, splats, stored, strided, computed, empty, and some
/// long enough to print as hexadecimal digits.
std::vector<Sample> makeSamples(mlir::MLIRContext &context, DataType type);

/// Makes the dense attribute with the content of `content`.
mlir::DenseElementsAttr makeDense(mlir::MLIRContext &context,
                                  const Elements &content);

/// Wraps `content` in a function, so that none of it is stored.
Elements makeLazy(const Elements &content);

std::string print(mlir::Attribute attribute);

/// Returns the expected text of a lazy attribute with the same content.
std::string printWrapped(mlir::DenseElementsAttr dense);

} // namespace invar::testing

#endif // INVAR_UNITTESTS_ELEMENTS_IR_SAMPLES_H
