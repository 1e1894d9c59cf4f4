// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cut.h"

#include "invar/Dialect/Const/Const.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Sparse.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

static func::FuncOp getMain(ImportedModel &model) {
  return model.module->lookupSymbol<func::FuncOp>("main");
}

static StringRef getInputName(func::FuncOp main, unsigned index) {
  auto name = main.getArgAttrOfType<StringAttr>(index, attr::name);
  return name ? name.getValue() : StringRef();
}

static StringRef getOutputName(func::FuncOp main, unsigned index) {
  auto name = main.getResultAttrOfType<StringAttr>(index, attr::name);
  return name ? name.getValue() : StringRef();
}

static SmallVector<StringRef> getInputNames(func::FuncOp main) {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    names.push_back(getInputName(main, i));
  return names;
}

static SmallVector<StringRef> getOutputNames(func::FuncOp main) {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    names.push_back(getOutputName(main, i));
  return names;
}

/// "'a', 'b' and 3 more"
static std::string listNames(ArrayRef<StringRef> names) {
  constexpr size_t most = 8;
  std::string text = "'" + llvm::join(names.take_front(most), "', '") + "'";
  if (names.size() > most)
    text += " and " + std::to_string(names.size() - most) + " more";
  return names.empty() ? "none" : text;
}

static llvm::Error fail(ImportedModel &model, const Twine &what) {
  return badInput(model.source->getModel().getPath() + ": " + what);
}

//===-- Shapes ----------------------------------------------------------------===//

llvm::Error invar::nameShapes(ImportedModel &model,
                              std::vector<ShapeFacts::Shape> &shapes) {
  func::FuncOp main = getMain(model);
  SmallVector<StringRef> candidates;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (!main.getArgAttr(i, attr::defaultValue))
      candidates.push_back(getInputName(main, i));
  for (ShapeFacts::Shape &shape : shapes) {
    if (!shape.input.empty())
      continue;
    if (candidates.size() != 1)
      return fail(model, "expected a shape without a name only where there is "
                         "one input, but got " +
                             listNames(candidates));
    shape.input = candidates[0].str();
  }
  return llvm::Error::success();
}

llvm::Error invar::overwriteShapes(ImportedModel &model,
                                   ArrayRef<ShapeFacts::Shape> shapes) {
  func::FuncOp main = getMain(model);
  SmallVector<StringRef> inputs = getInputNames(main);
  for (const ShapeFacts::Shape &shape : shapes) {
    auto found = llvm::find(inputs, StringRef(shape.input));
    if (found == inputs.end())
      return fail(model, "expected an input to give a shape, but got '" +
                             shape.input + "'; there is " + listNames(inputs));
    BlockArgument argument = main.getArgument(found - inputs.begin());
    auto tensor = dyn_cast<TensorType>(argument.getType());
    if (!tensor)
      return fail(model, "expected a tensor to give a shape, but '" +
                             shape.input + "' is " +
                             describeType(argument.getType()));
    SmallVector<int64_t> sizes;
    SmallVector<StringAttr> names;
    for (StringRef dim : shape.dims) {
      int64_t size = ShapedType::kDynamic;
      bool isNumber = !dim.getAsInteger(10, size);
      sizes.push_back(isNumber ? size : ShapedType::kDynamic);
      names.push_back(
          StringAttr::get(argument.getContext(), isNumber ? "" : dim));
    }
    Attribute encoding;
    if (llvm::any_of(names, [](StringAttr name) { return !name.empty(); }))
      encoding = DimsAttr::get(argument.getContext(), names);
    argument.setType(
        RankedTensorType::get(sizes, tensor.getElementType(), encoding));
  }
  main.setFunctionType(FunctionType::get(
      main.getContext(), main.getBody().getArgumentTypes(),
      main.getBody().front().getTerminator()->getOperandTypes()));
  return llvm::Error::success();
}

//===-- Defaults --------------------------------------------------------------===//

