// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Import/Import.h"

#include "Importer.h"
#include "invar/Frontend/Import/ImportTypes.h"

#include "invar/Dialect/ONNX/DescribeType.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Support/Error.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Before this version of the format, every initializer had to be listed among the
/// inputs, so this does not mean that callers may override it.
static constexpr int64_t initializersNeedNotBeInputs = 4;

Importer::Importer(MLIRContext &context, SourceMap &source,
                   const ImportOptions &options)
    : context(&context), builder(&context), source(source),
      wire(source.getModel()), files(wire.getPath()),
      fingerprints([this](Value value) { return nameOf(value); }),
      options(options) {}

llvm::Error Importer::fail(const Twine &where, const Twine &message) const {
  return badInput(wire.getPath() + ": " + where + ": " + message);
}

llvm::Error Importer::tolerate(const Twine &where, const Twine &message,
                               StringRef consequence) {
  if (options.strict)
    return fail(where, message);
  Tolerated &entry = tolerated[(message + "; " + consequence).str()];
  if (entry.count++ == 0)
    entry.where = where.str();
  return llvm::Error::success();
}

std::vector<std::string> Importer::takeWarnings() {
  std::vector<std::string> warnings;
  for (auto &[message, entry] : tolerated) {
    std::string text =
        (wire.getPath() + ": " + entry.where + ": " + message).str();
    if (entry.count > 1)
      text += (" (and " + Twine(entry.count - 1) + " more times)").str();
    warnings.push_back(std::move(text));
  }
  return warnings;
}

DictionaryAttr Importer::importModelFacts(const ModelView &model) {
  NamedAttrList facts;
  if (model.irVersion)
    facts.set("ir_version", builder.getI64IntegerAttr(model.irVersion));
  NamedAttrList opsets;
  for (const OperatorSetView &opset : model.opsetImports)
    opsets.set(opset.domain.empty() ? StringRef("ai.onnx") : opset.domain,
               builder.getI64IntegerAttr(opset.version));
  facts.set("opset_imports", opsets.getDictionary(context));
  // Distinguish an empty string in the file from a missing one.
  auto addString = [&](StringRef name, StringRef value) {
    if (value.data())
      facts.set(name, builder.getStringAttr(value));
  };
  addString("producer_name", model.producerName);
  addString("producer_version", model.producerVersion);
  addString("domain", model.domain);
  addString("doc_string", model.docString);
  if (model.modelVersion)
    facts.set("model_version", builder.getI64IntegerAttr(*model.modelVersion));
  if (!model.metadataProps.empty())
    facts.set("metadata_props", importEntries(context, model.metadataProps));
  return facts.getDictionary(context);
}

llvm::Expected<OpsetVersions>
Importer::importOpsets(ArrayRef<OperatorSetView> opsets) {
  OpsetVersions versions;
  for (const OperatorSetView &opset : opsets) {
    std::string where = ("opset_import '" + opset.domain + "'").str();
    if (opset.version < 1)
      if (llvm::Error error =
              tolerate(where,
                       "expected a version of at least 1, but got " +
                           Twine(opset.version),
                       "nodes of this domain are left as they are"))
        return error;
    auto [it, isNew] =
        versions.try_emplace(normalizeDomain(opset.domain), opset.version);
    if (!isNew && it->second != opset.version)
      if (llvm::Error error =
              tolerate(where,
                       "expected one version of a domain, but got " +
                           Twine(it->second) + " and " + Twine(opset.version),
                       "the last one counts"))
        return error;
    it->second = opset.version;
  }
  return versions;
}

