// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the declared types of a graph's inputs, outputs and values: in the file's own
// bytes if these are still right. Names of sizes are for human readers. Inputs and
// outputs have the names that the model declared, or that a user gave; an output may also
// have the name of an input's size. If there is none, no name is written, as in other
// tools. Only the values inside of a graph have expressions and made-up names.
//
// If a size depends on data, a number that the file declares for it is kept. Inference
// may have derived such a size from an operator that no longer exists, such as the sum of
// the parts of a Split that nothing used. When the written file is read again, this
// number is all that is known of the size.
#include "Exporter.h"

#include "invar/Dialect/ONNX/DescribeType.h"
#include "invar/Frontend/Import/ImportTypes.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Adds the names of the sizes of a type, and of the types in it.
static void addNames(const TypeView &view, llvm::StringSet<> &names) {
  for (const DimensionView &dim : view.dims)
    if (!isPlaceholder(dim.param))
      names.insert(dim.param);
  if (view.element)
    addNames(*view.element, names);
}

static void addNames(Type type, llvm::StringSet<> &names) {
  if (auto sequence = dyn_cast<SequenceType>(type))
    return addNames(sequence.getElementType(), names);
  if (auto optional = dyn_cast<OptionalType>(type))
    return addNames(optional.getElementType(), names);
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto dims =
      dyn_cast_or_null<DimsAttr>(tensor ? tensor.getEncoding() : Attribute());
  if (dims)
    for (StringAttr name : dims.getNames())
      if (!name.empty())
        names.insert(name.getValue());
}

void Exporter::readSizeNames() {
  llvm::StringSet<> declared;
  if (source)
    for (const ValueInfoView &input :
         source->getModel().getModel().graph->inputs)
      if (input.type)
        addNames(*input.type, declared);
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    for (Type type : main.getArgumentTypes())
      addNames(type, sizeNames.given);
  sizeNames.ofInputs = sizeNames.given;
  for (StringRef name : llvm::to_vector(sizeNames.given.keys()))
    if (isMadeUp(name) && !declared.contains(name))
      sizeNames.given.erase(name);
  for (StringRef name : declared.keys())
    if (!sizeNames.given.contains(name))
      sizeNames.gone.insert(name);
}

/// The name to write for a size. `known` is its name in the IR, or empty. `declared` is
/// its name in the file, possibly empty, or none if the file does not leave the size
/// open.
StringRef Exporter::nameSize(StringRef known, std::optional<StringRef> declared,
                             InfoPlace place) const {
  bool isNothing = known.empty() || !sizeNames.given.contains(known);
  switch (place) {
  case InfoPlace::Input:
    return isNothing ? declared.value_or("") : known;
  case InfoPlace::Output:
    if (declared && !declared->empty() && !sizeNames.gone.contains(*declared))
      return *declared;
    return isNothing ? "" : known;
  case InfoPlace::Inside:
    return declared && (known.empty() || (isNothing && isMadeUp(known)))
               ? *declared
               : known;
  }
  llvm_unreachable("every place was handled");
}

/// The number that a file declares for a size; negative if there is none.
static int64_t numberOf(const TypeView &declared, int64_t axis) {
  return declared.dims[axis].value.value_or(-1);
}

/// Whether the numbers that a file declares are written for sizes that inference did not
/// find. They are not if a size that it did find contradicts them.
bool Exporter::keepsNumbers(RankedTensorType type, const TypeView *declared,
                            InfoPlace place) const {
  if (place == InfoPlace::Input || options.declaredIsOutdated || !declared)
    return false;
  return llvm::all_of(llvm::seq(type.getRank()), [&](int64_t axis) {
    int64_t number = numberOf(*declared, axis);
    return number < 0 || type.isDynamicDim(axis) ||
           number == type.getDimSize(axis);
  });
}

/// `type` with the sizes to write. Inferred numbers stay, and so do sizes that follow
/// from those of the inputs. For a size that depends on computed data, the file's
/// declaration is used.
Type Exporter::settleSizes(Type type, const TypeView *declared,
                           InfoPlace place) const {
  const TypeView *element = declared ? declared->element : nullptr;
  if (auto sequence = dyn_cast<SequenceType>(type))
    return SequenceType::get(
        type.getContext(),
        settleSizes(sequence.getElementType(), element, place));
  if (auto optional = dyn_cast<OptionalType>(type))
    return OptionalType::get(
        type.getContext(),
        settleSizes(optional.getElementType(), element, place));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return type;
  auto dims = dyn_cast_or_null<DimsAttr>(tensor.getEncoding());
  bool hasShape = declared && declared->hasShape &&
                  int64_t(declared->dims.size()) == tensor.getRank();
  if (!hasShape)
    declared = nullptr;
  bool withNumbers = keepsNumbers(tensor, declared, place);
  SmallVector<int64_t> sizes(tensor.getShape());
  SmallVector<StringAttr> names;
  for (int64_t axis = 0; axis < tensor.getRank(); ++axis) {
    StringRef known = dims && axis < int64_t(dims.getNames().size())
                          ? dims.getNames()[axis].getValue()
                          : StringRef();
    bool isOpen = tensor.isDynamicDim(axis);
    bool isFound = !known.empty() && !mentionsMadeUp(known, sizeNames.ofInputs);
    std::optional<StringRef> was;
    if (declared && numberOf(*declared, axis) < 0)
      was = declared->dims[axis].param;
    else if (isOpen && !isFound && withNumbers)
      sizes[axis] = numberOf(*declared, axis);
    bool isNamed = isOpen && ShapedType::isDynamic(sizes[axis]);
    names.push_back(StringAttr::get(
        type.getContext(), isNamed ? nameSize(known, was, place) : ""));
  }
  bool named =
      llvm::any_of(names, [](StringAttr name) { return !name.empty(); });
  return RankedTensorType::get(sizes, tensor.getElementType(),
                               named ? DimsAttr::get(type.getContext(), names)
                                     : DimsAttr());
}