void invar::fixDefaults(ImportedModel &model) {
  func::FuncOp main = getMain(model);
  OpBuilder builder(main.getBody());
  llvm::BitVector fixed(main.getNumArguments());
  for (BlockArgument argument : main.getArguments()) {
    unsigned index = argument.getArgNumber();
    Attribute value = main.getArgAttr(index, attr::defaultValue);
    if (!value)
      continue;
    auto sparse = dyn_cast<SparseAttr>(value);
    ConstantOp constant =
        sparse ? ConstantOp::create(builder, argument.getLoc(),
                                    sparse.getType(), sparse, nullptr, nullptr,
                                    nullptr, nullptr, nullptr, nullptr, nullptr)
               : ConstantOp::create(builder, argument.getLoc(),
                                    cast<ElementsAttr>(value));
    constant->setAttr(attr::initializer, builder.getUnitAttr());
    constant->setAttr(attr::outputs,
                      builder.getStrArrayAttr(getInputName(main, index)));
    argument.replaceAllUsesWith(constant.getOutput());
    fixed.set(index);
  }
  (void)main.eraseArguments(fixed);
}

llvm::Error invar::expandDefaults(ImportedModel &model) {
  func::FuncOp main = getMain(model);
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto sparse = main.getArgAttrOfType<SparseAttr>(i, attr::defaultValue);
    if (!sparse)
      continue;
    llvm::Expected<Elements> dense = expandSparse(sparse);
    if (!dense)
      return inContext(model.source->getModel().getPath() + ": input '" +
                           getInputName(main, i) + "': ",
                       dense.takeError());
    main.setArgAttr(i, attr::defaultValue,
                    elements::LazyElementsAttr::get(main.getContext(), *dense));
  }
  return llvm::Error::success();
}

/// Whether a tensor may contain trained numbers, and not sizes, positions or single
/// settings.
static bool couldBeTrained(ShapedType type) {
  constexpr int64_t fewest = 8;
  Type element = type.getElementType();
  return type.getNumElements() >= fewest &&
         (isa<FloatType>(element) || element.isInteger(8) ||
          element.isInteger(32));
}

/// Whether elements take whole bytes, as they do in files.
static bool hasWholeBytes(ShapedType type) {
  Type element = type.getElementType();
  return element.isIntOrFloat() && !element.isInteger(1) &&
         element.getIntOrFloatBitWidth() % 8 == 0;
}

void invar::openWeights(ImportedModel &model,
                        std::optional<uint64_t> leastBytes) {
  func::FuncOp main = getMain(model);
  auto isOpened = [&](ConstantOp op) {
    ElementsAttr content = op.getValueAttr();
    if (!content || getValueName(op.getOutput()).empty())
      return false;
    ShapedType type = content.getShapedType();
    if (!hasWholeBytes(type))
      return false;
    return leastBytes ? uint64_t(type.getNumElements()) *
                                type.getElementTypeBitWidth() / 8 >=
                            *leastBytes
                      : couldBeTrained(type);
  };
  // Insert all arguments at once: each insertion rebuilds the lists of all arguments.
  SmallVector<ConstantOp> opened;
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  SmallVector<Location> places;
  Builder builder(main.getContext());
  for (auto op : main.getOps<ConstantOp>()) {
    if (!isOpened(op))
      continue;
    opened.push_back(op);
    types.push_back(op.getOutput().getType());
    places.push_back(op.getLoc());
    attributes.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(
             attr::name, builder.getStringAttr(getValueName(op.getOutput()))),
         builder.getNamedAttr(attr::defaultValue, op.getValueAttr()),
         builder.getNamedAttr(constants::parameterAttribute,
                              builder.getUnitAttr())}));
  }
  unsigned before = main.getNumArguments();
  (void)main.insertArguments(SmallVector<unsigned>(opened.size(), before),
                             types, attributes, places);
  for (auto [i, op] : llvm::enumerate(opened)) {
    op.getOutput().replaceAllUsesWith(main.getArgument(before + unsigned(i)));
    op.erase();
  }
}

