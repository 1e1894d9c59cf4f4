// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assigns places to the constants of a model: constants of the store, in the order of
// their first use, equal ones only once; parameters, which are the constants with names,
// by their numbers; and folded constants, by their ids.
#ifndef INVAR_LIB_PROGRAM_CONSTANTPLACES_H
#define INVAR_LIB_PROGRAM_CONSTANTPLACES_H

#include "invar/Dialect/Const/Const.h"
#include "invar/Program/Encode.h"
#include <map>

namespace invar {

struct ConstantPlace {
  uint64_t offset, size;
};

/// A weight that the user of the model provides or may replace.
struct ParameterPlace {
  llvm::StringRef name;
  mlir::Type type;
  /// None if it is not in the store.
  std::optional<ConstantPlace> place;
  uint64_t size;
};

class ConstantPlaces {
public:
  /// If `keepsParameters` is false, parameters are not stored.
  explicit ConstantPlaces(mlir::ModuleOp module, bool keepsParameters = true);

  /// Whether a value is a constant that is stored.
  static bool isStored(mlir::Value value);
  /// Whether a value is one of the parameters.
  bool isParameter(mlir::Value value);
  /// The number of a parameter; fails if it cannot be stored.
  llvm::FailureOr<uint32_t> getParameter(mlir::Value parameter);
  /// The place of any other constant; fails if it cannot be stored.
  llvm::FailureOr<ConstantPlace> getStored(mlir::Value constant);
  llvm::FailureOr<ConstantPlace> getStored(mlir::ElementsAttr value);
  /// Fails if the size is not known.
  llvm::FailureOr<ConstantPlace> getFolded(int64_t id, mlir::Type type);

  /// A constant, and the first operation that uses it.
  struct FirstUse {
    ConstantPlace place;
    bool isFolded;
    mlir::Operation *user;
  };
  /// Assigns places to the constants that `main` uses, in the order of their first use.
  /// Their own order has no meaning: they are all at the beginning of a function.
  std::vector<FirstUse> placeInOrder(mlir::func::FuncOp main);

  uint64_t getStoredSize() const { return storedSize; }
  uint64_t getFoldedSize() const { return foldedSize; }
  llvm::ArrayRef<StoredConstant> getStored() const { return stored; }
  llvm::ArrayRef<ParameterPlace> getParameters() const { return parameters; }
  std::vector<StoredConstant> takeStored() { return std::move(stored); }

private:
  /// Adds a constant to the store, even if there is an equal one.
  llvm::FailureOr<ConstantPlace> store(mlir::ElementsAttr value,
                                       llvm::StringRef name = {});
  llvm::FailureOr<ConstantPlace> getPart(constants::RefOp ref,
                                         mlir::ElementsAttr whole);

  /// The entries of the module's store, by their numbers.
  llvm::SmallVector<constants::EntryOp> entries;
  bool keepsParameters;
  std::vector<ParameterPlace> parameters;
  /// By the numbers of their entries.
  llvm::DenseMap<int64_t, uint32_t> parameterNumbers;
  /// Parts that are stored separately from their entries.
  std::map<std::vector<int64_t>, mlir::ElementsAttr> parts;
  std::vector<StoredConstant> stored;
  llvm::DenseMap<mlir::Attribute, ConstantPlace> storedPlaces;
  llvm::DenseMap<int64_t, ConstantPlace> foldedPlaces;
  uint64_t storedSize = 0, foldedSize = 0;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_CONSTANTPLACES_H
