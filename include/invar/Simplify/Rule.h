// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites, each with a name under which it is listed, counted, timed and switched on and
// off.
//
// A rule is anchored at the operator that uses the others: it looks up at what made its
// operands, never down. So one sweep from the top serves all rules (Simplify.h), and what
// a rule makes is looked at before the sweep goes on.
//
//   // Pattern: Neg(Neg(x)) -> x [two operators less]
//   static LogicalResult dropDoubleNegation(NegOp op, Rewriting &rewriting) {
//     auto inner = op.getX().getDefiningOp<NegOp>();
//     if (!inner)
//       return failure();
//     rewriting.replace(op, inner.getX());
//     return success();
//   }
//
//   rules.push_back(RuleFor<dropDoubleNegation>::get(
//       "drop-double", RuleGroup::Exact, "Neg(Neg(x)) -> x [two operators less]"));
//
// Values are never computed by a rule. It makes operators of constants, and these fold as
// any others do:
//
//   Value scaled = rewriting.make<MulOp>(weight, factor);
//
// Nor does a rule undo that: of Add(x, MatMul(a, b)), where a and b are constants, the product
// is one too, and Gemm(a, b, x) would compute it in every run. So make() refuses operators of
// variables that take constants out of the operators that compute others of them.
//
// In brackets stand the condition, where there is one, and the measure: what the rule has
// less of afterwards. Each measure cannot fall for ever, so that all of it ends.
#ifndef INVAR_SIMPLIFY_RULE_H
#define INVAR_SIMPLIFY_RULE_H

#include "invar/Dialect/ONNX/Adapter.h"
#include "invar/Dialect/ONNX/TypeInference.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"

namespace invar {

class Rewriting;

/// What a rule is for, by which it is on or off.
enum class RuleGroup : uint8_t {
  /// The same bits from no more operators: on.
  Exact,
  /// The same up to rounding, and measured: on unless --fuse=off.
  Fuse,
  /// Floats may round differently: only with --numerics=wide.
  Wide,
  /// One operator in terms of several simpler ones, for those who compile: on request.
  Decompose,
  /// Several operators that are one of a newer opset: a phase of its own, after all others.
  Recompose,
};

/// "exact", "fuse", "wide", "decompose" or "recompose".
llvm::StringRef getName(RuleGroup group);

struct Rule {
  llvm::StringLiteral name;
  RuleGroup group;
  /// Before, after, condition and measure, as in the comment above the function.
  llvm::StringLiteral pattern;
  /// The operators that it is anchored at, by their names in the dialect.
  llvm::SmallVector<llvm::StringLiteral, 1> anchors;
  /// Null for what the sweep does by itself at every operator.
  llvm::LogicalResult (*apply)(mlir::Operation *, Rewriting &);
  /// Whether it waits for recompositions, since it takes something from what these look for.
  bool isLate = group == RuleGroup::Recompose;
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

/// Which rules are on.
struct RuleOptions {
  bool exact = true;
  bool fuse = true;
  bool wide = false;
  bool decompose = false;
  bool recompose = true;
  /// Names of rules to do without, and of rules to do besides.
  llvm::StringSet<> disabled, enabled;

  bool isOn(const Rule &rule) const;
  bool isOn(llvm::StringRef name) const;
};

/// What a rule changes a graph with.
class Rewriting {
public:
  /// Who wants to know what goes.
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

  /// The version of ai.onnx that the model will be written in: what is made must exist
  /// there.
  int64_t getOpset() const { return opset; }

  onnx::Functions &getFunctions() const { return inference.getFunctions(); }

  /// The content of a constant, null where a value is not known to be one.
  const Elements *getConstant(mlir::Value value) const;
  bool isConstant(mlir::Value value) const {
    return getConstant(value) != nullptr;
  }
  /// The one number that all elements of a constant are.
  std::optional<double> getSplat(mlir::Value value) const;
  /// The numbers of a constant that lists axes, sizes or the like.
  std::optional<llvm::SmallVector<int64_t>> getInts(mlir::Value value) const;
  /// What is known of a list of integers, such as a target shape: numbers, and expressions
  /// over the names of sizes; none where it is no such list.
  std::optional<DimsExpr> getEntries(mlir::Value list) const;
  /// The sizes of a tensor; none where its rank is not known.
  std::optional<DimsExpr> getDims(mlir::Value tensor) const;

