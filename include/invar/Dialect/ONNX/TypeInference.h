// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Infers the types of all values: element types, ranks, and sizes as numbers or names.
// If folding is enabled, it also computes the contents of values where possible.
//
// There is one sweep, from top to bottom: when an operator is visited, its operands are
// final. A size that is not a known number is an expression over the names of the
// inputs' dimensions. Types store it as text (#onnx.dims), so the IR contains
// everything that is known:
//
//   %y = onnx.Concat(%x, %x) {axis = 1} : … -> tensor<?x?xf32, #onnx.dims<"batch", "2*seq">>
//
// A size that depends on data gets a new name after its value, "nonzero.1". Small
// tensors of integers have known entries, numbers or expressions. So a Reshape to a
// shape that Shape, Gather and Concat compute has a known shape itself.
//
// Folding is part of the same sweep. A value is constant if its operator can compute it
// from constant operands (FoldOpInterface), or if all of its entries are numbers.
// Contents are stored outside the IR, which stays unchanged; the callers decide how to
// use them (ConstantPropagation.h). A loop whose inputs are constants is evaluated by
// visiting its body once per iteration.
//
// "Unknown" and "contradiction" differ: the first leaves a type open, the second is an
// error that names the node and the origin of its operands. A loop's body is visited
// until the types of its states no longer change. Sizes that change become names, ranks
// that change become unknown, so this takes a few rounds at most.
//
// Facts about names (stated by a user, or by an operator that needs two sizes to be
// equal) are applied to all types at the end. The needs of operators in a graph that
// may not run are not facts.
#ifndef INVAR_DIALECT_ONNX_TYPEINFERENCE_H
#define INVAR_DIALECT_ONNX_TYPEINFERENCE_H

#include "invar/Dialect/ONNX/Folding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace invar::onnx {

class AdapterTable;
class CallOp;
class CustomOp;
class FunctionOp;

/// Facts about a model's inputs that a user states.
struct ShapeFacts {
  struct Shape {
    std::string input;
    /// A number, a name, or empty to leave the size unchanged.
    std::vector<std::string> dims;
  };
  struct Range {
    std::string name;
    Bounds bounds;
  };
  std::vector<Shape> shapes;
  /// Ranges of named sizes; a range may be a single number.
  std::vector<Range> ranges;
};

/// The functions of a model, shared by the inference of all its graphs. Functions are
/// found by name without a search through the module for each call. None may be erased
/// while this object exists.
class Functions {
public:
  /// Returns the function that is called; null if there is none.
  FunctionOp find(CallOp call);
  /// Whether calling a function has no effect except its results.
  bool isPure(FunctionOp function);

private:
  friend class TypeInference;

  mlir::SymbolTableCollection tables;
  llvm::DenseSet<mlir::Operation *> pure;
  /// The number of operators visited in functions, for all calls.
  unsigned visits = 0;
};

class TypeInference {
public:
  /// Folds if `fold` is given.
  TypeInference(mlir::MLIRContext *context, Functions &functions,
                std::optional<FoldOptions> fold = std::nullopt);
  ~TypeInference();

  /// Sets the opset in which the model will be written, if it is not the model's own.
  void setTarget(int64_t opset) { target = opset; }

  /// Infers a whole graph. Emits an error and fails on a contradiction.
  llvm::LogicalResult run(mlir::func::FuncOp main,
                          const ShapeFacts &facts = {});

  /// The same in parts, for callers that do more than inference at each operator:
  /// begin(), then visit() from top to bottom, then finish(). finish() applies the
  /// facts about names to all types and entries, and calls `changed` for each value
  /// that this changed.
  llvm::LogicalResult begin(mlir::func::FuncOp main, const ShapeFacts &facts);
  void finish(mlir::func::FuncOp main,
              llvm::function_ref<void(mlir::Value)> changed = nullptr);

  /// Infers one operator, whose operands must have been inferred. Fails as run() does.
  llvm::LogicalResult visit(mlir::Operation *op);
  /// While this object exists, errors get notes about the origin of the operands.
  class NotedErrors : public mlir::ScopedDiagnosticHandler {
  public:
    explicit NotedErrors(TypeInference &inference);
  };
  /// While this object exists, visited operators are inside a graph that may not run,
  /// so their needs are not facts.
  class InGraph {
  public:
    explicit InGraph(TypeInference &inference) : inference(inference) {
      ++inference.conditions;
    }
    ~InGraph() { --inference.conditions; }
    InGraph(const InGraph &) = delete;

