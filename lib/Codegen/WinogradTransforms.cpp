// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WinogradTransforms.h"

#include "Instructions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

namespace {
/// Arithmetic on vectors.
class Writer {
public:
  explicit Writer(KernelBuilder &builder) : builder(builder) {}

  Value add(Value lhs, Value rhs) {
    return arith::AddFOp::create(builder, lhs, rhs);
  }
  Value sub(Value lhs, Value rhs) {
    return arith::SubFOp::create(builder, lhs, rhs);
  }
  /// factor * value + sum
  Value addScaled(double factor, Value value, Value sum) {
    Value scale = arith::ConstantOp::create(
        builder,
        DenseElementsAttr::get(cast<ShapedType>(value.getType()),
                               builder.getF32FloatAttr(float(factor))));
    return emitMultiplyAdd(builder, scale, value, sum);
  }

  /// B^T of a line.
  Values transformLine2(ArrayRef<Value> d) {
    return {sub(d[0], d[2]), add(d[1], d[2]), sub(d[2], d[1]), sub(d[1], d[3])};
  }
  Values transformLine4(ArrayRef<Value> d) {
    Value even = addScaled(-4, d[2], d[4]), odd = addScaled(-4, d[1], d[3]);
    Value evenHalf = sub(d[4], d[2]), oddHalf = sub(d[3], d[1]);
    return {addScaled(4, d[0], addScaled(-5, d[2], d[4])),
            add(even, odd),
            sub(even, odd),
            addScaled(2, oddHalf, evenHalf),
            addScaled(-2, oddHalf, evenHalf),
            addScaled(4, d[1], addScaled(-5, d[3], d[5]))};
  }

  /// A^T of a line.
  Values gatherLine2(ArrayRef<Value> p) {
    return {add(p[0], add(p[1], p[2])), sub(sub(p[1], p[2]), p[3])};
  }
  Values gatherLine4(ArrayRef<Value> p) {
    Value even = add(p[1], p[2]), odd = sub(p[1], p[2]);
    Value even2 = add(p[3], p[4]), odd2 = sub(p[3], p[4]);
    return {add(add(p[0], even), even2), addScaled(2, odd2, odd),
            addScaled(4, even2, even), add(addScaled(8, odd2, odd), p[5])};
  }

private:
  KernelBuilder &builder;
};
} // namespace

/// Applies `line` to the columns of a square, and then to the rows of the result.
static Values transformBoth(ValueRange square, size_t size,
                            llvm::function_ref<Values(ArrayRef<Value>)> line) {
  SmallVector<Values> columns;
  for (size_t column = 0; column < size; ++column) {
    Values elements;
    for (size_t row = 0; row < size; ++row)
      elements.push_back(square[row * size + column]);
    columns.push_back(line(elements));
  }
  Values results;
  for (size_t row = 0; row < columns.front().size(); ++row)
    llvm::append_range(
        results, line(llvm::map_to_vector(columns, [&](const Values &column) {
          return column[row];
        })));
  return results;
}

Values invar::transformTile(KernelBuilder &builder, unsigned results,
                            ValueRange tile) {
  Writer writer(builder);
  return transformBoth(tile, results + 2, [&](ArrayRef<Value> line) {
    return results == 2 ? writer.transformLine2(line)
                        : writer.transformLine4(line);
  });
}

Values invar::transformProducts(KernelBuilder &builder, unsigned results,
                                ValueRange products) {
  Writer writer(builder);
  return transformBoth(products, results + 2, [&](ArrayRef<Value> line) {
    return results == 2 ? writer.gatherLine2(line) : writer.gatherLine4(line);
  });
}
