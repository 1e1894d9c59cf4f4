// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"

#include "invar-c/Tensor.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Dialect/Runtime/Runtime.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

StringAttr onnx::getDimName(Type type, int64_t axis) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto dims =
      tensor ? dyn_cast_or_null<DimsAttr>(tensor.getEncoding()) : nullptr;
  if (!dims || dims.getNames()[axis].empty())
    return nullptr;
  return dims.getNames()[axis];
}

/// The element type of a map's values, which are scalars. A model may write a scalar
/// without a shape, as a tensor of rank 0, or as a tensor of one element. Null for
/// other types.
static Type getScalarType(Type value) {
  auto tensor = dyn_cast<TensorType>(value);
  if (!tensor)
    return elements::toDataType(value) ? value : Type();
  bool isScalar = !tensor.hasRank() ||
                  (tensor.hasStaticShape() && tensor.getNumElements() == 1);
  return isScalar ? tensor.getElementType() : Type();
}

Type GraphLowering::convertType(Type type) const {
  // Items of sequences and optionals have no shape in the lowered type, so that
  // branches and loops agree even if they know different shapes.
  auto convertItem = [&](Type item) -> Type {
    if (auto tensor = dyn_cast_or_null<TensorType>(convertType(item)))
      return UnrankedTensorType::get(tensor.getElementType());
    return convertType(item);
  };
  // A model may omit the element type, and inference may not find it.
  if (auto tensor = dyn_cast<TensorType>(type);
      tensor && !elements::toDataType(tensor.getElementType()))
    return Type();
  return llvm::TypeSwitch<Type, Type>(type)
      .Case([](RankedTensorType tensor) {
        return RankedTensorType::get(tensor.getShape(),
                                     tensor.getElementType());
      })
      .Case([](UnrankedTensorType tensor) { return tensor; })
      .Case([&](SequenceType sequence) -> Type {
        Type element = convertItem(sequence.getElementType());
        return element ? rt::SequenceType::get(type.getContext(), element)
                       : Type();
      })
      .Case([&](OptionalType optional) -> Type {
        Type element = convertItem(optional.getElementType());
        return element ? rt::OptionalType::get(type.getContext(), element)
                       : Type();
      })
      .Case([&](MapType map) -> Type {
        Type value = getScalarType(map.getValueType());
        return value ? rt::MapType::get(type.getContext(), map.getKeyType(),
                                        value)
                     : Type();
      })
      .Default([](Type) { return Type(); });
}

//===-- Sizes -----------------------------------------------------------------===//

OpFoldResult GraphLowering::getSize(Value tensor, int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return builder.getIndexAttr(type.getDimSize(axis));
  OpFoldResult &size = sizes[{tensor, axis}];
  if (!size) {
    // Insert next to the tensor, so that the size is available wherever the tensor is.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(tensor);
    size = tensor::DimOp::create(builder, tensor.getLoc(), tensor, axis)
               .getResult();
  }
  return size;
}

void GraphLowering::define(Value value, Value made) {
  values[value] = made;
  auto type = dyn_cast<RankedTensorType>(made.getType());
  if (!type)
    return;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    StringAttr name = getDimName(value.getType(), axis);
    if (!type.isDynamicDim(axis) || !name)
      continue;
    if (Value known = names.lookup(name))
      sizes[{made, axis}] = known;
    else
      names.insert(name, cast<Value>(getSize(made, axis)));
  }
}

Value GraphLowering::adopt(Type type, Value made) {
  Type converted = convertType(type);
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(converted)) {
    // A cast to a more specific type is checked at run time.
    if (made.getType() != tensor)
      made = tensor::CastOp::create(builder, made.getLoc(), tensor, made);
    for (int64_t axis = 0; axis < tensor.getRank(); ++axis) {
      StringAttr name = getDimName(type, axis);
      Value known = name ? names.lookup(name) : nullptr;
      if (!tensor.isDynamicDim(axis) || !known)
        continue;
      Value size = tensor::DimOp::create(builder, made.getLoc(), made, axis);
      Value same = arith::CmpIOp::create(builder, made.getLoc(),
                                         arith::CmpIPredicate::eq, size, known);
      cf::AssertOp::create(builder, made.getLoc(), same,
                           "expected axis " + std::to_string(axis) +
                               " to have the size of '" + name.str() +
                               "', but it has not");
    }
  }
  return made;
}

//===-- Graphs ----------------------------------------------------------------===//

