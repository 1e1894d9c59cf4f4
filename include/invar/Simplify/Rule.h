// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites, each with a name under which it is listed, counted and switched on and off.
//
// A rule is anchored at the operator that uses the others: it looks up at what made its
// operands, never down. So one sweep from the top serves all rules, and what a rule makes
// is looked at before the sweep goes on.
//
//   // Pattern: Neg(Neg(x)) -> x
//   static LogicalResult dropDoubleNegation(NegOp op, Rewriting &rewriting) {
//     auto inner = op.getX().getDefiningOp<NegOp>();
//     if (!inner)
//       return failure();
//     rewriting.replace(op, inner.getX());
//     return success();
//   }
//
// Values are never computed by a rule. It makes operators of constants, and these fold as
// any others do:
//
//   Value scaled = rewriting.make<MulOp>(weight, factor);
//
// Each rule lowers something that cannot fall for ever (operators, or operands that are not
// constants), so that the sweep ends; its Pattern line says how.
#ifndef INVAR_SIMPLIFY_RULE_H
#define INVAR_SIMPLIFY_RULE_H

#include "invar/Dialect/ONNX/TypeInference.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"
#include <functional>

namespace invar {

class Rewriting;

/// What a rule does to numbers, by which it is on or off.
enum class RuleGroup : uint8_t {
  /// The same bits: always on.
  Exact,
  /// The same up to rounding, and measured: on unless --fuse=off.
  Fuse,
  /// Floats may round differently: only with --numerics=wide.
  Wide,
  /// Of use to some, and only on request.
  Asked,
};

struct Rule {
  llvm::StringLiteral name;
  RuleGroup group;
  /// Before and after, as in the comment above the function.
  llvm::StringLiteral pattern;
  /// The operators that it is anchored at, by their names in the dialect.
  llvm::SmallVector<llvm::StringLiteral, 1> anchors;
  llvm::LogicalResult (*apply)(mlir::Operation *, Rewriting &);
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
  bool fuse = true;
  bool wide = false;
  /// Names of rules to do without, and of rules to do besides.
  llvm::StringSet<> disabled, enabled;

  bool isOn(const Rule &rule) const;
};

/// What a rule changes a graph with.
class Rewriting {
public:
  Rewriting(onnx::TypeInference &inference, mlir::Operation *op)
      : inference(inference), builder(op), loc(op->getLoc()), anchor(op),
        before(op->getPrevNode()) {}

  /// The content of a constant, null where a value is not known to be one.
  const Elements *getConstant(mlir::Value value) const;
  bool isConstant(mlir::Value value) const {
    return getConstant(value) != nullptr;
  }
  /// The one number that all elements of a constant are.
  std::optional<double> getSplat(mlir::Value value) const;
  /// The numbers of a constant that lists axes, sizes or the like.
  std::optional<llvm::SmallVector<int64_t>> getInts(mlir::Value value) const;

  mlir::OpBuilder &getBuilder() { return builder; }

  /// Makes an operator before the one that is rewritten and infers its type. Null, and
  /// nothing made, if its operands contradict each other; then the rule must fail.
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

  /// Erases what was made and is not used: what a rule leaves behind that fails.
  void discard();

  /// Puts a copy of a graph's operators before the one that is rewritten. Returns what it
  /// yields for these arguments; none if that contradicts itself, and then the rule must
  /// fail.
  std::optional<llvm::SmallVector<mlir::Value>>
  copyGraph(mlir::Region &graph, mlir::ValueRange arguments);

  /// What has another operand now, for the driver to look at again.
  llvm::SmallVector<mlir::Operation *> takeChanged() {
    return std::exchange(changed, {});
  }
  bool isErased(mlir::Operation *op) const { return erased.contains(op); }
  /// What still stands before all that was made; null at the beginning of a graph.
  mlir::Operation *getPlaceBefore() const { return before; }

private:
  bool finish(mlir::Operation *op);
  void erase(mlir::Operation *op);

  onnx::TypeInference &inference;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Operation *anchor;
  mlir::Operation *before;
  llvm::SmallVector<mlir::Operation *> changed;
  llvm::DenseSet<mlir::Operation *> erased;
};

/// How often each rule was applied, by its name.
using RuleCounts = llvm::StringMap<unsigned>;

/// Applies all rules that are on to a graph that has been inferred, top down.
void applyRules(mlir::func::FuncOp graph, onnx::TypeInference &inference,
                const RuleOptions &options, RuleCounts &counts);

} // namespace invar

#endif // INVAR_SIMPLIFY_RULE_H
