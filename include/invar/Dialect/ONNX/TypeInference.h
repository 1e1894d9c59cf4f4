// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the types of all values: element types, ranks, sizes, and sizes by name; and, when
// it is asked to fold, what is known of their contents.
//
// One sweep, top down: when an operator is visited its operands are final. A size that no
// number is known for is an expression over the names of the inputs' dimensions, and
// types carry it as text (#onnx.dims), so the IR alone says what is known:
//
//   %y = onnx.Concat(%x, %x) {axis = 1} : … -> tensor<?x?xf32, #onnx.dims<"batch", "2*seq">>
//
// A size that depends on data gets a name of its own after its value, "nonzero.1".
// Small tensors of integers carry their entries along, numbers or expressions, so that a
// Reshape to what Shape, Gather and Concat made of a shape has a known shape itself.
//
// Folding is part of the same sweep: a value is constant if its operator says so when all
// operands are (FoldOpInterface), or if all of its entries are numbers. Contents stand
// beside the IR, which stays as it is; what to do with them is for others to decide
// (ConstantPropagation.h). So a loop whose inputs are constants is evaluated by visiting
// its body once an iteration.
//
// "Not known" and "contradiction" differ: the first leaves a type open, the second is an
// error that names the node, and where its operands came from. A loop's body is visited
// until the types of its states stay: sizes that change become names, ranks that change
// unknown, so that takes a few rounds at most.
//
// What is stated of names (by a user, or by an operator that needs two sizes to be one) is
// applied to all types at the end. What a graph that may not run needs is not a fact.
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

/// What a user states of a model's inputs.
struct ShapeFacts {
  struct Shape {
    std::string input;
    /// A number, a name, or empty for "as it is".
    std::vector<std::string> dims;
  };
  struct Range {
    std::string name;
    Bounds bounds;
  };
  std::vector<Shape> shapes;
  /// Sizes by name; also ranges of one number.
  std::vector<Range> ranges;
};

/// The functions of a model, for all graphs of it that are inferred: found by name without
/// a search through the module for each call. While this lives, none is erased.
class Functions {
public:
  /// The function that is called; null where there is none.
  FunctionOp find(CallOp call);
  /// Whether calling a function does nothing but give results.
  bool isPure(FunctionOp function);

private:
  friend class TypeInference;

  mlir::SymbolTableCollection tables;
  llvm::DenseSet<mlir::Operation *> pure;
  /// Operators that were visited in functions, for calls.
  unsigned visits = 0;
};

class TypeInference {
public:
  /// Folds if `fold` says how.
  TypeInference(mlir::MLIRContext *context, Functions &functions,
                std::optional<FoldOptions> fold = std::nullopt);
  ~TypeInference();

  /// States that the model is going to be written in an opset other than its own.
  void setTarget(int64_t opset) { target = opset; }

  /// Infers all of a graph. Fails, having emitted an error, on a contradiction.
  llvm::LogicalResult run(mlir::func::FuncOp main,
                          const ShapeFacts &facts = {});

  /// The same in parts, for who does more than to infer at each operator: begin(), then
  /// visit() from the top down, then finish(), which applies what was found out about names
  /// to all types and entries, and tells whose that changed.
  llvm::LogicalResult begin(mlir::func::FuncOp main, const ShapeFacts &facts);
  void finish(mlir::func::FuncOp main,
              llvm::function_ref<void(mlir::Value)> changed = nullptr);

  /// Infers one operator, whose operands have been inferred. Fails as run() does.
  llvm::LogicalResult visit(mlir::Operation *op);
  /// While this lives, an error says where the operands came from.
  class NotedErrors : public mlir::ScopedDiagnosticHandler {
  public:
    explicit NotedErrors(TypeInference &inference);
  };
  /// While this lives, what is visited is inside of a graph that may not run, so that
  /// what it needs is not a fact.
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
  /// Forgets all about an operator, or a value, that is going to be erased.
  void forget(mlir::Operation *op);
  void forget(mlir::Value value);

  /// How many operators were visited, some of them in loops several times.
  unsigned getNumVisits() const { return numVisits; }

