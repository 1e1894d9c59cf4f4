// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/TypeInference.h"

#include "invar/Dialect/ONNX/CreateOperation.h"
#include "invar/Stop/Scope.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Longer tensors of integers are data, not shapes.
static constexpr int64_t maxEntries = 256;

//===-- Reading what is known -------------------------------------------------===//

/// Reads sizes from types, and entries from those computed during the sweep.
class TypeInference::Builder : public IndexExprBuilderForAnalysis {
public:
  explicit Builder(TypeInference &inference)
      : IndexExprBuilderForAnalysis(inference.scope), inference(inference) {}

  bool assumeEqual(IndexExpr left, IndexExpr right) override {
    SymbolicContext &context = scope.getContext();
    Symbolic a = left.getSymbolic(context), b = right.getSymbolic(context);
    if (inference.conditions)
      return IndexExprBuilder::assumeEqual({context.resolve(a), scope},
                                           {context.resolve(b), scope});
    Symbolic x = context.resolve(a), y = context.resolve(b);
    if (!context.unify(a, b))
      return false;
    inference.numEqualities += x != y && !x->hasUnknown() && !y->hasUnknown() &&
                               context.resolve(x) == context.resolve(y);
    return true;
  }

protected:
  ElementsAttr getConst(Value value) override {
    if (inference.isFolding())
      return inference.getConstantAttr(value);
    return IndexExprBuilderForAnalysis::getConst(value);
  }

  Symbolic getValue(Value array, uint64_t i) override {
    auto found = inference.entries.find(array);
    if (found == inference.entries.end() || i >= found->second.size())
      return IndexExprBuilderForAnalysis::getValue(array, i);
    return scope.getContext().resolve(found->second[i]);
  }

  Symbolic getShape(Value value, uint64_t axis) override {
    auto type = cast<RankedTensorType>(value.getType());
    if (auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding()))
      if (axis < dims.getNames().size() && !dims.getNames()[axis].empty())
        return scope.getContext().resolve(
            inference.parse(dims.getNames()[axis]));
    return scope.getContext().resolve(inference.getUnknownDim(value, axis));
  }

private:
  TypeInference &inference;
};

TypeInference::TypeInference(MLIRContext *context, Functions &functions,
                             std::optional<FoldOptions> fold)
    : context(context), functions(functions), fold(std::move(fold)),
      scope(symbolic), builder(std::make_unique<Builder>(*this)) {}

TypeInference::~TypeInference() = default;

IndexExprBuilder &TypeInference::getBuilder() { return *builder; }

//===-- Writing what is found -------------------------------------------------===//

void TypeInference::setType(Value value, Type type) { value.setType(type); }

void TypeInference::setEntries(Value value, SmallVector<Symbolic> list) {
  if (list.empty())
    entries.erase(value);
  else
    entries[value] = std::move(list);
}

void TypeInference::copyContent(Value from, Value to) {
  if (const FoldValue *content = from ? getConstant(from) : nullptr)
    setConstant(to, *content);
  else
    constants.erase(to);
  SmallVector<Symbolic> list;
  std::optional<int64_t> count = builder->getArraySize(from);
  auto type = from ? dyn_cast<TensorType>(from.getType()) : nullptr;
  if (count && *count <= maxEntries && isa<IntegerType>(type.getElementType()))
    for (int64_t i = 0; i < *count; ++i)
      list.push_back(
          builder->getIntFromArrayAsSymbol(from, i).getSymbolic(symbolic));
  setEntries(to, std::move(list));
}

//===-- Visiting --------------------------------------------------------------===//

/// Returns the element type of a tensor, null if it is unknown.
static Type getKnownElement(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !isa<UnknownType>(tensor.getElementType())
             ? tensor.getElementType()
             : Type();
}

LogicalResult TypeInference::visitShapes(ShapeOpInterface op) {
  ShapeHelper shape(op, *builder);
  if (failed(shape.computeShape()))
    return failure();
  SmallVector<Type> bound = inferResultTypes(op);
  for (OpResult result : op->getResults()) {
    unsigned i = result.getResultNumber();
    // The operator's own element type takes precedence over its type variables.
    Type element = shape.getElementType(i);
    if (!element)
      element = getKnownElement(bound[i]);
    if (!element)
      element = getKnownElement(result.getType());
    if (!element) // Not a tensor, or the elements are unknown.
      setType(result, bound[i]);
    else if (shape.hasOutputDims(i))
      setType(result, getTensorType(shape.getOutputDims(i), element, result));
    else
      setType(result, UnrankedTensorType::get(element));
  }
  return success();
}