  mlir::OpBuilder &getBuilder() { return builder; }

  /// Makes an operator before the one that is rewritten and infers its type. Null, and
  /// nothing made, if its operands contradict each other, if the model's opset cannot express
  /// it, or if it would compute in every run what is constant; then the rule must fail.
  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    auto op =
        Op::create(builder, loc, onnx::UnknownType::get(builder.getContext()),
                   std::forward<Args>(args)...);
    return finish(op) ? op->getResult(0) : mlir::Value();
  }
  /// The same operator with other operands, and some other attributes; it has one result
  /// and no graphs.
  mlir::Value makeLike(mlir::Operation *op, mlir::ValueRange operands,
                       llvm::ArrayRef<mlir::NamedAttribute> changed = {});
  /// A constant.
  mlir::Value makeConstant(Elements content);
  /// A vector of integers, such as a shape or axes.
  mlir::Value makeInts(llvm::ArrayRef<int64_t> numbers);

  /// Puts `value` in the place of the operator's only result, or of `result`, under its
  /// name. The operator is erased when nothing uses it.
  void replace(mlir::Operation *op, mlir::Value value);
  void replace(mlir::OpResult result, mlir::Value value);
  /// The same for what make() returned: fails if that is null, as the rule must.
  llvm::LogicalResult tryReplace(mlir::Operation *op, mlir::Value value);
  /// Gives what stands for `old` from now on its name, unless a name of its own must stay.
  /// Nothing else may use `old` then.
  static void passName(mlir::Value old, mlir::Value value);
  /// Puts the operators of one of its graphs in the place of an operator, which is erased.
  /// The graph's arguments become `arguments`, and what it yields the results.
  void replaceByGraph(mlir::Operation *op, mlir::Region &graph,
                      mlir::ValueRange arguments);
  /// Takes an operator out of a graph of the one that is rewritten, and puts it before
  /// that.
  void hoist(mlir::Operation *op);
  /// Erases an operator that nothing uses, and what only it used.
  void erase(mlir::Operation *op);
  /// Gives an operator another operand.
  void setOperand(mlir::Operation *op, unsigned number, mlir::Value value);
  /// Puts a value in the place of any other, under a name of its own.
  void replaceUses(mlir::Value old, mlir::Value value);
  /// Puts an operator with these operands, without some results, which nothing uses, and
  /// with some other attributes in the place of one whose graphs it takes.
  mlir::Operation *rebuild(mlir::Operation *op, mlir::ValueRange operands,
                           const llvm::BitVector &goneResults,
                           llvm::ArrayRef<mlir::NamedAttribute> newAttributes);
  /// Takes arguments off a graph that nothing uses, or values that it yields.
  void eraseArguments(mlir::Block &graph, const llvm::BitVector &gone);
  void eraseYields(mlir::Block &graph, const llvm::BitVector &gone);

  /// Erases what was made and is not used: what a rule leaves behind that fails.
  void discard();

  /// Puts a copy of a graph's operators before the one that is rewritten. Returns what it
  /// yields for these arguments; none if that contradicts itself, and then the rule must
  /// fail.
  std::optional<llvm::SmallVector<mlir::Value>>
  copyGraph(mlir::Region &graph, mlir::ValueRange arguments);

  //===-- For the sweep -------------------------------------------------------------===//

  /// What has another operand now.
  llvm::ArrayRef<mlir::Operation *> getChanged() const { return changed; }
  /// What has an operand for itself now that it shared before.
  llvm::ArrayRef<mlir::Operation *> getFreed() const { return freed; }
  bool isErased(mlir::Operation *op) const { return erased.contains(op); }
  /// What still stands before all that was made; null at the beginning of a graph.
  mlir::Operation *getPlaceBefore() const { return before; }

private:
  bool finish(mlir::Operation *op);
  bool isWritable(mlir::Operation *op) const;
  /// Whether an operator of variables takes a constant that so far only went into others.
  bool computesConstants(mlir::Operation *op) const;
  void eraseAlone(mlir::Operation *op);
  /// Erases of values that are used less what nothing uses any more.
  void release(llvm::ArrayRef<mlir::Value> values);
  void eraseOperands(mlir::Operation *op, const llvm::BitVector &gone);
  /// Takes names off one of the lists that a graph's end has.
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