  /// How many times two sizes turned out to be one, which both have names; there are only
  /// so many names.
  unsigned getNumEqualities() const { return numEqualities; }

  /// What a value is, null where it is not known to be constant.
  const FoldValue *getConstant(mlir::Value value) const;
  /// The same as an attribute; null also where it is not a tensor.
  mlir::ElementsAttr getConstantAttr(mlir::Value value);
  /// Whether all that an operator gives is constant.
  bool isConstant(mlir::Operation *op) const;
  /// What is known of the entries of a list of integers; empty where nothing is.
  llvm::ArrayRef<Symbolic> getEntries(mlir::Value value) const {
    auto found = entries.find(value);
    return found == entries.end() ? llvm::ArrayRef<Symbolic>() : found->second;
  }
  /// Why operators whose operands are constants were not folded.
  const llvm::MapVector<mlir::Operation *, std::string> &getRefusals() const {
    return refusals;
  }

  /// How long it took to fold an operator, in microseconds.
  double getFoldTime(mlir::Operation *op) const { return foldTimes.lookup(op); }

  //===-- For operators -----------------------------------------------------------===//

  mlir::MLIRContext *getContext() const { return context; }
  Functions &getFunctions() const { return functions; }
  SymbolicContext &getSymbolicContext() { return symbolic; }
  void setType(mlir::Value value, mlir::Type type);
  /// Infers a graph whose arguments have these types, and returns the types of what it
  /// yields.
  llvm::FailureOr<llvm::SmallVector<mlir::Type>>
  inferGraph(mlir::Region &graph, llvm::ArrayRef<mlir::Type> arguments,
             bool mayNotRun = true);
  /// Infers what it can of a graph that never runs: contradictions are no harm there.
  void inferDeadGraph(mlir::Region &graph);
  /// The same once more, with other arguments: visits only what they change.
  llvm::FailureOr<llvm::SmallVector<mlir::Type>>
  inferGraphAgain(mlir::Region &graph, llvm::ArrayRef<mlir::Type> arguments);
  /// Infers the function that is called, for this call.
  llvm::LogicalResult inferCall(CallOp call);
  /// What is true of both; sizes that differ get a name after `value`, or none if that is
  /// null: elements of a sequence each have their own.
  mlir::Type join(mlir::Type left, mlir::Type right, mlir::Value value);
  /// A tensor of these sizes, those not known named after `value`, if that is not null.
  mlir::Type getTensorType(const DimsExpr &dims, mlir::Type elementType,
                           mlir::Value value);
  /// Reads types, constants and entries; for operators that calculate with sizes.
  IndexExprBuilder &getBuilder();
  /// The sizes in a type.
  DimsExpr getDims(mlir::RankedTensorType type);
  /// A type that a graph yields, for a value outside: sizes that are only known in the
  /// graph, where each run may have its own, get a name after that value.
  mlir::Type leaveGraph(mlir::Type type, mlir::Region &graph,
                        mlir::Value value);
  /// The sizes in such a type, unknown where they are only known in the graph.
  DimsExpr getDimsOutside(mlir::RankedTensorType type, mlir::Region &graph);
  /// Gives a value what is known of the content of another, or nothing if that is null.
  void copyContent(mlir::Value from, mlir::Value to);
  bool isFolding() const { return fold.has_value(); }
  const FoldOptions &getFoldOptions() const { return *fold; }
  void setConstant(mlir::Value value, FoldValue content);
  /// What a graph yields for these arguments; none where it is not constant. Types in the
  /// graph are then those of this run; infer it again when all runs are done.
  std::optional<llvm::SmallVector<FoldValue>>
  evaluateGraph(mlir::Region &graph, llvm::ArrayRef<FoldValue> arguments);
  /// Says why an operator with graphs was not folded, though all it needs is constant.
  void refuse(mlir::Operation *op, const llvm::Twine &reason) {
    refusals[op] = reason.str();
  }
  /// So many graphs are around that going through this one several times would cost too
  /// much.
  bool isDeep() const { return conditions > 6; }

private:
  class Builder;
  friend class Builder;