llvm::Error Importer::importMain(const GraphView &graph,
                                 const OpsetVersions &opsets) {
  Scope scope;
  scope.opsets = &opsets;
  scope.path = "graph";
  scope.outputs = namesOf(graph.outputs);
  Location loc = NameLoc::get(builder.getStringAttr("graph"));
  auto function = func::FuncOp::create(builder, loc, "main",
                                       builder.getFunctionType({}, {}));
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&function.getBody());

  bool canOverride = wire.getModel().irVersion >= initializersNeedNotBeInputs;
  llvm::DenseSet<StringRef> inputs, initializers;
  for (const ValueInfoView &input : graph.inputs)
    inputs.insert(input.name);
  for (const TensorView &tensor : graph.initializers)
    initializers.insert(tensor.name);
  for (const SparseTensorView &sparse : graph.sparseInitializers)
    if (sparse.values)
      initializers.insert(sparse.values->name);
  auto isInput = [&](StringRef name) {
    return canOverride || !initializers.contains(name);
  };
  llvm::StringMap<Attribute> defaults;
  if (llvm::Error error =
          importInputs(graph, scope, *block, isInput, /*trustShapes=*/true))
    return error;
  if (llvm::Error error = importInitializers(
          graph, scope,
          [&](StringRef name) { return canOverride && inputs.contains(name); },
          defaults))
    return error;
  if (llvm::Error error = importNodes(graph.nodes, scope))
    return error;
  llvm::Expected<SmallVector<Value>> outputs = importOutputs(graph, scope);
  if (!outputs)
    return outputs.takeError();
  llvm::Expected<DictionaryAttr> facts = importGraphFacts(graph);
  if (!facts)
    return facts.takeError();

  auto end = func::ReturnOp::create(builder, loc, *outputs);
  end->setAttr(attr::graph, *facts);
  function.setType(builder.getFunctionType(block->getArgumentTypes(),
                                           end.getOperandTypes()));
  for (BlockArgument argument : block->getArguments()) {
    StringRef name = nameOf(argument);
    unsigned index = argument.getArgNumber();
    function.setArgAttr(index, attr::name, builder.getStringAttr(name));
    if (Attribute value = defaults.lookup(name))
      function.setArgAttr(index, attr::defaultValue, value);
  }
  for (auto [i, output] : llvm::enumerate(graph.outputs))
    function.setResultAttr(i, attr::name, builder.getStringAttr(output.name));
  source.addGraph(&function.getBody(), &graph);
  return llvm::Error::success();
}

llvm::Error Importer::importFunction(const FunctionView &view, unsigned index) {
  std::string where =
      ("functions[" + Twine(index) + "] '" + view.name + "'").str();
  unsigned referring = referringTensors;
  llvm::Expected<OpsetVersions> opsets = importOpsets(view.opsetImports);
  if (!opsets)
    return opsets.takeError();
  NamedAttrList versions, defaults, rare;
  for (auto &opset : *opsets)
    versions.set(opset.getKey().empty() ? StringRef("ai.onnx") : opset.getKey(),
                 builder.getI64IntegerAttr(opset.getValue()));
  for (const AttributeView &attribute : view.attributeDefaults) {
    if (!attribute.graphs.empty())
      return fail(where,
                  "expected defaults that are no graphs, but got one in '" +
                      attribute.name + "'");
    llvm::Expected<Attribute> value = importAttribute(attribute);
    if (!value)
      return inContext(wire.getPath() + ": " + where + ": ", value.takeError());
    defaults.set(attribute.name, *value);
  }
  Location loc = NameLoc::get(builder.getStringAttr(where));
  std::string key = normalizeDomain(view.domain).str() +
                    "::" + view.name.str() + "::" + view.overload.str();
  auto op = FunctionOp::create(builder, loc, functions.lookup(key).getValue(),
                               view.domain, view.name, view.overload,
                               versions.getDictionary(context),
                               builder.getStrArrayAttr(view.attributeNames),
                               defaults.getDictionary(context));
  if (!view.docString.empty())
    rare.set("doc_string", builder.getStringAttr(view.docString));
  if (!view.metadataProps.empty())
    rare.set("metadata_props", importEntries(context, view.metadataProps));
  if (!rare.empty())
    op->setAttr(attr::node, rare.getDictionary(context));

  Scope scope;
  scope.opsets = &*opsets;
  scope.path = where;
  scope.outputs.assign(view.outputs.begin(), view.outputs.end());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&op.getBody());
  for (StringRef input : view.inputs)
    if (llvm::Error error = define(
            scope, input, block->addArgument(UnknownType::get(context), loc)))
      return inContext(wire.getPath() + ": " + where + ": ", std::move(error));
  if (llvm::Error error = importNodes(view.nodes, scope))
    return error;
  SmallVector<Value> outputs;
  for (StringRef output : view.outputs) {
    outputs.push_back(scope.lookup(output));
    if (!outputs.back())
      return fail(where,
                  "expected an output to be defined, but nothing defines '" +
                      output + "'");
  }
  auto yield = YieldOp::create(builder, loc, outputs);
  NamedAttrList facts;
  facts.set("inputs", builder.getStrArrayAttr(view.inputs));
  facts.set("outputs", builder.getStrArrayAttr(view.outputs));
  yield->setAttr(attr::graph, facts.getDictionary(context));
  source.addOperation(op, view.whole, fingerprints.of(op),
                      referringTensors != referring);
  return llvm::Error::success();
}

