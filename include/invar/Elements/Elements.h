// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements is a constant tensor that costs nothing until it is read: a data type, a
// shape, and a shared, immutable expression that computes any range of its elements.
// Copying an Elements copies a pointer. An expression is one of
//
//   view     a layout (Layout.h) over a buffer, or over the elements of another
//            tensor in row-major order
//   fused    a small program of elementwise functions over inputs of its shape
//   concat   parts joined along an axis
//   computed the result of a kernel on other tensors, computed as a whole when first read
//
// Example: `w` is 1 GiB of int8 in a mapped file, with n rows, and `s` has one scale
// for each row:
//
//   ElementsBuilder builder;
//   Elements x = *builder.cast(w, DataType::Float32);
//   Elements y = *builder.combine(mul, {x, s});
//   Elements t = *builder.transpose(y, {1, 0});
//   Elements r = *builder.slice(t, {0, 0}, {4, n}, {1, 1});
//
//   x   fused   cast(w)
//   y   fused   mul(cast(w), s broadcast)
//   t   fused   mul(cast(w transposed), s transposed and broadcast)
//   r   fused   the same over 4 columns of w
//
// Nothing of `w` has been read so far. A view of a fused tensor is the same program
// over views of its inputs, and applying a function appends to the program. Reading `r`
// runs the program in tiles that fit the L1 cache. Each step of the program is one
// typed loop over a tile, inputs are read in place if possible, and there are no
// intermediate tensors.
//
//   std::vector<float> row(n);
//   r.read<float>(0, row);                       touches n bytes of w
//   Expected<Elements> kept = t.materialize();   4 GiB on the heap, by all cores
//
// The result of a kernel is kept. Other computed elements are kept, as long as the
// expression lives, in three cases: a lazy tensor that was reshaped in a way that
// strides cannot express, if its view is not row-major; a lazy operand that would be
// recomputed for each element that it is broadcast to; and an expression that has
// become so long that reading it repeatedly would be expensive. If they are larger than
// `keepLimit`, they are recomputed instead, in bounded memory.
//
// All functions are thread-safe. Elements from outside data are checked when they are
// created (ElementsBuilder.h). Reading cannot fail. Keeping can run out of memory,
// which prepare() reports.
//
// Identity: the *recipe* of a tensor is a hash of its expression and of the content of
// its leaves. Equal recipes imply equal tensors, but equal tensors may have different
// recipes.
#ifndef INVAR_ELEMENTS_ELEMENTS_H
#define INVAR_ELEMENTS_ELEMENTS_H

#include "invar/Elements/Buffer.h"
#include "invar/Elements/Layout.h"
#include "invar/Elements/WideNum.h"
#include <cassert>
#include <functional>

namespace invar {

class ElementsNode;
template <typename T> class ElementsArray;

struct EvalOptions {
  /// The number of threads that may work on a large range; 0 means all.
  unsigned threads = 0;
  /// The maximal number of bytes that an expression keeps at each place where it keeps
  /// results.
  uint64_t keepLimit = uint64_t(1) << 30;
  /// The source of memory for kept results; null means the heap, without a limit.
  MemoryBudget *memory = nullptr;
};

/// Computes all lanes of a tensor. Called at most once. Not for strings. Wraps a function
/// that returns nothing, or one that may fail with an error, which prepare() returns.
class ComputeKernel {
public:
  ComputeKernel() = default;
  template <typename F>
    requires std::is_invocable_v<F, void *, const EvalOptions &>
  ComputeKernel(F compute) {
    if constexpr (std::is_void_v<
                      std::invoke_result_t<F, void *, const EvalOptions &>>)
      run = [compute = std::move(compute)](void *lanes,
                                           const EvalOptions &options) {
        compute(lanes, options);
        return llvm::Error::success();
      };
    else
      run = std::move(compute);
  }

  explicit operator bool() const { return bool(run); }
  llvm::Error operator()(void *lanes, const EvalOptions &options) const {
    return run(lanes, options);
  }

private:
  std::function<llvm::Error(void *lanes, const EvalOptions &options)> run;
};

class Elements {
public:
  /// Wraps an expression. Used by ElementsBuilder.
  explicit Elements(std::shared_ptr<const ElementsNode> node)
      : node(std::move(node)) {}

  DataType getType() const;
  llvm::ArrayRef<int64_t> getShape() const;
  int64_t getRank() const { return static_cast<int64_t>(getShape().size()); }
  int64_t numElements() const;

  /// The number of bytes in raw form, as an exporter writes it. 0 for strings.
  uint64_t sizeInBytes() const;

  /// Reads the lanes (Lanes.h) of elements [begin, begin + count) in row-major
  /// order.
  void read(int64_t begin, int64_t count, void *lanes,
            const EvalOptions &options = {}) const;
  template <typename T>
  void read(int64_t begin, llvm::MutableArrayRef<T> lanes,
            const EvalOptions &options = {}) const {
    assert(hasLane<T>(getType()) && "read as lanes of another type");
    read(begin, static_cast<int64_t>(lanes.size()), lanes.data(), options);
  }
  template <typename T> T at(int64_t index) const {
    T lane;
    read<T>(index, llvm::MutableArrayRef<T>(lane));
    return lane;
  }

