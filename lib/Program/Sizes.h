// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of a function's tensors, as far as they can be compared before it runs: each is a
// factor times a product of sizes that are open. Open ones are those of the inputs (where
// two have a name in common the runtime sees to it that they are equal), and all numbers of
// whose making nothing is known.
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
  /// Looks at the top block of `main`, once.
  explicit Sizes(mlir::func::FuncOp main);

  /// The bytes of a tensor; none where it has no rank, its elements are no numbers, or the
  /// factor is absurdly large.
  std::optional<SizeTerm> getBytes(mlir::Value tensor) const;

  /// None where elements are no numbers.
  static std::optional<uint64_t> getBytesOfElement(mlir::Type element);

  /// What an open size is called, and what it would be if all sizes of inputs were
  /// `sampleSize`.
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