  llvm::LogicalResult applyFacts(mlir::func::FuncOp main,
                                 const ShapeFacts &facts);
  llvm::LogicalResult applyRanges(mlir::func::FuncOp main,
                                  const ShapeFacts &facts);
  /// Null where the type has neither a number nor a name.
  Symbolic getSize(mlir::RankedTensorType type, int64_t axis);
  /// All operators of a block, or those that use what changed, which then changes too.
  llvm::LogicalResult
  visitBlock(mlir::Block &block,
             llvm::DenseSet<mlir::Value> *changed = nullptr);
  void setEntries(mlir::Value value, llvm::SmallVector<Symbolic> list);
  void visitValues(mlir::Operation *op);
  bool foldEntries(mlir::OpResult result);
  /// What an operator makes of constants, if it can; floats that it is given and gives are
  /// doubles where it is to fold wide.
  llvm::Expected<FoldResult::Values> computeValues(FoldOpInterface op,
                                                   bool isWide);
  llvm::LogicalResult visitShapes(ShapeOpInterface op);
  llvm::SmallVector<Symbolic> computeEntries(EntriesOpInterface op,
                                             mlir::OpResult result);
  /// Makes an operation of a node that was not understood before, and visits it.
  llvm::LogicalResult visitCustom(CustomOp custom);
  void nameDims(mlir::Value input);
  void forget(mlir::Region &region);
  mlir::Type resolve(mlir::Type type);
  mlir::Type makeTensorType(llvm::ArrayRef<Symbolic> sizes,
                            mlir::Type elementType);
  /// The name for a size of a value that is not known.
  Symbolic getUnknownDim(mlir::Value value, int64_t axis);
  Symbolic parse(mlir::StringAttr text);
  mlir::StringAttr print(Symbolic expr);

  struct Constant {
    FoldValue value;
    /// Made when it is asked for.
    mlir::ElementsAttr attribute;
    /// The same in double, of a chain that does not round (Numerics::Wide).
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
  /// Names of sizes that are not known, by axis, and back.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Symbolic>> unknownDims;
  llvm::DenseMap<Symbolic, mlir::Value> owners;
  /// How often a name was wanted that was there already.
  llvm::StringMap<unsigned> timesNamed;
  llvm::DenseMap<mlir::StringAttr, Symbolic> parsed;
  llvm::DenseMap<Symbolic, mlir::StringAttr> printed;
  mlir::Operation *current = nullptr;
  /// Graphs around the current operator that may not run.
  unsigned conditions = 0;
  unsigned callDepth = 0;
  unsigned numEqualities = 0;
  unsigned numVisits = 0, visitsInLoops = 0;
  /// The call depth of the graph that is being evaluated, if one is.
  std::optional<unsigned> evaluatedDepth;
  /// Made when a node of an older form is met.
  std::unique_ptr<AdapterTable> adapters;
  std::optional<int64_t> target;
};

/// Calls `visit` for each graph of a module that has a body. The facts are about the one
/// called main, or the only one.
llvm::LogicalResult
forEachGraph(mlir::ModuleOp module, const ShapeFacts &facts,
             llvm::function_ref<llvm::LogicalResult(mlir::func::FuncOp,
                                                    const ShapeFacts &)>
                 visit);

/// Infers all functions of a module; the facts are about the one called main, or the only
/// one. Returns the number of visits that it took.
llvm::FailureOr<unsigned> inferTypes(mlir::ModuleOp module,
                                     const ShapeFacts &facts = {});

/// Values of a model by what is known of them, constants and ends of graphs left out.
struct ShapeCounts {
  size_t known = 0, symbolic = 0, unknown = 0;
};
ShapeCounts countShapes(mlir::ModuleOp module);

/// A type as the standard's users write it: "float[batch, 3, 224, 224]".
std::string describeType(mlir::Type type);

/// The name of a value in the model, empty if it has none.
llvm::StringRef getValueName(mlir::Value value);

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_TYPEINFERENCE_H