/// Whether numbers of elements and bytes of a tensor can be computed without overflow.
/// Sizes of 0 are ignored: even in an empty tensor, strides are products of the other
/// sizes.
static bool isAddressable(Type type) {
  constexpr int64_t most = int64_t(1) << 47;
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t count = 1;
  for (int64_t size : tensor ? tensor.getShape() : ArrayRef<int64_t>())
    if (!ShapedType::isDynamic(size) && size > 0 &&
        (llvm::MulOverflow(count, size, count) || count > most))
      return false;
  return true;
}

static LogicalResult checkSizes(Operation *op, TypeRange types) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.getRank() > INVAR_MAX_RANK)
      return op->emitError("expected a tensor of at most ")
             << INVAR_MAX_RANK << " axes, but got " << tensor.getRank();
    if (!isAddressable(type))
      return op->emitError("expected a tensor that fits into memory, but got ")
             << type;
  }
  return success();
}

std::string onnx::describeOperator(Operation *op) {
  StringRef type = op->getName().stripDialect(), domain;
  if (auto custom = dyn_cast<CustomOp>(op)) {
    type = custom.getOpType();
    domain = custom.getDomain();
  } else if (auto standard = dyn_cast<SchemaOpInterface>(op)) {
    type = standard.getSchema().name;
    domain = standard.getSchema().domain;
  }
  std::string text = ("'" + type + "'").str();
  return domain.empty() ? text
                        : (text + " of the domain '" + domain + "'").str();
}

/// Reports an operator for which there is no lowering.
static LogicalResult declineOperator(Operation *op) {
  InFlightDiagnostic error =
      op->emitError("expected an operator that can be compiled, but got ")
      << describeOperator(op);
  if (auto custom = dyn_cast<CustomOp>(op); custom && custom.getReason())
    error << ": " << *custom.getReason();
  return error;
}

LogicalResult GraphLowering::lower(Operation *op) {
  if (failed(checkSizes(op, op->getResultTypes())))
    return failure();
  const LoweringTable::Lower *lower = table.find(op->getName());
  if (!lower)
    return declineOperator(op);
  Lowering lowering(op, *this);
  if (failed((*lower)(op, lowering)) || lowering.isDeclined())
    return failure();
  for (Value result : op->getResults())
    if (!result.use_empty() && !lookup(result))
      return lowering.decline("one of its results has no code");
  return success();
}

FailureOr<SmallVector<Value>> GraphLowering::lowerRegion(Region &region,
                                                         ValueRange arguments) {
  Names::ScopeTy scope(names);
  Block &block = region.front();
  if (failed(checkSizes(region.getParentOp(), block.getArgumentTypes())))
    return failure();
  for (auto [argument, made] : llvm::zip_equal(block.getArguments(), arguments))
    define(argument, made);
  for (Operation &op : block.without_terminator())
    if (failed(lower(&op)))
      return failure();
  SmallVector<Value> yielded;
  for (Value value : block.getTerminator()->getOperands())
    yielded.push_back(lookup(value));
  return yielded;
}

FailureOr<SmallVector<Value>> GraphLowering::lowerAlone(Operation *op) {
  Names::ScopeTy scope(names);
  if (failed(lower(op)))
    return failure();
  SmallVector<Value> made;
  for (Value result : op->getResults()) {
    made.push_back(lookup(result));
    if (!made.back())
      return op->emitError("expected code for all results");
  }
  return made;
}

/// Attributes that describe an input or output to the runtime, in addition to its type.
static void describeEnd(func::FuncOp graph, unsigned i, bool isInput, Type type,
                        SmallVectorImpl<NamedAttribute> &attributes) {
  OpBuilder builder(graph.getContext());
  auto name = isInput ? graph.getArgAttrOfType<StringAttr>(i, attr::name)
                      : graph.getResultAttrOfType<StringAttr>(i, attr::name);
  if (!name)
    name = builder.getStringAttr((isInput ? "input_" : "output_") + Twine(i));
  attributes.push_back(builder.getNamedAttr("invar.name", name));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (auto dims =
          tensor ? dyn_cast_or_null<DimsAttr>(tensor.getEncoding()) : nullptr) {
    SmallVector<Attribute> names(dims.getNames().begin(),
                                 dims.getNames().end());
    attributes.push_back(
        builder.getNamedAttr("invar.dims", builder.getArrayAttr(names)));
  }
}

