// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expresses the sizes of a function's tensors so that they can be compared at compile
// time: each is a factor times a product of open sizes. Open sizes are those of the
// inputs (the runtime ensures that sizes with the same name are equal), and all numbers
// whose computation is not understood.
//
//   tensor.empty(%batch, %length) : tensor<?x?x768xf32>    3072 * batch * length bytes
#ifndef INVAR_LIB_PROGRAM_SIZES_H
#define INVAR_LIB_PROGRAM_SIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace invar {

/// `factor` times the product of open sizes, by their numbers, ascending.
struct SizeTerm {
  uint64_t factor = 1;
  llvm::SmallVector<uint32_t, 3> open;
};

class Sizes {
public:
  /// Analyzes the outermost block of `main`, once.
  explicit Sizes(mlir::func::FuncOp main);

  /// The bytes of a tensor; none if it has unknown rank, its elements are not numbers, or
  /// the factor is too large.
  std::optional<SizeTerm> getBytes(mlir::Value tensor) const;

  /// None if elements are not numbers.
  static std::optional<uint64_t> getBytesOfElement(mlir::Type element);

  /// The name of an open size, and its value if all sizes of inputs were `sampleSize`.
  llvm::StringRef getName(uint32_t open) const { return names[open]; }
  int64_t getSample(uint32_t open) const { return samples[open]; }

  static constexpr int64_t sampleSize = 128;

private:
  using Shape = llvm::SmallVector<SizeTerm, 4>;

  void add(mlir::Operation &op);
  void addNumber(mlir::Operation &op);
  std::optional<SizeTerm> findTerm(mlir::Operation &op);
  Shape makeShape(mlir::Value tensor);
  SizeTerm get(mlir::OpFoldResult size);
  SizeTerm makeOpen(const llvm::Twine &name, int64_t sample);
  int64_t getSample(const SizeTerm &term) const;
  int64_t sampleOf(mlir::Operation &op) const;

  std::vector<std::string> names;
  std::vector<int64_t> samples;
  llvm::StringMap<uint32_t> byName;
  llvm::DenseMap<mlir::Value, SizeTerm> numbers;
  llvm::DenseMap<mlir::Value, Shape> shapes;
};

} // namespace invar

#endif // INVAR_LIB_PROGRAM_SIZES_H
