// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/MatrixProduct.h"

#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Kernels/MatMul.h"
#include "invar/Support/Parallel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

namespace {
/// The sizes of a batch of products.
struct ProductSizes {
  Shape batch;
  int64_t rows, depth, columns;

  Shape getShape() const {
    Shape shape = batch;
    shape.append({rows, columns});
    return shape;
  }
};
} // namespace

static llvm::Expected<ProductSizes>
computeSizes(const Folding &fold, const Matrices &left, const Matrices &right) {
  auto split = [](const Matrices &m) {
    ArrayRef<int64_t> shape = m.tensor.getShape();
    int64_t rows = shape[shape.size() - 2], columns = shape.back();
    if (m.transposed)
      std::swap(rows, columns);
    return std::tuple(shape.drop_back(2), rows, columns);
  };
  auto [leftBatch, rows, depth] = split(left);
  auto [rightBatch, otherDepth, columns] = split(right);
  if (depth != otherDepth)
    return notFolded("expected matrices that agree, but got sizes of " +
                     Twine(depth) + " and " + Twine(otherDepth));
  llvm::Expected<Shape> batch = broadcastShapes({leftBatch, rightBatch});
  if (!batch)
    return batch.takeError();
  ProductSizes sizes{std::move(*batch), rows, depth, columns};
  if (llvm::Error error = fold.checkWork(sizes.getShape()))
    return error;
  if (llvm::Error error = checkSteps({*countElements(sizes.getShape()), depth},
                                     maxBlockedSteps))
    return error;
  return sizes;
}

/// Returns the offset of the matrix of each index of the batch.
static SmallVector<int64_t> locateMatrices(ArrayRef<int64_t> shape,
                                           ArrayRef<int64_t> batch) {
  // In this layout each matrix is one element.
  ArrayRef<int64_t> own = shape.drop_back(2);
  int64_t size = shape[shape.size() - 2] * shape.back();
  Layout layout = Layout::contiguous(own)->expand(batch);
  return llvm::map_to_vector(
      llvm::seq<int64_t>(layout.numElements()),
      [&](int64_t index) { return layout.locate(index) * size; });
}

template <typename T>
static kernels::MatrixRef<const T> matrixAt(const T *data, int64_t rows,
                                            int64_t columns, bool transposed) {
  if (transposed)
    return kernels::MatrixRef<const T>(data, columns, rows).transposed();
  return {data, rows, columns};
}

/// Computes all products, in blocks that are distributed over threads.
template <typename T, typename Result>
static void multiplyAll(const KernelInput<T> &left, bool leftTransposed,
                        const KernelInput<T> &right, bool rightTransposed,
                        const ProductSizes &sizes, unsigned threads,
                        Result *out) {
  using namespace kernels;
  ElementsArray<T> a = left.read(), b = right.read();
  SmallVector<int64_t> as = locateMatrices(left.getShape(), sizes.batch);
  SmallVector<int64_t> bs = locateMatrices(right.getShape(), sizes.batch);
  int64_t rowBlocks = llvm::divideCeil(sizes.rows, matMulBlockRows);
  int64_t columnBlocks = llvm::divideCeil(sizes.columns, matMulBlockColumns);
  // Group small products, so that each thread has enough work.
  constexpr int64_t enough = 1 << 18;
  int64_t work = std::max<int64_t>(1, std::min(sizes.rows, matMulBlockRows)) *
                 std::min(sizes.columns, matMulBlockColumns) *
                 std::max<int64_t>(1, std::min(sizes.depth, enough));
  auto multiplyBlock = [&](int64_t block) {
    int64_t column = block % columnBlocks * matMulBlockColumns;
    int64_t row = block / columnBlocks % rowBlocks * matMulBlockRows;
    int64_t index = block / columnBlocks / rowBlocks;
    int64_t rows = std::min(matMulBlockRows, sizes.rows - row);
    int64_t columns = std::min(matMulBlockColumns, sizes.columns - column);
    auto x = matrixAt(a.begin() + as[index], sizes.rows, sizes.depth,
                      leftTransposed);
    auto y = matrixAt(b.begin() + bs[index], sizes.depth, sizes.columns,
                      rightTransposed);
    MatrixRef<Result> z(out + index * sizes.rows * sizes.columns, sizes.rows,
                        sizes.columns);
    matMul(x.someRows(row, rows), y.someColumns(column, columns),
           z.someRows(row, rows).someColumns(column, columns));
  };
  parallelFor(as.size() * rowBlocks * columnBlocks,
              std::max<int64_t>(1, enough / std::max<int64_t>(work, 1)),
              threads, [&](uint64_t from, uint64_t to) {
                for (uint64_t block = from; block < to; ++block)
                  multiplyBlock(int64_t(block));
              });
}

