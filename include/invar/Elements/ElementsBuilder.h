// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates Elements. Functions that take shapes, sizes or data from outside check them
// and return an error that states what was expected; they never assert on them. The
// results are lazy, with two exceptions. A function of splats is computed immediately,
// because the result is one element. An expression that has become too deep for
// recursive evaluation is materialized; if that would take more than the options'
// keepLimit, it is an error.
//
// A builder also merges equal constants: intern() returns the first tensor that it has
// seen with a recipe, as long as that tensor is still in use. Builders are thread-safe.
#ifndef INVAR_ELEMENTS_ELEMENTSBUILDER_H
#define INVAR_ELEMENTS_ELEMENTSBUILDER_H

#include "invar/Elements/Cast.h"
#include "invar/Elements/Elements.h"
#include "llvm/ADT/DenseMap.h"
#include <atomic>
#include <mutex>

namespace invar {

class ElementsBuilder {
public:
  explicit ElementsBuilder(EvalOptions options = {}) : options(options) {}

  /// All of a buffer's elements, row-major under `shape`.
  llvm::Expected<Elements> fromBuffer(BufferRef buffer,
                                      llvm::ArrayRef<int64_t> shape) const;

  /// Copies raw data. `bytes` must have exactly the size that `shape` takes.
  llvm::Expected<Elements> fromRaw(DataType type, llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<uint8_t> bytes) const;

  /// Copies lanes (and packs them, for packed types).
  llvm::Expected<Elements> fromLanes(DataType type,
                                     llvm::ArrayRef<int64_t> shape,
                                     const void *lanes, size_t count) const;
  template <DataType T>
  llvm::Expected<Elements> fromArray(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<LaneOf<T>> lanes) const {
    return fromLanes(T, shape, lanes.data(), lanes.size());
  }

  /// Wide numbers of the kind of `type`, narrowed to it. `type` must be numeric.
  llvm::Expected<Elements> fromWideNums(DataType type,
                                        llvm::ArrayRef<int64_t> shape,
                                        llvm::ArrayRef<WideNum> numbers) const;

  llvm::Expected<Elements>
  fromStrings(llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<llvm::StringRef> strings) const;

  /// One value at every index of `shape`. Only one element is stored.
  llvm::Expected<Elements> splat(DataType type, llvm::ArrayRef<int64_t> shape,
                                 WideNum value) const;
  template <DataType T>
  llvm::Expected<Elements> splat(llvm::ArrayRef<int64_t> shape,
                                 LaneOf<T> value) const {
    llvm::Expected<Elements> scalar = fromArray<T>({}, value);
    return scalar ? expand(*scalar, shape) : std::move(scalar);
  }

  /// Views. They never read an element.
  llvm::Expected<Elements> transpose(const Elements &x,
                                     llvm::ArrayRef<int64_t> permutation) const;
  llvm::Expected<Elements> slice(const Elements &x,
                                 llvm::ArrayRef<int64_t> starts,
                                 llvm::ArrayRef<int64_t> sizes,
                                 llvm::ArrayRef<int64_t> steps) const;
  llvm::Expected<Elements> reverse(const Elements &x,
                                   llvm::ArrayRef<int64_t> axes) const;
  llvm::Expected<Elements> expand(const Elements &x,
                                  llvm::ArrayRef<int64_t> shape) const;
  llvm::Expected<Elements> reshape(const Elements &x,
                                   llvm::ArrayRef<int64_t> shape) const;

  /// Joins parts of the same type, whose shapes may differ only along `axis`.
  llvm::Expected<Elements> concat(llvm::ArrayRef<Elements> parts,
                                  int64_t axis) const;

  /// Applies `f` to each element, or to the elements that correspond under numpy's
  /// broadcasting. The operands must have the operand types of `f`.
  llvm::Expected<Elements> transform(const ElementwiseFunction &f,
                                     const Elements &x) const;
  llvm::Expected<Elements> combine(const ElementwiseFunction &f,
                                   llvm::ArrayRef<Elements> operands) const;
  llvm::Expected<Elements> cast(const Elements &x, DataType to,
                                CastOptions castOptions = {}) const;

  /// The result of `kernel` on `inputs`, computed when it is first read. `key`
  /// represents the kernel in recipes: it must be the same for the same function of the
  /// same inputs. Not for strings.
  llvm::Expected<Elements> compute(DataType type, llvm::ArrayRef<int64_t> shape,
                                   const Hash128 &key,
                                   llvm::ArrayRef<Elements> inputs,
                                   ComputeKernel kernel) const;
  /// Whether compute() has created a tensor of doubles.
  bool hasComputedDoubles() const { return computedDoubles; }

  /// Returns the tensor that was first interned with `x`'s type, shape and recipe; `x`
  /// if there is none or it is no longer in use. Hashes the content of x's leaves, once
  /// per buffer.
  Elements intern(const Elements &x);

  const EvalOptions &getOptions() const { return options; }

private:
  EvalOptions options;
  std::mutex mutex;
  llvm::DenseMap<Hash128, std::weak_ptr<const ElementsNode>> interned;
  size_t sweepAt = 64;
  mutable std::atomic<bool> computedDoubles = false;
};

} // namespace invar

#endif // INVAR_ELEMENTS_ELEMENTSBUILDER_H