//===-- Ends ------------------------------------------------------------------===//

namespace {
/// A name from the command line, and the type that may follow it.
struct End {
  StringRef name;
  StringRef type;
};

class Cutter {
public:
  Cutter(ImportedModel &model, const CutOptions &options)
      : model(model), options(options), main(getMain(model)),
        graph(main.getBody().front()) {
    for (BlockArgument argument : graph.getArguments())
      values[getInputName(main, argument.getArgNumber())] = argument;
    for (Operation &op : graph)
      for (Value result : op.getResults())
        if (StringRef name = getValueName(result); !name.empty())
          values[name] = result;
    // Two outputs may share one value, which has only one of their names.
    for (auto [i, output] :
         llvm::enumerate(graph.getTerminator()->getOperands()))
      values.try_emplace(getOutputName(main, i), output);
  }

  llvm::Error run() {
    if (llvm::Error error = dropOutputs())
      return error;
    if (llvm::Error error = setOutputs())
      return error;
    if (llvm::Error error = setInputs())
      return error;
    eraseUnneeded();
    if (llvm::Error error = dropInputs())
      return error;
    main.setFunctionType(
        FunctionType::get(main.getContext(), graph.getArgumentTypes(),
                          graph.getTerminator()->getOperandTypes()));
    return llvm::Error::success();
  }

private:
  /// Splits NAME:TYPE, unless all of it is a name.
  llvm::Expected<std::pair<End, Value>> find(StringRef text, StringRef what) {
    End end{text, {}};
    if (!values.contains(text))
      std::tie(end.name, end.type) = text.rsplit(':');
    Value value = values.lookup(end.name);
    if (!value)
      return fail(model, "expected the name of a value for '" + what +
                             "', but got '" + text + "'");
    if (end.type.empty())
      return std::pair(end, value);
    auto tensor = dyn_cast<TensorType>(value.getType());
    Type element = getElementType(end.type);
    if (!element)
      return badUsage("expected a type among 'fp16', 'fp32', 'int32' and "
                      "'bool', but got '" +
                      end.type + "'");
    if (tensor && tensor.getElementType() != element)
      return fail(model, "expected '" + end.name + "' to stay " +
                             describeType(value.getType()) + ", but got '" +
                             end.type + "': names of types convert nothing");
    return std::pair(end, value);
  }

  Type getElementType(StringRef name) {
    Builder builder(main.getContext());
    return llvm::StringSwitch<Type>(name)
        .Case("fp16", builder.getF16Type())
        .Case("fp32", builder.getF32Type())
        .Case("int32", builder.getI32Type())
        .Case("bool", builder.getI1Type())
        .Default(nullptr);
  }

  void setEnds(ArrayRef<std::pair<StringRef, Value>> outputs) {
    Builder builder(main.getContext());
    SmallVector<Attribute> names;
    SmallVector<Value> operands;
    for (auto [name, value] : outputs) {
      operands.push_back(value);
      names.push_back(builder.getDictionaryAttr(
          builder.getNamedAttr(attr::name, builder.getStringAttr(name))));
    }
    graph.getTerminator()->setOperands(operands);
    main.setFunctionType(FunctionType::get(main.getContext(),
                                           graph.getArgumentTypes(),
                                           ValueRange(operands).getTypes()));
    main.setResAttrsAttr(builder.getArrayAttr(names));
  }

  llvm::Error dropOutputs() {
    if (options.unusedOutputs.empty())
      return llvm::Error::success();
    SmallVector<StringRef> names = getOutputNames(main);
    for (StringRef unused : options.unusedOutputs)
      if (!llvm::is_contained(names, unused))
        return fail(model, "expected an output to drop, but got '" + unused +
                               "'; there is " + listNames(names));
    SmallVector<std::pair<StringRef, Value>> outputs;
    for (auto [name, value] :
         llvm::zip(names, graph.getTerminator()->getOperands()))
      if (!llvm::is_contained(options.unusedOutputs, name))
        outputs.push_back({name, value});
    if (outputs.empty())
      return fail(model, "expected an output to stay, but all are to go");
    setEnds(outputs);
    return llvm::Error::success();
  }

