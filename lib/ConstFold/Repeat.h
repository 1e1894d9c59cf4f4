// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that repeat a smaller one. Each axis of such a tensor consists of parts,
// outermost first. A part is an axis of the repeated tensor, or counts repetitions:
//
//   tensor<8xf32> broadcast to <4x8>          axes [4 times] [axis 0]
//   tensor<8x3xf32> tiled to <8x6>            axes [axis 0] [2 times, axis 1]
//   a constant of one number, <2x5>           axes [2 times] [5 times]
//
// Loops over such a tensor are loops over its parts.
#ifndef INVAR_LIB_CONSTFOLD_REPEAT_H
#define INVAR_LIB_CONSTFOLD_REPEAT_H

#include "Elementwise.h"

namespace invar {

struct Repeat {
  struct Part {
    int64_t size;
    std::optional<unsigned> axis; ///< of the source; none for repetitions
  };
  using Parts = llvm::SmallVector<Part, 1>;

  mlir::Value source; ///< a tensor or a number
  /// The content of a source that is one number everywhere; `axes` refers to no axis
  /// then.
  mlir::ElementsAttr splat;
  llvm::SmallVector<Parts> axes;

  static std::optional<Repeat> match(mlir::Value value);
  /// Whether an axis has both an axis of the source and repetitions.
  bool isInParts() const {
    return llvm::any_of(axes, [](const Parts &p) { return p.size() > 1; });
  }
};

/// The loops of an operation, each with one part or more.
class Loops {
public:
  explicit Loops(mlir::RankedTensorType type);

  /// Splits a loop into these parts; false if it is already split into others.
  bool split(unsigned loop, llvm::ArrayRef<Repeat::Part> into);
  bool isSplit(unsigned loop) const { return sizes[loop].size() > 1; }
  bool isAnySplit() const { return getNumParts() > sizes.size(); }

  unsigned getNumParts() const;
  llvm::SmallVector<int64_t> getSizes() const;
  /// The parts of each loop.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> getGroups() const;
  /// The number of a loop's first part.
  unsigned getFirst(unsigned loop) const;

private:
  llvm::SmallVector<llvm::SmallVector<int64_t, 1>> sizes;
};

/// The tensor that loops read instead of an operand: the repeated one, if the operand
/// repeats.
struct Source {
  mlir::Value value;
  mlir::ElementsAttr splat; ///< if it is one number everywhere
  llvm::SmallVector<mlir::AffineExpr> places;

  /// Builds a tensor or number, and the map from `numLoops` loops to it.
  LoopOperand build(mlir::OpBuilder &builder, unsigned numLoops) const;
};

/// Describes how split loops read `operand`. `repeat` is the repetition that the
/// operand is, or null.
Refusal readThrough(const LoopOperand &operand, const Repeat *repeat,
                    const Loops &loops, Source &source);

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_REPEAT_H
