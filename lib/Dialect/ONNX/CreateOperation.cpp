// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/CreateOperation.h"

#include "invar/Dialect/ONNX/DescribeType.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Support/Error.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static AttributeKind kindOf(Attribute attribute) {
  if (isa<IntegerAttr>(attribute))
    return AttributeKind::Int;
  if (isa<FloatAttr>(attribute))
    return AttributeKind::Float;
  if (isa<StringAttr>(attribute))
    return AttributeKind::String;
  if (isa<DenseI64ArrayAttr>(attribute))
    return AttributeKind::Ints;
  if (isa<DenseF32ArrayAttr>(attribute))
    return AttributeKind::Floats;
  if (isa<SparseAttr>(attribute))
    return AttributeKind::SparseTensor;
  if (isa<TypeAttr>(attribute))
    return AttributeKind::TypeProto;
  if (isa<ElementsAttr>(attribute))
    return AttributeKind::Tensor;
  if (auto list = dyn_cast<ListAttr>(attribute))
    return list.getKind();
  auto list = cast<ArrayAttr>(attribute);
  if (list.empty() || isa<StringAttr>(list[0]))
    return AttributeKind::Strings;
  if (isa<SparseAttr>(list[0]))
    return AttributeKind::SparseTensors;
  return isa<TypeAttr>(list[0]) ? AttributeKind::TypeProtos
                                : AttributeKind::Tensors;
}

StringRef invar::onnx::findUnknownAttribute(MLIRContext *context,
                                            const NodeForm &node,
                                            ArrayRef<StringRef> graphs) {
  OperationName name(getOperationName(node.domain, node.opType), context);
  const OpSchema &schema = name.getInterface<SchemaOpInterface>()->getSchema();
  for (const NamedAttribute &attribute : node.attributes)
    if (!schema.findAttribute(attribute.getName()))
      return attribute.getName();
  for (StringRef graph : graphs)
    if (!schema.findAttribute(graph))
      return graph;
  return "";
}

/// Returns an error message about a node's attributes and graphs, or an empty string.
/// All of them must be in the schema.
static std::string checkAttributes(const OpSchema &schema, const NodeForm &node,
                                   ArrayRef<StringRef> graphs) {
  for (const NamedAttribute &attribute : node.attributes) {
    const AttributeFormal *formal = schema.findAttribute(attribute.getName());
    AttributeKind kind = kindOf(attribute.getValue());
    if (kind != formal->kind)
      return ("expected attribute '" + formal->name + "' to be " +
              describe(formal->kind) + ", but got " + describe(kind))
          .str();
  }
  for (StringRef graph : graphs) {
    const AttributeFormal *formal = schema.findAttribute(graph);
    if (formal->kind != AttributeKind::Graph)
      return ("expected attribute '" + formal->name + "' to be " +
              describe(formal->kind) + ", but got " +
              describe(AttributeKind::Graph))
          .str();
  }
  for (const AttributeFormal &formal : schema.attributes)
    if (formal.required && !node.attributes.get(formal.name))
      return ("expected the attribute '" + formal.name +
              "', but it is not given")
          .str();
  return "";
}

llvm::Expected<Operation *>
invar::onnx::createOperation(OpBuilder &builder, Location loc,
                             const NodeForm &node, ArrayRef<StringRef> graphs) {
  MLIRContext *context = builder.getContext();
  OperationState state(loc, getOperationName(node.domain, node.opType));
  const OpSchema &schema =
      state.name.getInterface<SchemaOpInterface>()->getSchema();
  if (StringRef unknown = findUnknownAttribute(context, node, graphs);
      !unknown.empty())
    return badInput("expected an attribute of " + schema.name + ", but got '" +
                    unknown + "'");
  if (std::string wrong = checkAttributes(schema, node, graphs); !wrong.empty())
    return badInput(wrong);

  std::string message;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    message = describeDiagnostic(diagnostic);
    return success();
  });
  auto emit = [&] { return emitError(loc); };
  SmallVector<bool> present;
  for (Value input : node.inputs)
    present.push_back(bool(input));
  while (!present.empty() && !present.back())
    present.pop_back();
  auto operandSizes = getSegmentSizes(schema.operands, present, emit, "input");
  if (failed(operandSizes))
    return badInput(message);
  // Only an optional output can be left out. Any other output without a name exists but
  // is unused.
  present.clear();
  for (auto [i, there] : llvm::enumerate(node.outputs)) {
    bool optional = i < schema.results.size() &&
                    schema.results[i].kind == FormalKind::Optional;
    bool beyond =
        i >= schema.results.size() &&
        (schema.results.empty() || !schema.results.back().isVariadic());
    present.push_back(there || (!optional && !beyond));
  }
  auto resultSizes = getSegmentSizes(schema.results, present, emit, "output");
  if (failed(resultSizes))
    return badInput(message);

  for (Value input : node.inputs)
    if (input)
      state.operands.push_back(input);
  state.addTypes(inferResultTypes(context, schema, *operandSizes,
                                  state.operands, *resultSizes));
  state.attributes = node.attributes;
  auto isFlexible = [](const Formal &formal) {
    return formal.kind != FormalKind::Single;
  };
  if (llvm::count_if(schema.operands, isFlexible) > 1)
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(*operandSizes));
  if (llvm::count_if(schema.results, isFlexible) > 1)
    state.addAttribute("resultSegmentSizes",
                       builder.getDenseI32ArrayAttr(*resultSizes));
  for (size_t i = 0; i < schema.graphs.size(); ++i)
    state.addRegion();
  Operation *op = builder.create(state);
  // A constant has no operand to infer its type from; its value has the type.
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (ElementsAttr value = constant.getValueAttr())
      constant.getOutput().setType(value.getShapedType());
    else if (SparseAttr sparse = constant.getSparseValueAttr())
      constant.getOutput().setType(sparse.getType());
  }
  return op;
}