/// Writes a value info: as the file declared it if that still matches the type, otherwise
/// encoded again.
void Exporter::exportInfo(InfoPlace place, StringRef name, Type type,
                          ArrayRef<ValueInfoView> declared,
                          WireMessage &message) {
  const auto *view = llvm::find_if(
      declared, [&](const ValueInfoView &info) { return info.name == name; });
  const TypeView *was = view != declared.end() ? view->type : nullptr;
  Type written = type ? settleSizes(type, was, place) : Type();
  if (view != declared.end()) {
    bool agrees = !type || !was || isa<UnknownType>(type);
    if (!agrees) {
      llvm::Expected<Type> before =
          importType(module.getContext(), *was, DimNames::All);
      if (before)
        agrees = *before == written ||
                 (withoutShape(*before) == type && !options.declaredIsOutdated);
      else
        llvm::consumeError(before.takeError());
    }
    if (agrees) {
      addVerbatim(view->whole, message);
      return;
    }
  }
  WireMessage info(writer);
  info.addString(field::value::Name, name);
  if (type && !isa<UnknownType>(type))
    info.addMessage(field::value::Type, exportType(written));
  if (view != declared.end()) {
    if (!view->docString.empty())
      info.addString(field::value::DocString, view->docString);
    for (const EntryView &entry : view->metadataProps)
      addVerbatim(entry.whole, info);
    for (StringRef other : view->others)
      addVerbatim(other, info);
  }
  static constexpr uint32_t fields[] = {
      field::graph::Input, field::graph::Output, field::graph::ValueInfo};
  message.addMessage(fields[unsigned(place)], std::move(info));
}

/// The type of a value as far as it is written.
Type Exporter::getWrittenType(Value value) const {
  return disputed && disputed->contains(value) ? withoutShape(value.getType())
                                               : value.getType();
}

/// Whether a type contains a rank, and not only the kind of value.
static bool hasKnownShape(Type type) {
  if (auto sequence = dyn_cast<SequenceType>(type))
    return hasKnownShape(sequence.getElementType());
  if (auto optional = dyn_cast<OptionalType>(type))
    return hasKnownShape(optional.getElementType());
  return isa<RankedTensorType>(type);
}

void Exporter::exportInputs(Block &graph, bool isMain, const GraphOutput &out,
                            WireMessage &message) {
  const GraphView *view =
      source ? source->findGraph(graph.getParent()) : nullptr;
  ArrayRef<ValueInfoView> declared =
      view ? view->inputs : ArrayRef<ValueInfoView>();
  // By name, in the order in which they are written.
  llvm::MapVector<StringRef, Type> inputs;
  llvm::DenseMap<StringRef, Type> present;
  for (BlockArgument argument : graph.getArguments())
    present[names.get(argument)] = argument.getType();
  // Before this version, every initializer had to be an input too.
  constexpr int64_t initializersNeedNotBeInputs = 4;
  if (isMain && irVersion < initializersNeedNotBeInputs)
    for (ConstantOp op : out.initializerOps)
      present[names.get(op.getOutput())] = op.getType();
  for (const ValueInfoView &info : declared)
    if (auto it = present.find(info.name); it != present.end())
      inputs.insert({info.name, it->second});
  for (BlockArgument argument : graph.getArguments())
    inputs.insert({names.get(argument), argument.getType()});
  // Initializers of the file that were not inputs stay so: the file was readable
  // nevertheless.
  if (isMain && irVersion < initializersNeedNotBeInputs)
    for (ConstantOp op : out.initializerOps)
      if (!source || !source->contains(op))
        inputs.insert({names.get(op.getOutput()), op.getType()});
  for (auto [name, type] : inputs)
    exportInfo(InfoPlace::Input, name, type, declared, message);
}

void Exporter::exportOutputs(Block &graph, const GraphOutput &out,
                             WireMessage &message) {
  const GraphView *view =
      source ? source->findGraph(graph.getParent()) : nullptr;
  ArrayRef<ValueInfoView> declared =
      view ? view->outputs : ArrayRef<ValueInfoView>();
  // A declared shape stays until inference finds one.
  for (auto [output, name] :
       llvm::zip(graph.getTerminator()->getOperands(), out.outputNames))
    exportInfo(InfoPlace::Output, name, getWrittenType(output), declared,
               message);
}

/// Writes the types of the values inside of a graph; for an unknown type, the file's
/// declaration.
void Exporter::exportValueInfos(Block &graph, ArrayRef<ValueInfoView> declared,
                                WireMessage &message) {
  llvm::DenseSet<StringRef> said;
  for (StringRef output : getOutputNames(graph))
    said.insert(output);
  llvm::DenseMap<StringRef, const ValueInfoView *> byName;
  for (const ValueInfoView &info : declared)
    byName.try_emplace(info.name, &info);
  for (Operation &op : graph.without_terminator()) {
    if (op.hasAttr(attr::initializer))
      continue;
    for (Value result : op.getResults()) {
      StringRef name = names.lookup(result);
      const ValueInfoView *info = byName.lookup(name);
      if (name.empty() || !said.insert(name).second ||
          (!info && !hasKnownShape(getWrittenType(result))))
        continue;
      exportInfo(InfoPlace::Inside, name, getWrittenType(result),
                 info ? ArrayRef(*info) : ArrayRef<ValueInfoView>(), message);
    }
  }
  // For initializers and inputs, only existing declarations are written.
  for (const ValueInfoView &info : declared)
    if (said.insert(info.name).second)
      addVerbatim(info.whole, message);
}
