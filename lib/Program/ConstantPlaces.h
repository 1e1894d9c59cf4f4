// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the constants of a model lie: those of the store, in the order in which they are
// first used, equal ones once; and those that are folded, by their ids.
#ifndef INVAR_LIB_PROGRAM_CONSTANTPLACES_H
#define INVAR_LIB_PROGRAM_CONSTANTPLACES_H

#include "invar/Program/Encode.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace invar {

struct ConstantPlace {
  uint64_t offset, size;
};

class ConstantPlaces {
public:
  /// Fails where a constant cannot be stored.
  llvm::FailureOr<ConstantPlace> getStored(mlir::ElementsAttr value);
  /// Fails where the size is not known.
  llvm::FailureOr<ConstantPlace> getFolded(int64_t id, mlir::Type type);

  /// A constant, and who is the first to use it.
  struct FirstUse {
    ConstantPlace place;
    bool isFolded;
    mlir::Operation *user;
  };
  /// Places what `main` uses, in the order in which it does so: constants stand together
  /// where a function begins, and that order means nothing.
  std::vector<FirstUse> placeInOrder(mlir::func::FuncOp main);

  uint64_t getStoredSize() const { return storedSize; }
  uint64_t getFoldedSize() const { return foldedSize; }
  llvm::ArrayRef<StoredConstant> getStored() const { return stored; }
  std::vector<StoredConstant> takeStored() { return std::move(stored); }

private:
  std::vector<StoredConstant> stored;
  llvm::DenseMap<mlir::Attribute, ConstantPlace> storedPlaces;
  llvm::DenseMap<int64_t, ConstantPlace> foldedPlaces;
  uint64_t storedSize = 0, foldedSize = 0;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_CONSTANTPLACES_H