template <typename T, typename Result>
static llvm::Expected<Elements> multiplyAs(const Folding &fold, Matrices left,
                                           Matrices right, DataType to) {
  llvm::Expected<ProductSizes> sizes = computeSizes(fold, left, right);
  if (!sizes)
    return sizes.takeError();
  Shape shape = sizes->getShape();
  if (countElements(shape) == 0)
    return fold.getBuilder().splat(to, shape, WideNum::ofInt(0));
  // If there is one matrix on the right, stack all matrices on the left into one tall
  // matrix.
  ArrayRef<int64_t> batch = left.tensor.getShape().drop_back(2);
  if (right.tensor.getShape().size() == 2 && !left.transposed) {
    sizes->rows *= *countElements(batch);
    sizes->batch.clear();
    llvm::Expected<Elements> tall =
        fold.getBuilder().reshape(left.tensor, {sizes->rows, sizes->depth});
    if (!tall)
      return tall;
    left.tensor = std::move(*tall);
  }
  llvm::Expected<KernelInput<T>> a = KernelInput<T>::get(fold, left.tensor);
  llvm::Expected<KernelInput<T>> b = KernelInput<T>::get(fold, right.tensor);
  if (!a || !b)
    return llvm::joinErrors(a.takeError(), b.takeError());
  auto kernel = [a = *a, b = *b, sizes = *sizes,
                 leftTransposed = left.transposed,
                 rightTransposed = right.transposed](
                    void *lanes, const EvalOptions &options) {
    multiplyAll<T>(a, leftTransposed, b, rightTransposed, sizes,
                   options.threads, static_cast<Result *>(lanes));
  };
  Hash128 key = Hasher()
                    .add("product")
                    .add(uint64_t(left.transposed))
                    .add(uint64_t(right.transposed))
                    .finish();
  llvm::Expected<Elements> product =
      fold.getBuilder().compute(dataTypeOf<Result>, shape, key,
                                {a->getElements(), b->getElements()}, kernel);
  if (!product)
    return product;
  return fold.getBuilder().cast(*product, to);
}

llvm::Expected<Elements> onnx::multiplyMatrices(const Folding &fold,
                                                const Matrices &left,
                                                const Matrices &right,
                                                DataType to) {
  DataType type = left.tensor.getType();
  switch (type) {
  case DataType::Float64:
    return multiplyAs<double, double>(fold, left, right, to);
  case DataType::Int64:
    return multiplyAs<int64_t, int64_t>(fold, left, right, to);
  case DataType::UInt64:
    return multiplyAs<uint64_t, uint64_t>(fold, left, right, to);
  default:
    break;
  }
  // Products of float32 and smaller floats are exact in double. Small integers wrap to
  // the same result in 32 bits.
  switch (getKind(type)) {
  case NumberKind::Float:
    if (to == DataType::Float32)
      return multiplyAs<float, float>(fold, left, right, to);
    return multiplyAs<float, double>(fold, left, right, to);
  case NumberKind::Signed:
    return multiplyAs<int32_t, int32_t>(fold, left, right, to);
  default:
    return multiplyAs<uint32_t, uint32_t>(fold, left, right, to);
  }
}