/// Returns the entries of a result, if it is a list of integers short enough to be a
/// shape.
SmallVector<Symbolic> TypeInference::computeEntries(EntriesOpInterface op,
                                                    OpResult result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  std::optional<int64_t> count = builder->getArraySize(result);
  auto integer = type ? dyn_cast<IntegerType>(type.getElementType()) : nullptr;
  if (!integer || !count || *count > maxEntries)
    return {};
  ShapeHelper shape(op, *builder);
  std::optional<DimsExpr> list =
      op.computeEntries(shape, result.getResultNumber());
  if (!list || int64_t(list->size()) != *count)
    return {};
  // A number that does not fit the type wraps around and is not a size any more.
  bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
  Bounds fitting =
      integer.getWidth() > 32 ? Bounds() : Bounds{INT32_MIN, INT32_MAX};
  if (isUnsigned)
    fitting.least = 0;
  return llvm::map_to_vector(*list, [&](IndexExpr entry) {
    bool fits = entry.isDefined() &&
                (!entry.isLiteral() || fitting.contains(entry.getLiteral()));
    return fits ? entry.getSymbolic(symbolic) : symbolic.makeUnknown(Bounds());
  });
}

LogicalResult TypeInference::visit(Operation *op) {
  ++numVisits;
  current = op;
  // Types are now known, so check constraints that could not be checked before.
  if (failed(op->getName().verifyInvariants(op)))
    return failure();
  for (Value result : op->getResults())
    constants.erase(result);
  refusals.erase(op);
  if (auto custom = dyn_cast<CustomOp>(op))
    return visitCustom(custom);
  if (auto types = dyn_cast<TypesOpInterface>(op)) {
    if (failed(types.inferTypes(*this)))
      return failure();
  } else if (auto shapes = dyn_cast<ShapeOpInterface>(op)) {
    if (failed(visitShapes(shapes)))
      return failure();
  }
  if (auto listed = dyn_cast<EntriesOpInterface>(op))
    for (OpResult result : op->getResults())
      setEntries(result, computeEntries(listed, result));
  if (isFolding())
    visitValues(op);
  return success();
}

/// Returns the version of a domain that the function or model around an operation
/// imports.
static std::optional<int64_t> getOpset(Operation *op, StringRef domain) {
  if (auto function = op->getParentOfType<FunctionOp>())
    return getVersion(function.getOpsetImports(), domain);
  return getVersion(getImports(op->getParentOfType<ModuleOp>()), domain);
}

LogicalResult TypeInference::visitCustom(CustomOp custom) {
  // An operation that fits the types of one run of a graph may not fit those of the next.
  if (evaluatedDepth == callDepth)
    return success();
  std::optional<int64_t> version = getOpset(custom, custom.getDomain());
  if (!version)
    return success();
  if (!adapters)
    adapters = std::make_unique<AdapterTable>();
  Operation *before = custom->getPrevNode();
  Block *block = custom->getBlock();
  bool isStandard = custom.getDomain().empty();
  Operation *op = adaptLate(custom, *adapters, *version,
                            isStandard ? target.value_or(*version) : *version);
  if (!op)
    return success();
  // Adapters may have inserted other operators before it.
  Operation *next = before ? before->getNextNode() : &block->front();
  for (;; next = next->getNextNode()) {
    if (failed(visit(next)))
      return failure();
    if (next == op)
      return success();
  }
}

LogicalResult TypeInference::visitBlock(Block &block,
                                        llvm::DenseSet<Value> *changed) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    // Not in visit(): a rule takes a failure there as a verdict on what it made.
    if (StopScope::isDue())
      return failure();
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    if (changed) {
      // Graphs use outer values that are not operands.
      bool isUser = op.getNumRegions() != 0 ||
                    llvm::any_of(op.getOperands(), [&](Value operand) {
                      return changed->contains(operand);
                    });
      if (!isUser)
        continue;
      // Also if their types are unchanged: an operator may inspect the producer of an
      // operand.
      changed->insert_range(op.getResults());
    }
    if (failed(visit(&op)))
      return failure();
  }
  return success();
}

FailureOr<SmallVector<Type>> TypeInference::inferGraph(Region &graph,
                                                       ArrayRef<Type> arguments,
                                                       bool mayNotRun) {
  conditions += mayNotRun;
  Operation *outer = current;
  llvm::scope_exit leave([&] {
    conditions -= mayNotRun;
    current = outer;
  });
  Block &block = graph.front();
  for (auto [argument, type] : llvm::zip(block.getArguments(), arguments))
    setType(argument, type);
  if (failed(visitBlock(block)))
    return failure();
  return SmallVector<Type>(block.back().getOperandTypes());
}

void TypeInference::inferDeadGraph(Region &graph) {
  ScopedDiagnosticHandler ignore(context, [](Diagnostic &) {});
  if (succeeded(inferGraph(graph, {})))
    return;
  // The inferred types contradict each other; remove shapes so that the IR stays valid.
  graph.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (!op->hasTrait<OpTrait::ConstantLike>())
        setType(result, withoutShape(result.getType()));
  });
}