/// The default of an input, if it has one that can be stored.
static ElementsAttr getDefault(func::FuncOp graph, unsigned i) {
  return graph.getArgAttrOfType<ElementsAttr>(i, attr::defaultValue);
}

/// Whether an input is a weight, which callers do not pass to runs.
static bool isParameter(func::FuncOp graph, unsigned i) {
  return getDefault(graph, i) &&
         graph.getArgAttr(i, constants::parameterAttribute);
}

/// The inputs that callers pass to runs; optional ones come last.
static SmallVector<unsigned> getBrought(func::FuncOp graph) {
  SmallVector<unsigned> brought;
  for (bool hasDefault : {false, true})
    for (unsigned i = 0; i < graph.getNumArguments(); ++i)
      if (!isParameter(graph, i) && bool(getDefault(graph, i)) == hasDefault)
        brought.push_back(i);
  return brought;
}

/// Adds the default of an input to the module's store, under the input's name.
static Value makeParameter(OpBuilder &builder, func::FuncOp graph, unsigned i) {
  auto store =
      constants::StoreOp::getOrCreate(graph->getParentOfType<ModuleOp>());
  Location loc = graph.getArgument(i).getLoc();
  ElementsAttr content = getDefault(graph, i);
  auto inStore = OpBuilder::atBlockEnd(&store.getBody().front());
  auto entries = int64_t(store.getBody().front().getOperations().size());
  constants::EntryOp::create(inStore, loc,
                             graph.getArgAttrOfType<StringAttr>(i, attr::name),
                             content, TypeAttr::get(content.getShapedType()));
  return constants::RefOp::create(builder, loc, content.getShapedType(),
                                  entries);
}

LogicalResult GraphLowering::lower(func::FuncOp graph) {
  // Report custom operators first: not even the types of their results are known, so
  // other errors would mislead.
  WalkResult known = graph.walk([&](CustomOp op) {
    (void)declineOperator(op);
    return WalkResult::interrupt();
  });
  if (known.wasInterrupted())
    return failure();
  auto convertAll = [&](TypeRange types, SmallVectorImpl<Type> &converted,
                        StringRef what) -> LogicalResult {
    for (auto [i, type] : llvm::enumerate(types)) {
      converted.push_back(convertType(type));
      if (!converted.back())
        return graph.emitError("expected ")
               << what << " " << i
               << " to be a tensor, sequence, optional or map to scalars, "
               << "but got " << type;
    }
    return success();
  };
  SmallVector<unsigned> brought = getBrought(graph);
  auto types = llvm::map_to_vector(
      brought, [&](unsigned i) { return graph.getArgumentTypes()[i]; });
  SmallVector<Type> inputs, outputs;
  Operation *end = graph.getBody().front().getTerminator();
  if (failed(convertAll(types, inputs, "input")) ||
      failed(convertAll(end->getOperandTypes(), outputs, "output")))
    return failure();
  builder.setInsertionPoint(graph);
  auto lowered = func::FuncOp::create(builder, graph.getLoc(), graph.getName(),
                                      builder.getFunctionType(inputs, outputs));
  for (auto [to, from] : llvm::enumerate(brought)) {
    SmallVector<NamedAttribute> attributes;
    describeEnd(graph, from, true, graph.getArgumentTypes()[from], attributes);
    if (ElementsAttr content = getDefault(graph, from))
      attributes.push_back(
          builder.getNamedAttr(constants::defaultAttribute, content));
    lowered.setArgAttrs(unsigned(to), attributes);
  }
  for (unsigned i = 0; i < outputs.size(); ++i) {
    SmallVector<NamedAttribute> attributes;
    describeEnd(graph, i, false, end->getOperand(i).getType(), attributes);
    lowered.setResultAttrs(i, attributes);
  }
  builder.setInsertionPointToStart(lowered.addEntryBlock());
  SmallVector<Value> arguments(graph.getNumArguments());
  for (auto [to, from] : llvm::enumerate(brought))
    arguments[from] = lowered.getArgument(unsigned(to));
  for (unsigned i = 0; i < graph.getNumArguments(); ++i)
    if (isParameter(graph, i))
      arguments[i] = makeParameter(builder, graph, i);
  FailureOr<SmallVector<Value>> results =
      lowerRegion(graph.getBody(), arguments);
  if (failed(results))
    return failure();
  func::ReturnOp::create(builder, end->getLoc(), *results);
  graph.erase();
  return success();
}
