// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scope of small graphs in which rules are tried on everything there is.
//
// A case is a graph of one or two operators, and the shape of its inputs: numbers, or a name
// for a size that is open. Each case is simplified, then both graphs are computed for the same
// inputs by folding, and all bits must be the same. An open size is tried as all numbers from
// 0 to 4. Many cases lie side by side in one graph, each with inputs of its own, to save time;
// where one of them is refused, as a Squeeze of two elements is, they are tried one by one.
#ifndef INVAR_UNITTESTS_SIMPLIFY_RULESCOPE_H
#define INVAR_UNITTESTS_SIMPLIFY_RULESCOPE_H

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Simplify/Simplify.h"
#include <functional>
#include <map>

namespace invar {

/// Makes operators, whose types inference finds.
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
  /// A vector, or a scalar, of 64-bit integers.
  mlir::Value ints(llvm::ArrayRef<int64_t> numbers);
  mlir::Value scalar(int64_t number);
  /// A tensor that counts its elements from 1.
  mlir::Value counting(llvm::ArrayRef<int64_t> shape,
                       DataType type = DataType::Float32);
  mlir::IntegerAttr attr(int64_t number) {
    return builder.getI64IntegerAttr(number);
  }
  mlir::OpBuilder &getBuilder() { return builder; }

private:
  mlir::OpBuilder &builder;
};

/// The size of an axis that is called n.
inline constexpr int64_t anySize = mlir::ShapedType::kDynamic;

struct Input {
  llvm::SmallVector<int64_t> shape;
  DataType type = DataType::Float32;
  /// What it is; counted from 1 where that is empty, and one of it where there is more.
  std::vector<double> numbers = {};
};

struct Case {
  /// For reports.
  std::string text;
  std::vector<Input> inputs;
  std::function<mlir::Value(Maker &, mlir::ValueRange)> make;
  /// The least that the open size is.
  int64_t leastSize = 0;
};

/// An operator on one tensor.
struct Step {
  std::string text;
  /// The rank of its result for an operand of this rank; none where it does not fit.
  std::function<std::optional<int64_t>(int64_t)> getRank;
  std::function<mlir::Value(Maker &, mlir::Value)> make;
};

/// Tries cases, and counts.
class Scope {
public:
  void add(Case added);
  /// One operator after another on an input of this shape.
  void addChain(llvm::ArrayRef<const Step *> steps, Input input);
  /// All pairs, for each of these inputs.
  void addPairs(llvm::ArrayRef<Step> producers, llvm::ArrayRef<Step> consumers,
                llvm::ArrayRef<Input> inputs);
  /// Tries what is left of those that were added.
  void finish();

  /// The opset that graphs are going to be written in; 0: the newest. Those that were added
  /// before it changes must be tried before.
  int64_t opset = 0;
  /// How often rules were applied, by name.
  std::map<std::string, unsigned> applied;
  /// Graphs that were simplified, results that were compared, graphs that nothing can run, and
  /// what came out wrong.
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

  /// A new one now and then: what a context has made once it keeps.
  std::unique_ptr<mlir::MLIRContext> context;
  size_t numRuns = 0;
  std::vector<Case> left;
};

/// The operators that rules on moved elements are about, by their names: a rule that is
/// anchored at one, or names one in its pattern, is to be tried.
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

/// Graphs of other forms than one operator after another.
void addJoins(Scope &scope);
void addCasts(Scope &scope);
void addShapes(Scope &scope);
void addWindows(Scope &scope);
void addProducts(Scope &scope);
void addOthers(Scope &scope);

} // namespace invar

#endif // INVAR_UNITTESTS_SIMPLIFY_RULESCOPE_H