llvm::Expected<OwningOpRef<ModuleOp>> Importer::run() {
  const ModelView &model = wire.getModel();
  llvm::Expected<OpsetVersions> opsets = importOpsets(model.opsetImports);
  if (!opsets)
    return opsets.takeError();
  OwningOpRef<ModuleOp> module = ModuleOp::create(
      FileLineColLoc::get(builder.getStringAttr(wire.getPath()), 0, 0));
  (*module)->setAttr(attr::model, importModelFacts(model));
  builder.setInsertionPointToEnd(module->getBody());

  for (auto [i, function] : llvm::enumerate(model.functions)) {
    std::string key = normalizeDomain(function.domain).str() +
                      "::" + function.name.str() +
                      "::" + function.overload.str();
    std::string symbol =
        "function" + std::to_string(i) + "." + function.name.str();
    if (!functions.try_emplace(key, FlatSymbolRefAttr::get(context, symbol))
             .second)
      return fail("functions[" + Twine(i) + "]",
                  "expected each function once, but got '" + function.name +
                      "' twice");
  }
  for (auto [i, function] : llvm::enumerate(model.functions))
    if (llvm::Error error = importFunction(function, i))
      return error;
  if (llvm::Error error = importMain(*model.graph, *opsets))
    return error;

  // Operators verify themselves; the first error becomes the error of the file. Messages
  // of MLIR's own state what must hold, so they get a prefix.
  std::string complaint;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (complaint.empty()) {
      auto name = dyn_cast<NameLoc>(diagnostic.getLocation());
      std::string text = describeDiagnostic(diagnostic);
      bool isOurs = StringRef(text).contains("expected");
      complaint = ((name ? name.getName().getValue() + ": " : Twine()) +
                   (isOurs ? "" : "cannot be valid: ") + text)
                      .str();
    }
    return success();
  });
  if (failed(verify(*module)))
    return badInput(wire.getPath() + ": " + complaint);
  return std::move(module);
}

static llvm::Expected<ImportedModel>
importWire(MLIRContext &context,
           llvm::Expected<std::unique_ptr<WireModel>> wire,
           const ImportOptions &options) {
  if (!wire)
    return wire.takeError();
  context.loadDialect<ONNXDialect, func::FuncDialect>();
  ImportedModel model;
  model.source = std::make_unique<SourceMap>(std::move(*wire));
  Importer importer(context, *model.source, options);
  llvm::Expected<OwningOpRef<ModuleOp>> module = importer.run();
  if (!module)
    return module.takeError();
  model.warnings = importer.takeWarnings();
  model.module = std::move(*module);
  return std::move(model);
}

llvm::Expected<ImportedModel> invar::importModel(MLIRContext &context,
                                                 StringRef path,
                                                 const ImportOptions &options) {
  return importWire(context, WireModel::open(path), options);
}

llvm::Expected<ImportedModel> invar::importModel(MLIRContext &context,
                                                 StringRef bytes,
                                                 StringRef path,
                                                 const ImportOptions &options) {
  return importWire(context, WireModel::parse(bytes, path), options);
}