  private:
    TypeInference &inference;
  };
  /// Removes all information about an operator or a value that will be erased.
  void forget(mlir::Operation *op);
  void forget(mlir::Value value);

  /// The number of visited operators; operators in loops may count several times.
  unsigned getNumVisits() const { return numVisits; }

  /// The number of times that two sizes, both without unknown parts, turned out to be
  /// equal. The number of names bounds it.
  unsigned getNumEqualities() const { return numEqualities; }

  /// Returns the constant content of a value, null if it is not known to be constant.
  const FoldValue *getConstant(mlir::Value value) const;
  /// The same as an attribute; null also if the content is not a tensor.
  mlir::ElementsAttr getConstantAttr(mlir::Value value);
  /// Whether all results of an operator are constant.
  bool isConstant(mlir::Operation *op) const;
  /// Returns the known entries of a list of integers; empty if nothing is known.
  llvm::ArrayRef<Symbolic> getEntries(mlir::Value value) const {
    auto found = entries.find(value);
    return found == entries.end() ? llvm::ArrayRef<Symbolic>() : found->second;
  }
  /// Returns the reasons why operators with constant operands were not folded.
  const llvm::MapVector<mlir::Operation *, std::string> &getRefusals() const {
    return refusals;
  }

  /// Returns the time that folding an operator took, in microseconds.
  double getFoldTime(mlir::Operation *op) const { return foldTimes.lookup(op); }

  //===-- For operators -----------------------------------------------------------===//

  mlir::MLIRContext *getContext() const { return context; }
  Functions &getFunctions() const { return functions; }
  SymbolicContext &getSymbolicContext() { return symbolic; }
  void setType(mlir::Value value, mlir::Type type);
  /// Infers a graph whose arguments have these types, and returns the types of the
  /// yielded values.
  llvm::FailureOr<llvm::SmallVector<mlir::Type>>
  inferGraph(mlir::Region &graph, llvm::ArrayRef<mlir::Type> arguments,
             bool mayNotRun = true);
  /// Infers as much as possible of a graph that never runs; contradictions are ignored.
  void inferDeadGraph(mlir::Region &graph);
  /// Infers a graph again with other arguments; visits only operators that they affect.
  llvm::FailureOr<llvm::SmallVector<mlir::Type>>
  inferGraphAgain(mlir::Region &graph, llvm::ArrayRef<mlir::Type> arguments);
  /// Infers the called function, for this call.
  llvm::LogicalResult inferCall(CallOp call);
  /// Returns the type that covers both. Sizes that differ get a name after `value`, or
  /// no name if `value` is null: the elements of a sequence differ in size.
  mlir::Type join(mlir::Type left, mlir::Type right, mlir::Value value);
  /// Returns a tensor type of these sizes. Unknown sizes are named after `value`, if
  /// that is not null.
  mlir::Type getTensorType(const DimsExpr &dims, mlir::Type elementType,
                           mlir::Value value);
  /// Reads types, constants and entries, for operators that calculate with sizes.
  IndexExprBuilder &getBuilder();
  /// The sizes in a type.
  DimsExpr getDims(mlir::RankedTensorType type);
  /// Converts a type that a graph yields to one for a value outside. Sizes that are
  /// known only inside the graph may differ in each of its runs; they get a name after
  /// `value`.
  mlir::Type leaveGraph(mlir::Type type, mlir::Region &graph,
                        mlir::Value value);
  /// The sizes in such a type; those known only inside the graph are unknown.
  DimsExpr getDimsOutside(mlir::RankedTensorType type, mlir::Region &graph);
  /// Copies the known content of one value to another; removes the content of `to` if
  /// `from` is null.
  void copyContent(mlir::Value from, mlir::Value to);
  bool isFolding() const { return fold.has_value(); }
  const FoldOptions &getFoldOptions() const { return *fold; }
  void setConstant(mlir::Value value, FoldValue content);
  /// Evaluates a graph with these arguments; empty if a yielded value is not constant.
  /// Types in the graph are then those of this run: infer the graph again when all runs
  /// are done.
  std::optional<llvm::SmallVector<FoldValue>>
  evaluateGraph(mlir::Region &graph, llvm::ArrayRef<FoldValue> arguments);
  /// Records why an operator with graphs was not folded although its inputs are constant.
  void refuse(mlir::Operation *op, const llvm::Twine &reason) {
    refusals[op] = reason.str();
  }
  /// Whether graphs are nested so deeply that visiting this one several times would
  /// cost too much.
  bool isDeep() const { return conditions > 6; }

private:
  class Builder;
  friend class Builder;

