// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scope of small graphs on which rules are tested exhaustively.
//
// A case is a graph of one or two operators, and the shapes of its inputs: numbers, or a
// name for an open size. Each case is simplified, then both graphs are computed for the
// same inputs by folding, and all bits must be the same. An open size is tested with all
// numbers from 0 to 4. To save time, one graph contains many cases, each with its own
// inputs; if one of them is rejected, such as a Squeeze of two elements, they are tested
// one by one.
#ifndef INVAR_UNITTESTS_SIMPLIFY_RULESCOPE_H
#define INVAR_UNITTESTS_SIMPLIFY_RULESCOPE_H

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Simplify/Simplify.h"
#include <functional>
#include <map>

namespace invar {

/// Creates operators; inference determines their types.
class Maker {
public:
  explicit Maker(mlir::OpBuilder &builder) : builder(builder) {}

  template <typename Op, typename... Args> mlir::Value make(Args &&...args) {
    return Op::create(builder, builder.getUnknownLoc(), getUnknown(),
                      std::forward<Args>(args)...)
        ->getResult(0);
  }
  mlir::Type getUnknown() const {
    return onnx::UnknownType::get(builder.getContext());
  }
  mlir::Value constant(Elements content);
  /// A vector or a scalar of 64-bit integers.
  mlir::Value ints(llvm::ArrayRef<int64_t> numbers);
  mlir::Value scalar(int64_t number);
  /// A tensor whose elements are counted from 1.
  mlir::Value counting(llvm::ArrayRef<int64_t> shape,
                       DataType type = DataType::Float32);
  mlir::IntegerAttr attr(int64_t number) {
    return builder.getI64IntegerAttr(number);
  }
  mlir::OpBuilder &getBuilder() { return builder; }

private:
  mlir::OpBuilder &builder;
};

/// The size of an axis that is named n.
inline constexpr int64_t anySize = mlir::ShapedType::kDynamic;

struct Input {
  llvm::SmallVector<int64_t> shape;
  DataType type = DataType::Float32;
  /// The elements: counted from 1 if this is empty, and repeated if the tensor has more.
  std::vector<double> numbers = {};
};

struct Case {
  /// For reports.
  std::string text;
  std::vector<Input> inputs;
  std::function<mlir::Value(Maker &, mlir::ValueRange)> make;
  /// The minimum of the open size.
  int64_t leastSize = 0;
};

/// An operator on one tensor.
struct Step {
  std::string text;
  /// Returns the rank of the result for an operand's rank; nullopt if the step does not
  /// fit.
  std::function<std::optional<int64_t>(int64_t)> getRank;
  std::function<mlir::Value(Maker &, mlir::Value)> make;
};

/// Tests cases and counts results.
class Scope {
public:
  void add(Case added);
  /// Adds a chain of operators on an input of this shape.
  void addChain(llvm::ArrayRef<const Step *> steps, Input input);
  /// Adds all pairs, for each of these inputs.
  void addPairs(llvm::ArrayRef<Step> producers, llvm::ArrayRef<Step> consumers,
                llvm::ArrayRef<Input> inputs);
  /// Tests the remaining cases that were added.
  void finish();

  /// The opset that graphs are written in; 0: the newest. Call finish() before it
  /// changes.
  int64_t opset = 0;
  /// How often rules were applied, by name.
  std::map<std::string, unsigned> applied;
  /// The number of simplified graphs, of compared results, of graphs that cannot run, and
  /// of wrong results.
  size_t numCases = 0, numCompared = 0, numRefused = 0, numWrong = 0;

private:
  using Results = std::vector<Elements>;

  void run(llvm::ArrayRef<Case> cases);
  mlir::OwningOpRef<mlir::ModuleOp> build(llvm::ArrayRef<Case> cases,
                                          std::optional<int64_t> size);
  mlir::OwningOpRef<mlir::ModuleOp>
  bind(mlir::ModuleOp module, llvm::ArrayRef<Case> cases, int64_t size);
  std::optional<Results> compute(mlir::ModuleOp module);
  void report(const Case &wrong, llvm::StringRef what);

  /// Replaced from time to time, because a context never frees its objects.
  std::unique_ptr<mlir::MLIRContext> context;
  size_t numRuns = 0;
  std::vector<Case> left;
};

/// Whether a rule must be tested: whether it is anchored at an operator that moves
/// elements, or names one in its pattern.
bool isInScope(const Rule &rule);

/// Lists of operators.
std::vector<Step> makeSlices(llvm::ArrayRef<int64_t> bounds,
                             llvm::ArrayRef<int64_t> steps, int64_t axis);
std::vector<Step> makePads(llvm::ArrayRef<int64_t> sizes);
std::vector<Step> makeConcats(llvm::ArrayRef<int64_t> sizes);
std::vector<Step> makeMovements();
std::vector<Step> makeReductions(bool isLong);
std::vector<Step> makeTransposes(int64_t rank);
std::vector<Step> makeUnaries();

/// Graphs that are not chains of operators.
void addJoins(Scope &scope);
void addCasts(Scope &scope);
void addShapes(Scope &scope);
void addWindows(Scope &scope);
void addProducts(Scope &scope);
void addOthers(Scope &scope);

} // namespace invar

#endif // INVAR_UNITTESTS_SIMPLIFY_RULESCOPE_H
