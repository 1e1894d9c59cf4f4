// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements is a constant tensor that costs nothing until it is read: a data
// type, a shape, and a shared, immutable expression that says how to get at any
// range of its elements. Copying one copies a pointer. An expression is one of
//
//   view     a layout (Layout.h) over a buffer, or over the elements of another
//            tensor in row-major order
//   fused    a small program of elementwise functions over inputs of its shape
//   concat   parts laid end to end along an axis
//   computed what a kernel makes of other tensors, all at once when first read
//
// A worked example. `w` is 1 GiB of int8 in a mapped file, n rows, and `s` has
// a scale for each row:
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
// So far nothing of `w` was read. A view of a fused tensor is the same program
// over views of its inputs, and applying a function appends to the program.
// Reading `r` runs through it in tiles that fit the L1 cache: each step of the
// program is one typed loop over a tile, inputs are read where they lie if they
// can be, and no intermediate tensor exists.
//
//   std::vector<float> row(n);
//   r.read<float>(0, row);                       touches n bytes of w
//   Expected<Elements> kept = t.materialize();   4 GiB on the heap, by all cores
//
// What is computed is kept, once and as long as the expression lives, in three
// cases: a view that isn't row-major of a lazy tensor that was reshaped in a
// way no strides express; a lazy operand that would be recomputed for each
// element that it is broadcast to; and an expression that has become so long
// that reading it again and again would be dear. What is bigger than `keepLimit`
// is recomputed instead, in bounded memory.
//
// Everything here is safe to call from many threads. Elements made from outside
// data are checked when made (ElementsBuilder.h); reading can't fail, keeping
// can run out of memory.
//
// Identity: the *recipe* of a tensor is a hash of its expression and of the
// content of its leaves. Equal recipes mean equal tensors; the converse doesn't
// hold.
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
  /// How many threads may work on a big range; 0 is as many as there are.
  unsigned threads = 0;
  /// The most bytes that an expression may keep for itself at each place that
  /// keeps.
  uint64_t keepLimit = uint64_t(1) << 30;
  /// Where the memory for what is kept comes from; none is the heap without a limit.
  MemoryBudget *memory = nullptr;
};

/// Computes all lanes of a tensor; called once at most. Not for strings.
using ComputeKernel =
    std::function<void(void *lanes, const EvalOptions &options)>;

class Elements {
public:
  /// Wraps an expression; made by ElementsBuilder.
  explicit Elements(std::shared_ptr<const ElementsNode> node)
      : node(std::move(node)) {}

  DataType getType() const;
  llvm::ArrayRef<int64_t> getShape() const;
  int64_t getRank() const { return static_cast<int64_t>(getShape().size()); }
  int64_t numElements() const;

  /// Bytes in raw form: what an exporter writes. 0 for strings.
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

  /// The same as wide numbers; the type is numeric.
  void readWideNums(int64_t begin, llvm::MutableArrayRef<WideNum> numbers,
                    const EvalOptions &options = {}) const;

  /// Bytes [begin, begin + bytes.size()) of the raw form; any range. Not for
  /// strings.
  void readBytes(uint64_t begin, llvm::MutableArrayRef<uint8_t> bytes,
                 const EvalOptions &options = {}) const;

  /// Hands the raw form to `sink` piece by piece, in order, until it fails.
  /// Pieces are computed in memory that is used again, or lie in the buffer
  /// where there is one.
  llvm::Error
  streamBytes(llvm::function_ref<llvm::Error(llvm::ArrayRef<uint8_t>)> sink,
              const EvalOptions &options = {}) const;

  /// All lanes as one array: in place if they lie in memory in order and
  /// aligned, else a copy. Fails when there is no memory for the copy.
  template <typename T>
  llvm::Expected<ElementsArray<T>>
  getArray(const EvalOptions &options = {}) const;

  /// The bytes of a file that are the raw form of exactly these elements, if
  /// some are.
  std::optional<FileRange> getFileRange() const;

  /// Whether all elements are one, as far as the expression tells; costs
  /// nothing. Elements that are one in number are a splat, an empty tensor is
  /// none.
  bool isSplat() const;

  /// The value of a splat as lane type T, or as a wide number if the type is
  /// numeric.
  template <typename T> std::optional<T> getSplat() const {
    if (!isSplat())
      return std::nullopt;
    return at<T>(0);
  }
  std::optional<WideNum> getSplatNum() const;

  /// Whether all elements have the same bits, looking at them until two differ.
  bool detectSplat() const;

  /// Whether this is a view of a buffer, so that reading computes nothing.
  bool isStored() const;

  /// The same elements row-major in memory of their own, computed now; itself
  /// if they are stored so already.
  llvm::Expected<Elements> materialize(const EvalOptions &options = {}) const;

  /// Computes now what reading would have to compute and keep first; fails where there is
  /// no memory for it.
  llvm::Error prepare(const EvalOptions &options = {}) const;

  /// The recipe (see above). Reads all leaves when first asked for, later
  /// nothing.
  Hash128 getRecipe(const EvalOptions &options = {}) const;
  friend bool sameRecipe(const Elements &a, const Elements &b);
  friend std::optional<llvm::SmallVector<int64_t>>
  findTranspose(const Elements &whole, const Elements &view);

  /// Whether two are the very same expression, which costs nothing to ask.
  friend bool operator==(const Elements &a, const Elements &b) {
    return a.node == b.node;
  }

  const std::shared_ptr<const ElementsNode> &getNode() const { return node; }

  /// The lanes of all elements where they lie, or null.
  const void *getLanesInPlace() const;

private:
  std::shared_ptr<const ElementsNode> node;
};

/// Whether type, shape and recipe are equal; then the elements are too.
bool sameRecipe(const Elements &a, const Elements &b);

/// Of two views of the same elements: how the axes of one lie in the other, axis i of `view`
/// being axis p[i] of `whole`. None where they are anything else; costs nothing to ask.
std::optional<llvm::SmallVector<int64_t>> findTranspose(const Elements &whole,
                                                        const Elements &view);

/// All lanes of a tensor in memory, either its own or the tensor's, which it
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

/// The error of an allocation of `count` lanes that the system refused.
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