  llvm::LogicalResult applyFacts(mlir::func::FuncOp main,
                                 const ShapeFacts &facts);
  llvm::LogicalResult applyRanges(mlir::func::FuncOp main,
                                  const ShapeFacts &facts);
  /// Returns null if the type has neither a number nor a name for the axis.
  Symbolic getSize(mlir::RankedTensorType type, int64_t axis);
  /// Visits all operators of a block. If `changed` is given, visits only operators that
  /// use a changed value or have graphs, and adds their results to `changed`.
  llvm::LogicalResult
  visitBlock(mlir::Block &block,
             llvm::DenseSet<mlir::Value> *changed = nullptr);
  void setEntries(mlir::Value value, llvm::SmallVector<Symbolic> list);
  void visitValues(mlir::Operation *op);
  bool foldEntries(mlir::OpResult result);
  /// Computes the results of an operator with constant operands, if possible. If
  /// `isWide`, floats of operands and results are doubles.
  llvm::Expected<FoldResult::Values> computeValues(FoldOpInterface op,
                                                   bool isWide);
  llvm::LogicalResult visitShapes(ShapeOpInterface op);
  llvm::SmallVector<Symbolic> computeEntries(EntriesOpInterface op,
                                             mlir::OpResult result);
  /// Converts a node that could not be adapted before to an operation, and visits that.
  llvm::LogicalResult visitCustom(CustomOp custom);
  void nameDims(mlir::Value input);
  void forget(mlir::Region &region);
  mlir::Type resolve(mlir::Type type);
  mlir::Type makeTensorType(llvm::ArrayRef<Symbolic> sizes,
                            mlir::Type elementType);
  /// Returns the name for an unknown size of a value.
  Symbolic getUnknownDim(mlir::Value value, int64_t axis);
  Symbolic parse(mlir::StringAttr text);
  mlir::StringAttr print(Symbolic expr);

  struct Constant {
    FoldValue value;
    /// Created on demand.
    mlir::ElementsAttr attribute;
    /// The same in double, in a chain of operators that does not round
    /// (Numerics::Wide).
    std::optional<Elements> wide;
  };

  mlir::MLIRContext *context;
  Functions &functions;
  std::optional<FoldOptions> fold;
  SymbolicContext symbolic;
  IndexExprScope scope;
  std::unique_ptr<Builder> builder;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Symbolic>> entries;
  llvm::DenseMap<mlir::Value, Constant> constants;
  llvm::MapVector<mlir::Operation *, std::string> refusals;
  llvm::DenseMap<mlir::Operation *, double> foldTimes;
  /// The names of unknown sizes, by axis, and the value of each name.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Symbolic>> unknownDims;
  llvm::DenseMap<Symbolic, mlir::Value> owners;
  /// The number of times that a name was already taken.
  llvm::StringMap<unsigned> timesNamed;
  llvm::DenseMap<mlir::StringAttr, Symbolic> parsed;
  llvm::DenseMap<Symbolic, mlir::StringAttr> printed;
  mlir::Operation *current = nullptr;
  /// The number of graphs around the current operator that may not run.
  unsigned conditions = 0;
  unsigned callDepth = 0;
  unsigned numEqualities = 0;
  unsigned numVisits = 0, visitsInLoops = 0;
  /// The call depth of the graph that is being evaluated, if there is one.
  std::optional<unsigned> evaluatedDepth;
  /// Created when the first node of an older form is visited.
  std::unique_ptr<AdapterTable> adapters;
  std::optional<int64_t> target;
};

/// Calls `visit` for each graph of a module that has a body. The facts apply to the
/// graph named main, or to the only one.
llvm::LogicalResult
forEachGraph(mlir::ModuleOp module, const ShapeFacts &facts,
             llvm::function_ref<llvm::LogicalResult(mlir::func::FuncOp,
                                                    const ShapeFacts &)>
                 visit);

/// Infers all functions of a module. The facts apply to the one named main, or to the
/// only one. Returns the number of visits.
llvm::FailureOr<unsigned> inferTypes(mlir::ModuleOp module,
                                     const ShapeFacts &facts = {});

/// The number of results in a model by how much of their shape is known. Constants and
/// the bodies of functions are not counted.
struct ShapeCounts {
  size_t known = 0, symbolic = 0, unknown = 0;
};
ShapeCounts countShapes(mlir::ModuleOp module);

/// Returns a type in the notation of ONNX users: "float[batch, 3, 224, 224]".
std::string describeType(mlir::Type type);

/// Returns the name of a value in the model, empty if it has none.
llvm::StringRef getValueName(mlir::Value value);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_TYPEINFERENCE_H