  llvm::Error setOutputs() {
    if (options.outputs.empty())
      return llvm::Error::success();
    SmallVector<std::pair<StringRef, Value>> outputs;
    for (StringRef text : options.outputs) {
      auto found = find(text, "--outputs");
      if (!found)
        return found.takeError();
      outputs.push_back({found->first.name, found->second});
    }
    setEnds(outputs);
    return llvm::Error::success();
  }

  llvm::Error setInputs() {
    Builder builder(main.getContext());
    for (StringRef text : options.inputs) {
      auto found = find(text, "--inputs");
      if (!found)
        return found.takeError();
      auto [end, value] = *found;
      if (isa<BlockArgument>(value)) {
        wanted.insert(value);
        continue;
      }
      Type type = value.getType();
      if (isa<UnknownType>(type)) {
        if (end.type.empty())
          return fail(model,
                      "expected a type after the name of the new input '" +
                          end.name + "', such as '" + end.name +
                          ":fp32', since it cannot be inferred");
        type = UnrankedTensorType::get(getElementType(end.type));
      }
      unsigned index = graph.getNumArguments();
      DictionaryAttr facts = builder.getDictionaryAttr(
          builder.getNamedAttr(attr::name, builder.getStringAttr(end.name)));
      if (failed(main.insertArgument(index, type, facts, value.getLoc())))
        return fail(model, "cannot add the input '" + end.name + "'");
      BlockArgument input = graph.getArgument(index);
      value.replaceAllUsesWith(input);
      values[end.name] = input;
      wanted.insert(input);
    }
    return llvm::Error::success();
  }

  /// Erases everything that no output needs: it is outside of the cut.
  void eraseUnneeded() {
    Operation *before = nullptr;
    for (Operation *op = graph.getTerminator()->getPrevNode(); op;
         op = before) {
      before = op->getPrevNode();
      if (op->use_empty())
        op->erase();
    }
  }

  /// Removes inputs that were not requested; fails if one of them is needed.
  llvm::Error dropInputs() {
    if (options.inputs.empty() && options.outputs.empty())
      return llvm::Error::success();
    llvm::BitVector unneeded(graph.getNumArguments());
    for (BlockArgument argument : graph.getArguments()) {
      unsigned index = argument.getArgNumber();
      if (wanted.contains(argument))
        continue;
      if (argument.use_empty())
        unneeded.set(index);
      else if (!options.inputs.empty() &&
               !main.getArgAttr(index, attr::defaultValue))
        return fail(model, "expected inputs that cut off '" +
                               getInputName(main, index) + "', but '" +
                               nameUser(argument) + "' needs it");
    }
    if (failed(main.eraseArguments(unneeded)))
      return fail(model, "cannot drop inputs");
    return llvm::Error::success();
  }

  std::string nameUser(Value value) {
    Operation *user = *value.user_begin();
    while (user->getBlock() != &graph)
      user = user->getParentOp();
    StringRef name =
        user->getNumResults() ? getValueName(user->getResult(0)) : StringRef();
    return name.empty() ? user->getName().stripDialect().str() : name.str();
  }

  ImportedModel &model;
  const CutOptions &options;
  func::FuncOp main;
  Block &graph;
  llvm::StringMap<Value> values;
  /// Inputs that were requested.
  llvm::DenseSet<Value> wanted;
};
} // namespace

llvm::Error invar::cutModel(ImportedModel &model, const CutOptions &options) {
  if (options.inputs.empty() && options.outputs.empty() &&
      options.unusedOutputs.empty())
    return llvm::Error::success();
  return Cutter(model, options).run();
}