FailureOr<SmallVector<Type>>
TypeInference::inferGraphAgain(Region &graph, ArrayRef<Type> arguments) {
  ++conditions;
  Operation *outer = current;
  llvm::scope_exit leave([&] {
    --conditions;
    current = outer;
  });
  Block &block = graph.front();
  llvm::DenseSet<Value> changed;
  for (auto [argument, type] : llvm::zip(block.getArguments(), arguments))
    if (argument.getType() != type) {
      argument.setType(type);
      changed.insert(argument);
    }
  if (failed(visitBlock(block, &changed)))
    return failure();
  return SmallVector<Type>(block.back().getOperandTypes());
}

//===-- The model -------------------------------------------------------------===//

void TypeInference::nameDims(Value input) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (type && !type.hasStaticShape())
    input.setType(getTensorType(builder->getShapeAsDims(input),
                                type.getElementType(), input));
}

LogicalResult TypeInference::begin(func::FuncOp main, const ShapeFacts &facts) {
  for (Value input : main.getArguments())
    nameDims(input);
  if (failed(applyFacts(main, facts)) || failed(applyRanges(main, facts)))
    return failure();
  for (Value input : main.getArguments())
    input.setType(resolve(input.getType()));
  return success();
}

void TypeInference::finish(func::FuncOp main,
                           llvm::function_ref<void(Value)> changed) {
  current = nullptr;
  auto resolveValue = [&](Value value) {
    Type type = resolve(value.getType());
    if (type == value.getType())
      return;
    value.setType(type);
    if (changed)
      changed(value);
  };
  // Without definitions of names, types and entries are already final.
  if (symbolic.getNumDefinitions()) {
    main.walk([&](Operation *op) {
      llvm::for_each(op->getResults(), resolveValue);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), resolveValue);
    });
    SmallVector<Value> resolved;
    for (auto &[value, list] : entries) {
      bool isOld = false;
      for (Symbolic &entry : list) {
        Symbolic known = symbolic.resolve(entry);
        isOld |= known != entry;
        entry = known;
      }
      if (isOld)
        resolved.push_back(value);
    }
    if (changed)
      llvm::for_each(resolved, changed);
  }
  main.setFunctionType(FunctionType::get(
      context, main.getBody().getArgumentTypes(),
      main.getBody().front().getTerminator()->getOperandTypes()));
}

/// Adds notes about the origin of the operands to an error about an operator.
static void noteOperands(Operation *op, Diagnostic &error) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    StringRef name = getValueName(operand);
    error.attachNote(operand.getLoc())
        << "operand " << i << (name.empty() ? "" : " '") << name
        << (name.empty() ? "" : "'") << " is "
        << describeType(operand.getType());
  }
}

TypeInference::NotedErrors::NotedErrors(TypeInference &inference)
    : ScopedDiagnosticHandler(inference.context, [&](Diagnostic &diagnostic) {
        if (inference.current &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          noteOperands(inference.current, diagnostic);
        return failure(); // Other handlers print it.
      }) {}

LogicalResult TypeInference::run(func::FuncOp main, const ShapeFacts &facts) {
  NotedErrors notes(*this);
  if (failed(begin(main, facts)) || failed(visitBlock(main.getBody().front())))
    return failure();
  finish(main);
  return success();
}

LogicalResult invar::onnx::forEachGraph(
    ModuleOp module, const ShapeFacts &facts,
    llvm::function_ref<LogicalResult(func::FuncOp, const ShapeFacts &)> visit) {
  auto graphs = module.getOps<func::FuncOp>();
  bool isOnly = llvm::hasSingleElement(graphs);
  for (func::FuncOp graph : graphs) {
    if (graph.isExternal())
      continue;
    bool isMeant = isOnly || graph.getSymName() == "main";
    if (failed(visit(graph, isMeant ? facts : ShapeFacts())))
      return failure();
  }
  return success();
}

FailureOr<unsigned> invar::onnx::inferTypes(ModuleOp module,
                                            const ShapeFacts &facts) {
  unsigned visits = 0;
  Functions functions;
  LogicalResult done = forEachGraph(
      module, facts, [&](func::FuncOp graph, const ShapeFacts &itsFacts) {
        // Names in different graphs are unrelated.
        TypeInference inference(module.getContext(), functions);
        LogicalResult inferred = inference.run(graph, itsFacts);
        visits += inference.getNumVisits();
        return inferred;
      });
  if (failed(done))
    return failure();
  return visits;
}

ShapeCounts invar::onnx::countShapes(ModuleOp module) {
  ShapeCounts counts;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<FunctionOp>(op))
      return WalkResult::skip(); // Each call has its own types.
    if (op->hasTrait<OpTrait::ConstantLike>())
      return WalkResult::advance();
    for (Value result : op->getResults()) {
      Type type = result.getType();
      while (auto sequence = dyn_cast<SequenceType>(type))
        type = sequence.getElementType();
      while (auto optional = dyn_cast<OptionalType>(type))
        type = optional.getElementType();
      auto tensor = dyn_cast<RankedTensorType>(type);
      ++(!tensor                   ? counts.unknown
         : tensor.hasStaticShape() ? counts.known
                                   : counts.symbolic);
    }
    return WalkResult::advance();
  });
  return counts;
}