NodeForm invar::onnx::getNodeForm(Operation *op) {
  NodeForm node;
  const OpSchema &schema = cast<SchemaOpInterface>(op).getSchema();
  node.domain = schema.domain.str();
  node.opType = schema.name.str();
  node.inputs = getOperandSlots(op);
  for (const AttributeFormal &formal : schema.attributes)
    if (std::optional<Attribute> value = op->getInherentAttr(formal.name);
        value && *value)
      node.attributes.set(formal.name, *value);
  for (Value result : getResultSlots(op))
    node.outputs.push_back(bool(result));
  return node;
}

Refusal invar::onnx::checkWritable(
    Operation *op, const AdapterTable &adapters, int64_t version,
    std::function<std::optional<Elements>(Value)> lookUp) {
  NodeForm node = getNodeForm(op);
  // Operators that adapters create go into this block and are discarded.
  Block scratch;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  AdaptContext context(builder, op->getLoc(), version);
  context.op = op;
  context.lookUp = std::move(lookUp);
  return adapters.downgrade(node, context);
}

int64_t invar::onnx::getNewestVersion(StringRef domain) {
  return llvm::StringSwitch<int64_t>(domain)
      .Case("", newestOpset)
      .Case("ai.onnx.ml", 5)
      .Default(1);
}

Operation *invar::onnx::adaptLate(CustomOp custom, const AdapterTable &adapters,
                                  int64_t version, int64_t target) {
  std::string name = getOperationName(custom.getDomain(), custom.getOpType());
  bool hasParameters =
      llvm::any_of(custom.getNodeAttributes(), [](NamedAttribute attribute) {
        return isa<ParameterAttr>(attribute.getValue());
      });
  if (name.empty() || hasParameters || !custom.getReason() || version < 1 ||
      version > getNewestVersion(custom.getDomain()) ||
      !RegisteredOperationName::lookup(name, custom.getContext()))
    return nullptr;
  NodeForm node;
  node.domain = custom.getDomain().str();
  node.opType = custom.getOpType().str();
  node.attributes = NamedAttrList(custom.getNodeAttributes());
  auto inputs = custom.getInputs();
  if (auto given = custom.getGiven()) {
    auto next = inputs.begin();
    for (bool there : *given)
      node.inputs.push_back(there ? *next++ : Value());
  } else {
    node.inputs.assign(inputs.begin(), inputs.end());
  }
  node.outputs.assign(custom.getNumResults(), true);

  OpBuilder builder(custom);
  Operation *before = custom->getPrevNode();
  AdaptContext context(builder, custom.getLoc(), version);
  context.target = target;
  SmallVector<StringRef> graphs;
  if (auto names = custom.getGraphNames())
    for (auto graph : names->getAsRange<StringAttr>())
      graphs.push_back(graph.getValue());
  auto undo = [&] {
    while (custom->getPrevNode() != before)
      custom->getPrevNode()->erase();
    return nullptr;
  };
  if (adapters.upgrade(node, context))
    return undo();
  llvm::Expected<Operation *> created =
      createOperation(builder, custom.getLoc(), node, graphs);
  if (!created) {
    llvm::consumeError(created.takeError());
    return undo();
  }
  Operation *op = *created;
  if (op->getNumResults() != custom.getNumResults())
    return undo();
  const OpSchema &schema = cast<SchemaOpInterface>(op).getSchema();
  for (auto [formal, region] : llvm::zip(schema.graphs, op->getRegions())) {
    auto *found = llvm::find(graphs, formal.name);
    if (found != graphs.end())
      region.takeBody(custom.getGraphs()[found - graphs.begin()]);
  }
  if (node.wrap)
    op = node.wrap(op);
  op->setDiscardableAttrs(custom->getDiscardableAttrDictionary());
  custom->replaceAllUsesWith(op);
  custom.erase();
  return op;
}

std::optional<int64_t> invar::onnx::getVersion(DictionaryAttr imports,
                                               StringRef domain) {
  if (!imports)
    return std::nullopt;
  for (NamedAttribute entry : imports)
    if (normalizeDomain(entry.getName()) == domain)
      if (auto version = dyn_cast<IntegerAttr>(entry.getValue()))
        return version.getInt();
  return std::nullopt;
}

DictionaryAttr invar::onnx::getImports(ModuleOp module) {
  auto model = module->getAttrOfType<DictionaryAttr>(attr::model);
  return model ? model.getAs<DictionaryAttr>("opset_imports")
               : DictionaryAttr();
}

/// Returns `attributes` with parameters replaced by the values of the call or the
/// function's defaults. Parameters with neither are removed.
static DictionaryAttr bind(DictionaryAttr attributes, DictionaryAttr given,
                           DictionaryAttr defaults) {
  NamedAttrList bound;
  for (NamedAttribute attribute : attributes) {
    Attribute value = attribute.getValue();
    if (auto parameter = dyn_cast<ParameterAttr>(value)) {
      value = given.get(parameter.getName());
      if (!value)
        value = defaults.get(parameter.getName());
    }
    if (value)
      bound.set(attribute.getName(), value);
  }
  return bound.getDictionary(attributes.getContext());
}

void invar::onnx::bindParameters(FunctionOp function, DictionaryAttr given) {
  function.walk([&](Operation *op) {
    if (auto custom = dyn_cast<CustomOp>(op))
      custom.setNodeAttributesAttr(
          bind(custom.getNodeAttributes(), given, function.getDefaults()));
    else if (auto call = dyn_cast<CallOp>(op))
      call.setNodeAttributesAttr(
          bind(call.getNodeAttributes(), given, function.getDefaults()));
  });
}
