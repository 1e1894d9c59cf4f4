// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/TypeInference.h"

#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Longer tensors of integers are data, not shapes.
static constexpr int64_t maxEntries = 256;
/// Names past this length help nobody.
static constexpr size_t maxNameLength = 160;

//===-- Reading what is known -------------------------------------------------===//

/// Sizes from types, entries from what was found on the way.
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
    return context.unify(a, b);
  }

protected:
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

TypeInference::TypeInference(MLIRContext *context)
    : context(context), scope(symbolic),
      builder(std::make_unique<Builder>(*this)) {}

TypeInference::~TypeInference() = default;

IndexExprBuilder &TypeInference::getBuilder() { return *builder; }

Symbolic TypeInference::parse(StringAttr text) {
  Symbolic &expr = parsed[text];
  if (!expr)
    expr = symbolic.parse(text.getValue());
  return expr;
}

StringAttr TypeInference::print(Symbolic expr) {
  StringAttr &text = printed[expr];
  if (!text)
    text = StringAttr::get(context, toString(expr));
  return text;
}

StringRef invar::onnx::getValueName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto main = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = main ? main.getArgAttrOfType<StringAttr>(
                           argument.getArgNumber(), attr::name)
                     : StringAttr();
    return name ? name.getValue() : StringRef();
  }
  auto result = cast<OpResult>(value);
  auto names = result.getOwner()->getAttrOfType<ArrayAttr>(attr::outputs);
  if (!names || names.size() != result.getOwner()->getNumResults())
    return "";
  auto name = dyn_cast<StringAttr>(names[result.getResultNumber()]);
  return name ? name.getValue() : StringRef();
}

Symbolic TypeInference::getUnknownDim(Value value, int64_t axis) {
  Symbolic &atom = unknownDims[{value, axis}];
  if (atom)
    return atom;
  StringRef base = getValueName(value);
  std::string stem =
      ((base.empty() ? "unnamed" : base) + "." + Twine(axis)).str();
  std::string name = stem;
  // Values in different graphs may share a name, but not a size.
  for (unsigned i = 1; symbolic.hasAtom(name); ++i)
    name = stem + "." + std::to_string(i);
  atom = symbolic.getAtom(name);
  owners[atom] = value;
  return atom;
}

//===-- Writing what is found -------------------------------------------------===//

void TypeInference::setType(Value value, Type type) {
  if (value.getType() == type)
    return;
  value.setType(type);
  changed.insert(value);
}

Type TypeInference::getTensorType(const DimsExpr &dims, Type elementType,
                                  Value value) {
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  bool hasNames = false;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    Symbolic size = symbolic.resolve(dim.getSymbolic(symbolic));
    if (size->isConstant() && size->getConstant() >= 0) {
      shape.push_back(size->getConstant());
      names.push_back(StringAttr::get(context));
      continue;
    }
    if (size->isUndefined() || size->hasUnknown() || size->isConstant() ||
        print(size).size() > maxNameLength)
      size = symbolic.resolve(getUnknownDim(value, axis));
    shape.push_back(size->isConstant() ? size->getConstant()
                                       : ShapedType::kDynamic);
    names.push_back(size->isConstant() ? StringAttr::get(context)
                                       : print(size));
    hasNames |= !size->isConstant();
  }
  return RankedTensorType::get(shape, elementType,
                               hasNames ? DimsAttr::get(context, names)
                                        : DimsAttr());
}

Type TypeInference::join(Type left, Type right, Value value) {
  if (left == right || isa<UnknownType>(right))
    return left;
  if (isa<UnknownType>(left))
    return right;
  if (auto a = dyn_cast<SequenceType>(left))
    if (auto b = dyn_cast<SequenceType>(right))
      return SequenceType::get(
          context, join(a.getElementType(), b.getElementType(), value));
  if (auto a = dyn_cast<OptionalType>(left))
    if (auto b = dyn_cast<OptionalType>(right))
      return OptionalType::get(
          context, join(a.getElementType(), b.getElementType(), value));
  auto a = dyn_cast<TensorType>(left), b = dyn_cast<TensorType>(right);
  if (!a || !b || a.getElementType() != b.getElementType())
    return UnknownType::get(context);
  auto x = dyn_cast<RankedTensorType>(left),
       y = dyn_cast<RankedTensorType>(right);
  if (!x || !y || x.getRank() != y.getRank())
    return UnrankedTensorType::get(a.getElementType());
  DimsExpr dims;
  for (auto [p, q] : llvm::zip(getDims(x), getDims(y)))
    dims.push_back(p.isKnownEqual(q) ? p : scope.getQuestionmark());
  return getTensorType(dims, a.getElementType(), value);
}

