// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Export/Export.h"

#include "Exporter.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Support/Error.h"
#include "llvm/Support/LEB128.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

Exporter::Exporter(ModuleOp module, const SourceMap *source, StringRef path,
                   const ExportOptions &options)
    : module(module), source(source), path(path.str()), options(options),
      names(module),
      fingerprints([this](Value value) { return names.lookup(value); }) {}

void Exporter::addVerbatim(StringRef bytes, WireMessage &message) {
  const std::shared_ptr<const MappedFile> &file = source->getModel().getFile();
  if (file)
    message.addVerbatim(file, file->getRange(bytes));
  else
    message.addVerbatim(bytes);
}

StringRef Exporter::findVerbatim(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  if (!source || (convertsOpset && !constant))
    return {};
  if (auto value = constant ? constant.getValueAttr() : ElementsAttr())
    if (FailureOr<Elements> content = elements::toElements(value);
        succeeded(content) && data->moves(*content))
      return {};
  if (!llvm::all_of(source->getHiddenInputs(op), [&](StringRef name) {
        return names.contains(name) && !options.dropUnused;
      }))
    return {};
  return source->find(op, fingerprints);
}

/// The first version of the format that supports an opset.
static int64_t formatOf(int64_t opset) {
  static constexpr std::pair<int64_t, int64_t> since[] = {
      {28, 14}, {25, 13}, {24, 12}, {23, 11}, {21, 10}, {19, 9},
      {15, 8},  {12, 7},  {11, 6},  {10, 5},  {9, 4}};
  for (auto [first, format] : since)
    if (opset >= first)
      return format;
  return 3;
}

llvm::Error Exporter::readOpsets() {
  facts = module->getAttrOfType<DictionaryAttr>(attr::model);
  if (!facts)
    facts = DictionaryAttr::get(module.getContext());
  if (auto imports = facts.getAs<DictionaryAttr>("opset_imports"))
    for (NamedAttribute opset : imports)
      if (auto version = dyn_cast<IntegerAttr>(opset.getValue()))
        opsets[normalizeDomain(opset.getName())] = version.getInt();
  if (!source && !opsets.contains(""))
    opsets[""] = newestOpset;
  auto format = facts.getAs<IntegerAttr>("ir_version");
  irVersion = format   ? format.getInt()
              : source ? 0
                       : formatOf(opsets.lookup(""));
  if (options.opset) {
    if (*options.opset < 1 || *options.opset > newestOpset)
      return badUsage("expected an opset from 1 to " + Twine(newestOpset) +
                      ", but got " + Twine(*options.opset));
    convertsOpset = opsets.lookup("") != *options.opset;
    opsets[""] = *options.opset;
    irVersion = std::max(irVersion, formatOf(*options.opset));
  }
  return llvm::Error::success();
}

uint64_t Exporter::countWeightBytes() {
  uint64_t bytes = 0;
  auto count = [&](Attribute attribute) {
    if (auto value = dyn_cast_or_null<ElementsAttr>(attribute))
      if (FailureOr<Elements> content = elements::toElements(value);
          succeeded(content))
        bytes += content->sizeInBytes();
  };
  module.walk([&](ConstantOp op) { count(op.getValueAttr()); });
  module.walk([&](func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      count(function.getArgAttr(i, attr::defaultValue));
  });
  return bytes;
}

/// The number of the first field in `fields`, which are complete fields.
static uint64_t firstFieldNumber(StringRef fields) {
  return llvm::decodeULEB128(fields.bytes_begin(), nullptr,
                             fields.bytes_end()) >>
         3;
}

/// Writes opsets in the order of `declared`, followed by those that it does not have.
void Exporter::exportOpsets(uint32_t field,
                            const llvm::StringMap<int64_t> &versions,
                            ArrayRef<OperatorSetView> declared,
                            WireMessage &message) {
  auto add = [&](StringRef domain, int64_t version) {
    WireMessage opset(writer);
    opset.addString(field::opset::Domain, domain);
    opset.addInt(field::opset::Version, version);
    message.addMessage(field, std::move(opset));
  };
  // A domain that is not as declared, or was declared with two versions, is written once.
  llvm::StringSet<> changed, done;
  for (const OperatorSetView &opset : declared)
    if (auto version = versions.find(normalizeDomain(opset.domain));
        version != versions.end() && version->getValue() != opset.version)
      changed.insert(version->getKey());
  for (const OperatorSetView &opset : declared) {
    auto version = versions.find(normalizeDomain(opset.domain));
    if (version == versions.end())
      continue;
    bool isFirst = done.insert(version->getKey()).second;
    if (!changed.contains(version->getKey()))
      addVerbatim(opset.whole, message);
    else if (isFirst)
      add(opset.domain, version->getValue());
  }
  SmallVector<StringRef> rest;
  for (StringRef domain : versions.keys())
    if (!done.contains(domain))
      rest.push_back(domain);
  llvm::sort(rest);
  for (StringRef domain : rest)
    add(domain, versions.lookup(domain));
}

