// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The storage of a LazyElementsAttr. MLIR runs its destructor when the context is
// destroyed.
#ifndef INVAR_LIB_ELEMENTS_IR_LAZYELEMENTSSTORAGE_H
#define INVAR_LIB_ELEMENTS_IR_LAZYELEMENTSSTORAGE_H

#include "invar/Elements/Elements.h"
#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/BuiltinTypes.h"

namespace invar::elements::detail {

/// The key includes a unique number, so that MLIR never compares contents.
struct LazyElementsStorage : mlir::AttributeStorage {
  using KeyTy = std::pair<mlir::RankedTensorType, size_t>;

  explicit LazyElementsStorage(const KeyTy &key)
      : type(key.first), id(key.second) {}

  static LazyElementsStorage *
  construct(mlir::AttributeStorageAllocator &allocator, const KeyTy &key) {
    return new (allocator.allocate<LazyElementsStorage>())
        LazyElementsStorage(key);
  }
  bool operator==(const KeyTy &key) const {
    return id == key.second && type == key.first;
  }
  static llvm::hash_code hashKey(const KeyTy &key) {
    return llvm::hash_value(key.second);
  }

  mlir::RankedTensorType type;
  size_t id;
  std::optional<Elements> content;
};

} // namespace invar::elements::detail

#endif // INVAR_LIB_ELEMENTS_IR_LAZYELEMENTSSTORAGE_H
