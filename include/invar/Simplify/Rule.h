// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrite rules. Each has a name, under which it is listed, counted, timed, enabled and
// disabled.
//
// A rule is anchored at the last operator of its pattern. It inspects the producers of
// its operands, never its users. So one sweep from the top serves all rules
// (Simplify.h), and the sweep visits operators that a rule creates before it goes on.
//
//   static constexpr StringLiteral dropDoublePattern =
//       "Neg(Neg(x)) -> x [two operators less]";
//   static LogicalResult dropDouble(NegOp op, Rewriting &rewriting) {
//     auto inner = op.getX().getDefiningOp<NegOp>();
//     if (!inner)
//       return failure();
//     rewriting.replace(op, inner.getX());
//     return success();
//   }
//
//   rules.push_back(RuleFor<dropDouble>::get("drop-double", RuleGroup::Exact,
//                                            dropDoublePattern));
//
// A rule never computes values. It creates operators of constants, which are folded
// like all others:
//
//   Value scaled = rewriting.make<MulOp>(weight, factor);
//
// A rule must not undo folding. In Add(x, MatMul(a, b)) with constant a and b, the
// product is a constant; Gemm(a, b, x) would compute it in every run. So make() rejects
// a non-constant operator if it takes a constant whose other users all compute
// constants.
//
// The brackets contain the condition, if there is one, and the measure: the quantity
// that the rule decreases. No measure can decrease forever, so rewriting terminates.
#ifndef INVAR_SIMPLIFY_RULE_H
#define INVAR_SIMPLIFY_RULE_H

#include "invar/Dialect/ONNX/Adapter.h"
#include "invar/Dialect/ONNX/TypeInference.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

namespace invar {

class Rewriting;

/// The purpose of a rule. Rules are enabled by group.
enum class RuleGroup : uint8_t {
  /// The same bits from no more operators. Enabled by default.
  Exact,
  /// The same result up to rounding; the difference is measured on models. Enabled
  /// unless --fuse=off.
  Fuse,
  /// Floats may round differently. Enabled only by --numerics=wide.
  Wide,
  /// Replaces one operator by several simpler ones, for compilers. Enabled on request.
  Decompose,
  /// Replaces several operators by one of a newer opset, in a separate phase after all
  /// others.
  Recompose,
};

/// "exact", "fuse", "wide", "decompose" or "recompose".
llvm::StringRef getName(RuleGroup group);

struct Rule {
  llvm::StringLiteral name;
  RuleGroup group;
  /// Before, after, condition and measure.
  llvm::StringLiteral pattern;
  /// The operators that the rule is anchored at, by their names in the dialect.
  llvm::SmallVector<llvm::StringLiteral, 1> anchors;
  /// Null for rules that are implemented elsewhere: by the sweep, for every operator,
  /// or by the inliner.
  llvm::LogicalResult (*apply)(mlir::Operation *, Rewriting &);
  /// Whether the rule waits for the recompose phase, because it would destroy patterns
  /// that recompositions look for.
  bool isLate = group == RuleGroup::Recompose;
  /// Whether the rule is enabled before the lowering, if that differs from its group.
  std::optional<bool> isOnForLowering = std::nullopt;

  /// The same rule, enabled or disabled before the lowering, whatever its group.
  Rule forLowering(bool isOn) const {
    Rule rule = *this;
    rule.isOnForLowering = isOn;
    return rule;
  }
};

/// A rule that is anchored at operators of type Op.
template <auto Function> struct RuleFor;
template <typename Op, llvm::LogicalResult (*Function)(Op, Rewriting &)>
struct RuleFor<Function> {
  static Rule get(llvm::StringLiteral name, RuleGroup group,
                  llvm::StringLiteral pattern) {
    return {name,
            group,
            pattern,
            {Op::getOperationName()},
            [](mlir::Operation *op, Rewriting &rewriting) {
              return Function(mlir::cast<Op>(op), rewriting);
            }};
  }
};

/// A rule that is anchored at operators of several types.
template <typename... Ops>
Rule makeRuleFor(llvm::StringLiteral name, RuleGroup group,
                 llvm::StringLiteral pattern,
                 llvm::LogicalResult (*apply)(mlir::Operation *, Rewriting &)) {
  return {name, group, pattern, {Ops::getOperationName()...}, apply};
}

/// All rules, in the order in which they are tried.
llvm::ArrayRef<Rule> getRules();

/// Which rules are enabled.
struct RuleOptions {
  bool exact = true;
  bool fuse = true;
  bool wide = false;
  bool decompose = false;
  bool recompose = true;
  /// Whether the model is lowered next, and not written as ONNX. Rules say what that changes.
  bool lowers = false;
  /// Names of rules to disable, and of rules to enable in addition.
  llvm::StringSet<> disabled, enabled;

  bool isOn(const Rule &rule) const;
  bool isOn(llvm::StringRef name) const;
};

/// The interface through which a rule changes a graph.
class Rewriting {
public:
  /// Called before an operation is erased.
  class Observer {
  public:
    virtual void willErase(mlir::Operation *op) = 0;

  protected:
    ~Observer() = default;
  };

  Rewriting(onnx::TypeInference &inference, mlir::Operation *op, int64_t opset,
            const onnx::AdapterTable &adapters, Observer *observer)
      : inference(inference), builder(op), loc(op->getLoc()), anchor(op),
        before(op->getPrevNode()), opset(opset), adapters(adapters),
        observer(observer) {}

  /// The version of ai.onnx that the model will be written in. New operators must exist
  /// in it.
  int64_t getOpset() const { return opset; }

  onnx::Functions &getFunctions() const { return inference.getFunctions(); }

