// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the constants of a model lie: those of the store, in the order in which they are
// first used, equal ones once; and those that are folded, by their ids.
#ifndef INVAR_LIB_PROGRAM_CONSTANTPLACES_H
#define INVAR_LIB_PROGRAM_CONSTANTPLACES_H

#include "invar/Dialect/Const/Const.h"
#include "invar/Program/Encode.h"
#include <map>

namespace invar {

struct ConstantPlace {
  uint64_t offset, size;
};

class ConstantPlaces {
public:
  explicit ConstantPlaces(mlir::ModuleOp module);

  /// Whether a value is a constant that is stored.
  static bool isStored(mlir::Value value);
  /// Fails where a constant cannot be stored.
  llvm::FailureOr<ConstantPlace> getStored(mlir::Value constant);
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
  llvm::FailureOr<ConstantPlace> getStored(mlir::ElementsAttr value);
  llvm::FailureOr<ConstantPlace> getPart(constants::RefOp ref,
                                         mlir::ElementsAttr whole);

  /// Of the module's store, by their numbers.
  llvm::SmallVector<mlir::ElementsAttr> entries;
  /// Parts that do not lie together in their entries.
  std::map<std::vector<int64_t>, mlir::ElementsAttr> parts;
  std::vector<StoredConstant> stored;
  llvm::DenseMap<mlir::Attribute, ConstantPlace> storedPlaces;
  llvm::DenseMap<int64_t, ConstantPlace> foldedPlaces;
  uint64_t storedSize = 0, foldedSize = 0;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_CONSTANTPLACES_H