DimsExpr TypeInference::getDims(RankedTensorType type) {
  DimsExpr dims;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    Symbolic size = getSize(type, axis);
    dims.push_back(size ? scope.getAsDim(size) : scope.getQuestionmark());
  }
  return dims;
}

/// Whether an expression is made of a name that was given inside a graph.
static bool isBornIn(Symbolic expr, Region &graph,
                     const llvm::DenseMap<Symbolic, Value> &owners) {
  if (Value owner = owners.lookup(expr))
    return graph.isAncestor(owner.getParentRegion());
  return llvm::any_of(expr->getOperands(), [&](Symbolic operand) {
    return isBornIn(operand, graph, owners);
  });
}

Type TypeInference::leaveGraph(Type type, Region &graph, Value value) {
  if (auto sequence = dyn_cast<SequenceType>(type))
    return SequenceType::get(
        context, leaveGraph(sequence.getElementType(), graph, value));
  if (auto optional = dyn_cast<OptionalType>(type))
    return OptionalType::get(
        context, leaveGraph(optional.getElementType(), graph, value));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return type;
  DimsExpr dims;
  for (int64_t axis = 0; axis < tensor.getRank(); ++axis) {
    Symbolic size = getSize(tensor, axis);
    dims.push_back(size && !isBornIn(size, graph, owners)
                       ? scope.getAsDim(size)
                       : scope.getQuestionmark());
  }
  return getTensorType(dims, tensor.getElementType(), value);
}

Symbolic TypeInference::getSize(RankedTensorType type, int64_t axis) {
  if (!type.isDynamicDim(axis))
    return symbolic.getConstant(type.getDimSize(axis));
  auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  if (!dims || axis >= int64_t(dims.getNames().size()) ||
      dims.getNames()[axis].empty())
    return nullptr;
  return symbolic.resolve(parse(dims.getNames()[axis]));
}

//===-- Visiting --------------------------------------------------------------===//

/// The type that the operator gives the result, or that its type variables give it.
Type TypeInference::getElementType(Operation *op, unsigned result,
                                   Type computed) {
  if (computed)
    return computed;
  auto element = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && !isa<UnknownType>(tensor.getElementType())
               ? tensor.getElementType()
               : Type();
  };
  if (Type bound = element(inferResultTypes(op)[result]))
    return bound;
  return element(op->getResult(result).getType());
}

LogicalResult TypeInference::visitShapes(ShapeOpInterface op) {
  ShapeHelper shape(op, *builder);
  if (failed(shape.computeShape()))
    return failure();
  for (OpResult result : op->getResults()) {
    unsigned i = result.getResultNumber();
    Type element = getElementType(op, i, shape.getElementType(i));
    if (!element) {
      // Not a tensor, or nothing says what it holds.
      setType(result, inferResultTypes(op)[i]);
      continue;
    }
    Type type = shape.hasOutputDims(i)
                    ? getTensorType(shape.getOutputDims(i), element, result)
                    : UnrankedTensorType::get(element);
    setType(result, type);
  }
  return success();
}