  /// The content of a constant; null if the value is not known to be one.
  const Elements *getConstant(mlir::Value value) const;
  bool isConstant(mlir::Value value) const {
    return getConstant(value) != nullptr;
  }
  /// The number that all elements of a constant are equal to.
  std::optional<double> getSplat(mlir::Value value) const;
  /// The numbers of a constant list, for example of axes or sizes.
  std::optional<llvm::SmallVector<int64_t>> getInts(mlir::Value value) const;
  /// The known entries of a list of integers, such as a target shape: numbers, and
  /// expressions over the names of sizes. None if the value is no such list.
  std::optional<DimsExpr> getEntries(mlir::Value list) const;
  /// The sizes of a tensor; none if its rank is unknown.
  std::optional<DimsExpr> getDims(mlir::Value tensor) const;

  mlir::OpBuilder &getBuilder() { return builder; }

  /// Creates an operator before the anchor and infers its type. Creates nothing and
  /// returns null if the operands contradict each other, if the model's opset cannot
  /// express the operator, or if it would compute a constant in every run. The rule
  /// must then fail.
  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    auto op =
        Op::create(builder, loc, onnx::UnknownType::get(builder.getContext()),
                   std::forward<Args>(args)...);
    return finish(op) ? op->getResult(0) : mlir::Value();
  }
  /// Creates the same operator with other operands, and with some attributes changed.
  /// The operator must have one result and no graphs.
  mlir::Value makeLike(mlir::Operation *op, mlir::ValueRange operands,
                       llvm::ArrayRef<mlir::NamedAttribute> changed = {});
  mlir::Value makeConstant(Elements content);
  /// Creates a vector of integers, such as a shape or axes.
  mlir::Value makeInts(llvm::ArrayRef<int64_t> numbers);

  /// Replaces the operator's only result, or `result`, by `value`, which takes over the
  /// name. Erases the operator when none of its results is used.
  void replace(mlir::Operation *op, mlir::Value value);
  void replace(mlir::OpResult result, mlir::Value value);
  /// Like replace(), for the result of make(): fails if that is null.
  llvm::LogicalResult tryReplace(mlir::Operation *op, mlir::Value value);
  /// Passes the name of `old` on to `value`, which replaces it, unless `value` must
  /// keep its own name. Nothing else may use `old` afterwards.
  static void passName(mlir::Value old, mlir::Value value);
  /// Replaces an operator by the operators of one of its graphs and erases it. The
  /// graph's arguments become `arguments`, and the values that it yields become the
  /// results.
  void replaceByGraph(mlir::Operation *op, mlir::Region &graph,
                      mlir::ValueRange arguments);
  /// Moves an operator out of a graph of the anchor to the place before the anchor.
  void hoist(mlir::Operation *op);
  /// Erases an unused operator, and all operators that only it used.
  void erase(mlir::Operation *op);
  /// Replaces one operand of an operator.
  void setOperand(mlir::Operation *op, unsigned number, mlir::Value value);
  /// Replaces all uses of a value by another value, which keeps its own name.
  void replaceUses(mlir::Value old, mlir::Value value);
  /// Replaces an operator by one with these operands, with some attributes changed, and
  /// without the results in `goneResults`, which must be unused. The new operator takes
  /// over the graphs.
  mlir::Operation *rebuild(mlir::Operation *op, mlir::ValueRange operands,
                           const llvm::BitVector &goneResults,
                           llvm::ArrayRef<mlir::NamedAttribute> newAttributes);
  /// Erases arguments of a graph, which must be unused, or values that it yields.
  void eraseArguments(mlir::Block &graph, const llvm::BitVector &gone);
  void eraseYields(mlir::Block &graph, const llvm::BitVector &gone);

  /// Erases operators that were created and are unused. Called after a rule has failed.
  void discard();

  /// Puts a copy of a graph's operators before the anchor. Returns the values that the
  /// graph yields for these arguments; none on a contradiction, and then the rule must
  /// fail.
  std::optional<llvm::SmallVector<mlir::Value>>
  copyGraph(mlir::Region &graph, mlir::ValueRange arguments);

  //===-- For the sweep -------------------------------------------------------------===//

  /// Operators that have a new operand.
  llvm::ArrayRef<mlir::Operation *> getChanged() const { return changed; }
  /// Operators that became the only user of one of their operands, or one of whose
  /// results became unused.
  llvm::ArrayRef<mlir::Operation *> getFreed() const { return freed; }
  bool isErased(mlir::Operation *op) const { return erased.contains(op); }
  /// The operator before everything that was created; null at the beginning of a graph.
  mlir::Operation *getPlaceBefore() const { return before; }

private:
  bool finish(mlir::Operation *op);
  bool isWritable(mlir::Operation *op) const;
  /// Whether `op` is no constant, but takes a constant that until now only computed
  /// other constants.
  bool computesConstants(mlir::Operation *op) const;
  void eraseAlone(mlir::Operation *op);
  /// For values that lost a use: erases their producers if these are dead, and so on
  /// upwards.
  void release(llvm::ArrayRef<mlir::Value> values);
  void eraseOperands(mlir::Operation *op, const llvm::BitVector &gone);
  /// Removes names from one of the name lists of a graph's terminator.
  void eraseGraphEnds(mlir::Block &graph, llvm::StringRef key,
                      const llvm::BitVector &gone);

  onnx::TypeInference &inference;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Operation *anchor;
  mlir::Operation *before;
  int64_t opset;
  const onnx::AdapterTable &adapters;
  Observer *observer;
  llvm::SmallVector<mlir::Operation *> changed, freed;
  llvm::DenseSet<mlir::Operation *> made, erased;
};

} // namespace invar

#endif // INVAR_SIMPLIFY_RULE_H