llvm::Expected<WireMessage> Exporter::exportModel() {
  WireMessage message(writer);
  auto addText = [&](uint32_t field, StringRef key) {
    if (auto text = facts.getAs<StringAttr>(key))
      message.addString(field, text.getValue());
  };
  if (irVersion)
    message.addInt(field::model::IrVersion, irVersion);
  addText(field::model::ProducerName, "producer_name");
  addText(field::model::ProducerVersion, "producer_version");
  addText(field::model::Domain, "domain");
  if (auto version = facts.getAs<IntegerAttr>("model_version"))
    message.addInt(field::model::ModelVersion, version.getInt());
  addText(field::model::DocString, "doc_string");

  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || !llvm::hasSingleElement(main.getBody()))
    return badInput(
        path + ": expected a function @main of one block, but there is none");
  llvm::Expected<WireMessage> graph =
      exportGraph(main.getBody().front(), opsets, /*isMain=*/true);
  if (!graph)
    return graph.takeError();
  message.addMessage(field::model::Graph, std::move(*graph));

  static const ModelView none;
  const ModelView &view = source ? source->getModel().getModel() : none;
  exportOpsets(field::model::OpsetImport, opsets, view.opsetImports, message);
  exportEntries(field::model::MetadataProps,
                facts.getAs<DictionaryAttr>("metadata_props"), message,
                view.metadataProps);
  // Other fields are written where protobuf's own writers put them: by number.
  auto isBeforeFunctions = [](StringRef fields) {
    return firstFieldNumber(fields) < field::model::Functions;
  };
  for (StringRef other : view.others)
    if (isBeforeFunctions(other))
      addVerbatim(other, message);
  for (auto function : module.getOps<FunctionOp>()) {
    if (StringRef bytes = findVerbatim(function); !bytes.empty()) {
      addVerbatim(bytes, message);
      for (const FunctionView &copied : view.functions)
        if (copied.whole.data() == bytes.data())
          addNodes(copied.nodes, contents);
      addConstantsIn(function, contents);
      continue;
    }
    llvm::Expected<WireMessage> inner = exportFunction(function);
    if (!inner)
      return inner.takeError();
    message.addMessage(field::model::Functions, std::move(*inner));
  }
  for (StringRef other : view.others)
    if (!isBeforeFunctions(other))
      addVerbatim(other, message);
  return std::move(message);
}

/// Passes the model to the `approve` callback. The data file beside it has its final name
/// already, and is removed if the model is rejected.
llvm::Error Exporter::approve(OutputFile &out) {
  llvm::Expected<StringRef> preview = out.getPreview();
  if (!preview)
    return preview.takeError();
  if (preview->empty())
    return badUsage(
        "expected a file as output, which can be looked at before it "
        "appears, but got '" +
        path + "'");
  llvm::Error error = options.approve(*preview);
  if (error)
    data->remove();
  return error;
}

llvm::Expected<ExportSummary> Exporter::run() {
  if (llvm::Error error = readOpsets())
    return error;
  readSizeNames();
  disputed.emplace(module, opsets.lookup(""));
  bool external = options.placement == DataPlacement::External ||
                  (options.placement == DataPlacement::Automatic &&
                   countWeightBytes() > options.mostInline);
  llvm::Expected<DataFile> file = DataFile::create(path, options, external);
  if (!file)
    return file.takeError();
  data = std::move(*file);
  if (source)
    places = getPlaces(*source);
  llvm::Expected<WireMessage> model = exportModel();
  if (!model)
    return model.takeError();
  if (model->getSize() >= uint64_t(1) << 31)
    return outOfResources(path +
                          ": expected a model below 2 GiB without its external "
                          "data, but got " +
                          Twine(model->getSize()) + " bytes");
  ExportSummary summary;
  summary.modelBytes = model->getSize();
  summary.dataBytes = data->getSize();
  summary.dataFile = data->getName().str();
  summary.contents = std::move(contents);
  if (options.measureOnly)
    return summary;

  OutputOptions outputOptions;
  outputOptions.namedTemporary = bool(options.approve);
  outputOptions.durable = options.durable;
  outputOptions.removeOnSignal = true;
  if (options.progress) {
    options.progress->begin("writing " + path,
                            summary.modelBytes + summary.dataBytes);
    outputOptions.written = &options.progress->getDone();
  }
  auto out = OutputFile::create(path, outputOptions);
  if (!out)
    return out.takeError();
  if (llvm::Error error = model->writeTo(**out))
    return error;
  if (llvm::Error error = data->write(options))
    return error;
  if (options.approve)
    if (llvm::Error error = approve(**out))
      return error;
  if (llvm::Error error = (*out)->commit())
    return error;
  data->removeReplaced();
  return summary;
}

llvm::Expected<ExportSummary> invar::exportModel(ModuleOp module,
                                                 const SourceMap *source,
                                                 StringRef path,
                                                 const ExportOptions &options) {
  return Exporter(module, source, path, options).run();
}