LogicalResult TypeInference::visit(Operation *op) {
  ++numVisits;
  current = op;
  // With types now known, constraints can be checked that could not be before.
  if (failed(op->getName().verifyInvariants(op)))
    return failure();
  for (Value result : op->getResults())
    entries.erase(result);
  if (auto types = dyn_cast<TypesOpInterface>(op)) {
    if (failed(types.inferTypes(*this)))
      return failure();
  } else if (auto shapes = dyn_cast<ShapeOpInterface>(op)) {
    if (failed(visitShapes(shapes)))
      return failure();
  }
  auto entriesOf = dyn_cast<EntriesOpInterface>(op);
  if (!entriesOf)
    return success();
  for (OpResult result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    std::optional<int64_t> count = builder->getArraySize(result);
    if (!type || !isa<IntegerType>(type.getElementType()) || !count ||
        *count > maxEntries)
      continue;
    ShapeHelper shape(op, *builder);
    std::optional<DimsExpr> list =
        entriesOf.computeEntries(shape, result.getResultNumber());
    if (!list || int64_t(list->size()) != *count)
      continue;
    // A number that does not fit wraps around; that is no shape any more.
    unsigned width = cast<IntegerType>(type.getElementType()).getWidth();
    SmallVector<Symbolic> &found = entries[result];
    for (IndexExpr entry : *list) {
      bool fits =
          entry.isDefined() &&
          (!entry.isLiteral() || width > 32 ||
           (entry.isAtLeast(type.getElementType().isInteger(1) ||
                                    type.getElementType().isUnsignedInteger()
                                ? 0
                                : INT32_MIN) &&
            entry.getLiteral() <= INT32_MAX));
      found.push_back(fits ? entry.getSymbolic(symbolic)
                           : symbolic.makeUnknown(Bounds()));
    }
  }
  return success();
}

LogicalResult TypeInference::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (!op.hasTrait<OpTrait::IsTerminator>() && failed(visit(&op)))
      return failure();
  return success();
}

FailureOr<SmallVector<Type>>
TypeInference::inferGraph(Region &graph, ArrayRef<Type> arguments) {
  ++conditions;
  Operation *outer = current;
  auto leave = llvm::make_scope_exit([&] {
    --conditions;
    current = outer;
  });
  Block &block = graph.front();
  for (auto [argument, type] : llvm::zip(block.getArguments(), arguments))
    setType(argument, type);
  if (failed(visitBlock(block)))
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

LogicalResult TypeInference::applyFacts(func::FuncOp main,
                                        const ShapeFacts &facts) {
  for (const ShapeFacts::Shape &fact : facts.shapes) {
    auto arguments = main.getArguments();
    auto found = llvm::find_if(arguments, [&](Value argument) {
      return getValueName(argument) == fact.input;
    });
    if (found == arguments.end()) {
      InFlightDiagnostic error = main.emitError("expected an input for the "
                                                "shape of '")
                                 << fact.input << "', but the inputs are ";
      llvm::interleaveComma(arguments, error, [&](Value argument) {
        error << "'" << getValueName(argument) << "'";
      });
      return error;
    }
    auto type = dyn_cast<TensorType>(found->getType());
    if (!type)
      return emitError(found->getLoc())
             << "expected a tensor to have a shape, but got "
             << found->getType();
    if (type.hasRank() && type.getRank() != int64_t(fact.dims.size()))
      return emitError(found->getLoc())
             << "expected a shape of rank " << type.getRank()
             << ", which the model gives it, but got one of rank "
             << fact.dims.size();
    DimsExpr dims;
    for (auto [axis, text] : llvm::enumerate(fact.dims)) {
      IndexExpr was = type.hasRank() ? builder->getShapeAsDim(*found, axis)
                                     : scope.getQuestionmark();
      if (text.empty()) {
        dims.push_back(was);
        continue;
      }
      int64_t number;
      IndexExpr is = StringRef(text).getAsInteger(10, number)
                         ? scope.getAsDim(symbolic.parse(text))
                         : IndexExpr(number);
      if (!builder->assumeEqual(was, is)) {
        std::string given;
        llvm::raw_string_ostream(given) << was;
        return emitError(found->getLoc())
               << "expected axis " << axis << " to have size " << given
               << ", which the model gives it, but got '" << text << "'";
      }
      dims.push_back(is);
    }
    found->setType(getTensorType(dims, type.getElementType(), *found));
  }
  return success();
}

LogicalResult TypeInference::applyRanges(func::FuncOp main,
                                         const ShapeFacts &facts) {
  llvm::SmallSetVector<StringRef, 8> names;
  for (Value argument : main.getArguments())
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      if (auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding()))
        for (StringAttr name : dims.getNames())
          if (!name.empty())
            names.insert(name.getValue());
  for (const ShapeFacts::Range &fact : facts.ranges) {
    if (!names.contains(fact.name)) {
      InFlightDiagnostic error = main.emitError("expected a dimension of the "
                                                "inputs, but got '")
                                 << fact.name << "'; ";
      if (names.empty())
        return error << "all of them are numbers";
      error << "there are ";
      llvm::interleaveComma(
          names, error, [&](StringRef name) { error << "'" << name << "'"; });
      return error;
    }
    Symbolic dim = symbolic.resolve(symbolic.parse(fact.name));
    bool possible =
        fact.bounds.least == fact.bounds.most
            ? symbolic.unify(dim, symbolic.getConstant(fact.bounds.least))
        : dim->isAtom() ? symbolic.setBounds(dim, fact.bounds)
                        : dim->getBounds().least <= fact.bounds.most &&
                              dim->getBounds().most >= fact.bounds.least;
    if (!possible) {
      InFlightDiagnostic error = main.emitError("expected '")
                                 << fact.name << "' to be ";
      if (dim->isConstant())
        error << dim->getConstant();
      else
        error << "from " << dim->getBounds().least << " to "
              << dim->getBounds().most;
      error << ", but got " << fact.bounds.least;
      if (fact.bounds.most != fact.bounds.least)
        error << " to " << fact.bounds.most;
      return error;
    }
  }
  return success();
}

