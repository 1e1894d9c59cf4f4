// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes Elements. What takes shapes, sizes or data from outside checks them and
// returns an error that says what it expected; nothing here asserts on them.
// What is made is lazy, with two exceptions: a function of splats is computed
// at once, since the result is one element; and an expression that has become
// too deep to evaluate by recursion is materialized. Where that would take more
// than the options' keepLimit it is an error.
//
// A builder also knows the recipes it was shown: intern() returns the tensor it
// saw first under a recipe, so equal constants become one, as long as somebody
// holds it. A builder may be used by several threads.
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

  /// Raw data, copied. `bytes` has exactly the size that `shape` takes.
  llvm::Expected<Elements> fromRaw(DataType type, llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<uint8_t> bytes) const;

  /// Lanes, copied (and packed, for packed types).
  llvm::Expected<Elements> fromLanes(DataType type,
                                     llvm::ArrayRef<int64_t> shape,
                                     const void *lanes, size_t count) const;
  template <DataType T>
  llvm::Expected<Elements> fromArray(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<LaneOf<T>> lanes) const {
    return fromLanes(T, shape, lanes.data(), lanes.size());
  }

  /// Wide numbers of the kind of numeric `type`, narrowed to it.
  llvm::Expected<Elements> fromWideNums(DataType type,
                                        llvm::ArrayRef<int64_t> shape,
                                        llvm::ArrayRef<WideNum> numbers) const;

  llvm::Expected<Elements>
  fromStrings(llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<llvm::StringRef> strings) const;

  /// One value at every index of `shape`, of which one element is stored.
  llvm::Expected<Elements> splat(DataType type, llvm::ArrayRef<int64_t> shape,
                                 WideNum value) const;
  template <DataType T>
  llvm::Expected<Elements> splat(llvm::ArrayRef<int64_t> shape,
                                 LaneOf<T> value) const {
    llvm::Expected<Elements> scalar = fromArray<T>({}, value);
    return scalar ? expand(*scalar, shape) : std::move(scalar);
  }

  /// Views. None reads an element, whatever the tensor.
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

  /// Parts of one type, whose shapes differ at most along `axis`.
  llvm::Expected<Elements> concat(llvm::ArrayRef<Elements> parts,
                                  int64_t axis) const;

  /// `f` of each element, or of the elements that numpy's broadcasting brings
  /// together. The operands' types are those of `f`.
  llvm::Expected<Elements> transform(const ElementwiseFunction &f,
                                     const Elements &x) const;
  llvm::Expected<Elements> combine(const ElementwiseFunction &f,
                                   llvm::ArrayRef<Elements> operands) const;
  llvm::Expected<Elements> cast(const Elements &x, DataType to,
                                CastOptions castOptions = {}) const;

  /// What `kernel` makes of `inputs`, computed when it is first read. `key` stands for the
  /// kernel in recipes: the same for the same function of the same inputs. Not for strings.
  llvm::Expected<Elements> compute(DataType type, llvm::ArrayRef<int64_t> shape,
                                   const Hash128 &key,
                                   llvm::ArrayRef<Elements> inputs,
                                   ComputeKernel kernel) const;
  /// Whether a kernel of doubles was among what this builder made.
  bool hasComputedDoubles() const { return computedDoubles; }

  /// The tensor first interned with `x`'s type, shape and recipe; `x` if there
  /// is none or nobody holds it any more. Hashes the content of x's leaves,
  /// once per buffer.
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