  /// The same as wide numbers. The type must be numeric.
  void readWideNums(int64_t begin, llvm::MutableArrayRef<WideNum> numbers,
                    const EvalOptions &options = {}) const;

  /// Reads bytes [begin, begin + bytes.size()) of the raw form; any range is valid. Not
  /// for strings.
  void readBytes(uint64_t begin, llvm::MutableArrayRef<uint8_t> bytes,
                 const EvalOptions &options = {}) const;

  /// Passes the raw form to `sink` piece by piece, in order, until `sink` fails. A
  /// piece is valid only during the call: its memory is reused, unless it is part of a
  /// buffer.
  llvm::Error
  streamBytes(llvm::function_ref<llvm::Error(llvm::ArrayRef<uint8_t>)> sink,
              const EvalOptions &options = {}) const;

  /// All lanes as one array: in place if they are stored in order and aligned,
  /// otherwise as a copy. Fails if there is no memory for the copy.
  template <typename T>
  llvm::Expected<ElementsArray<T>>
  getArray(const EvalOptions &options = {}) const;

  /// The range of a file that is the raw form of exactly these elements, if there is
  /// one.
  std::optional<FileRange> getFileRange() const;

  /// Whether the expression shows that all elements are equal; costs nothing. A tensor
  /// with one element is a splat, an empty tensor is not.
  bool isSplat() const;

  /// The value of a splat as lane type T, or as a wide number if the type is
  /// numeric.
  template <typename T> std::optional<T> getSplat() const {
    if (!isSplat())
      return std::nullopt;
    return at<T>(0);
  }
  std::optional<WideNum> getSplatNum() const;

  /// Whether all elements have the same bits. Reads elements until two differ.
  bool detectSplat() const;

  /// Whether this is a view of a buffer, so that reading does not compute anything.
  bool isStored() const;

  /// Computes the elements now and returns them row-major in their own memory. Returns
  /// this tensor if it is already stored that way.
  llvm::Expected<Elements> materialize(const EvalOptions &options = {}) const;

  /// Computes now what the first read would compute and keep. Fails if there is no
  /// memory for it, or if a kernel fails.
  llvm::Error prepare(const EvalOptions &options = {}) const;

  /// The recipe (see above). The first call reads all leaves; later calls read nothing.
  Hash128 getRecipe(const EvalOptions &options = {}) const;
  friend bool sameRecipe(const Elements &a, const Elements &b);
  friend std::optional<llvm::SmallVector<int64_t>>
  findTranspose(const Elements &whole, const Elements &view);

  /// Whether both are the same expression. Costs nothing.
  friend bool operator==(const Elements &a, const Elements &b) {
    return a.node == b.node;
  }

  const std::shared_ptr<const ElementsNode> &getNode() const { return node; }

  /// The lanes of all elements in place, or null if they are not stored that way.
  const void *getLanesInPlace() const;

private:
  std::shared_ptr<const ElementsNode> node;
};

/// Whether type, shape and recipe are equal; then the elements are too.
bool sameRecipe(const Elements &a, const Elements &b);

/// If `view` is a transpose of `whole`, two views of the same elements, returns the
/// permutation: axis i of `view` is axis p[i] of `whole`. Otherwise none. Costs
/// nothing.
std::optional<llvm::SmallVector<int64_t>> findTranspose(const Elements &whole,
                                                        const Elements &view);

/// All lanes of a tensor in memory: either a copy, or those of the tensor, which it
/// keeps alive.
template <typename T> class ElementsArray {
public:
  ElementsArray(Elements source, const T *data, size_t size)
      : source(std::move(source)), data(data), size(size) {}
  ElementsArray(Elements source, std::unique_ptr<T[]> copy, size_t size)
      : source(std::move(source)), copy(std::move(copy)),
        data(this->copy.get()), size(size) {}

  operator llvm::ArrayRef<T>() const { return get(); }
  llvm::ArrayRef<T> get() const { return llvm::ArrayRef<T>(data, size); }
  bool isInPlace() const { return !copy; }

  const T *begin() const { return data; }
  const T *end() const { return data + size; }
  const T &operator[](size_t i) const { return get()[i]; }

private:
  Elements source; // Strings point into it even when copied.
  std::unique_ptr<T[]> copy;
  const T *data;
  size_t size;
};

/// The error for a refused allocation of `count` lanes.
llvm::Error noMemoryFor(uint64_t count, size_t size);

template <typename T>
llvm::Expected<ElementsArray<T>>
Elements::getArray(const EvalOptions &options) const {
  assert(hasLane<T>(getType()) && "read as lanes of another type");
  size_t size = static_cast<size_t>(numElements());
  if (llvm::Error error = prepare(options))
    return error;
  if (const void *lanes = getLanesInPlace())
    return ElementsArray<T>(*this, static_cast<const T *>(lanes), size);
  std::unique_ptr<T[]> copy;
  if (size <= SIZE_MAX / 2 / sizeof(T))
    copy.reset(new (std::nothrow) T[size]);
  if (!copy)
    return noMemoryFor(size, sizeof(T));
  read<T>(0, llvm::MutableArrayRef<T>(copy.get(), size), options);
  return ElementsArray<T>(*this, std::move(copy), size);
}

} // namespace invar

#endif // INVAR_ELEMENTS_ELEMENTS_H