Type TypeInference::resolve(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (auto sequence = dyn_cast<SequenceType>(type))
    return SequenceType::get(context, resolve(sequence.getElementType()));
  if (auto optional = dyn_cast<OptionalType>(type))
    return OptionalType::get(context, resolve(optional.getElementType()));
  auto dims =
      tensor ? dyn_cast_or_null<DimsAttr>(tensor.getEncoding()) : DimsAttr();
  if (!dims)
    return type;
  DimsExpr sizes;
  for (int64_t axis = 0; axis < tensor.getRank(); ++axis) {
    Symbolic size = getSize(tensor, axis);
    sizes.push_back(size ? scope.getAsDim(size) : IndexExpr());
  }
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  bool hasNames = false;
  for (IndexExpr size : sizes) {
    bool named = size.isDefined() && !size.isLiteral();
    shape.push_back(size.getShape());
    names.push_back(named ? print(size.getSymbolic(symbolic))
                          : StringAttr::get(context));
    hasNames |= named;
  }
  return RankedTensorType::get(shape, tensor.getElementType(),
                               hasNames ? DimsAttr::get(context, names)
                                        : DimsAttr());
}

void TypeInference::resolveTypes(ModuleOp module) {
  if (!symbolic.getNumDefinitions())
    return;
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      result.setType(resolve(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          argument.setType(resolve(argument.getType()));
  });
}

LogicalResult TypeInference::inferMain(func::FuncOp main,
                                       const ShapeFacts &facts) {
  for (Value input : main.getArguments())
    nameDims(input);
  if (failed(applyFacts(main, facts)) || failed(applyRanges(main, facts)))
    return failure();
  for (Value input : main.getArguments())
    input.setType(resolve(input.getType()));
  return visitBlock(main.getBody().front());
}

/// Where the operands of an operator came from, as notes to an error about it.
static void noteOperands(Operation *op, Diagnostic &error) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    StringRef name = getValueName(operand);
    error.attachNote(operand.getLoc())
        << "operand " << i << (name.empty() ? "" : " '") << name
        << (name.empty() ? "" : "'") << " is " << operand.getType();
  }
}

LogicalResult TypeInference::run(ModuleOp module, const ShapeFacts &facts) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (current && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      noteOperands(current, diagnostic);
    return failure(); // Others are to print it.
  });
  for (auto main : module.getOps<func::FuncOp>()) {
    if (main.isExternal())
      continue;
    if (failed(inferMain(main, facts)))
      return failure();
  }
  current = nullptr;
  resolveTypes(module);
  for (auto main : module.getOps<func::FuncOp>())
    if (!main.isExternal())
      main.setFunctionType(FunctionType::get(
          context, main.getBody().getArgumentTypes(),
          main.getBody().front().getTerminator()->getOperandTypes()));
  return success();
}

ShapeCounts invar::onnx::countShapes(ModuleOp module) {
  ShapeCounts counts;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<FunctionOp>(op))
      return WalkResult::skip(); // Its types are those of each call.
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
