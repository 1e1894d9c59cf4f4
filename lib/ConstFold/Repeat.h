// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that say a smaller one again and again. Each axis of such a tensor consists of
// parts, outermost first; a part is an axis of what is repeated, or counts repetitions:
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
    std::optional<unsigned> axis; ///< of the source; none where it is repeated
  };
  using Parts = llvm::SmallVector<Part, 1>;

  mlir::Value source; ///< a tensor or a number
  /// The content of a source that is one number everywhere; it has no axes then.
  mlir::ElementsAttr splat;
  llvm::SmallVector<Parts> axes;

  static std::optional<Repeat> match(mlir::Value value);
  /// Whether an axis is both repeated and repeating.
  bool isInParts() const {
    return llvm::any_of(axes, [](const Parts &p) { return p.size() > 1; });
  }
};

/// The loops of an operation, each in one part or more.
class Loops {
public:
  explicit Loops(mlir::RankedTensorType type);

  /// Lets a loop go through these parts; false where it goes through others already.
  bool split(unsigned loop, llvm::ArrayRef<Repeat::Part> into);
  bool isSplit(unsigned loop) const { return sizes[loop].size() > 1; }
  bool isAnySplit() const { return getNumParts() > sizes.size(); }

  unsigned getNumParts() const;
  llvm::SmallVector<int64_t> getSizes() const;
  /// Which parts a loop has.
  llvm::SmallVector<llvm::SmallVector<int64_t, 2>> getGroups() const;
  /// The number of a loop's first part.
  unsigned getFirst(unsigned loop) const;

private:
  llvm::SmallVector<llvm::SmallVector<int64_t, 1>> sizes;
};

/// What loops read instead of an operand: what it repeats, if it does.
struct Source {
  mlir::Value value;
  mlir::ElementsAttr splat; ///< if it is one number everywhere
  llvm::SmallVector<mlir::AffineExpr> places;

  /// A tensor or number to read, by a map from `numLoops` loops.
  LoopOperand build(mlir::OpBuilder &builder, unsigned numLoops) const;
};

/// `operand` as loops read it that are split; `repeat` is what it is a repetition of, if any.
Refusal readThrough(const LoopOperand &operand, const Repeat *repeat,
                    const Loops &loops, Source &source);

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_REPEAT_H
