// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RuleScope.h"

#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Elements/Cast.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Making ----------------------------------------------------------------===//

Value Maker::constant(Elements content) {
  return ConstantOp::create(
      builder, builder.getUnknownLoc(),
      elements::LazyElementsAttr::get(builder.getContext(), content));
}

Value Maker::ints(ArrayRef<int64_t> numbers) {
  return constant(llvm::cantFail(ElementsBuilder().fromArray<DataType::Int64>(
      int64_t(numbers.size()), numbers)));
}

Value Maker::scalar(int64_t number) {
  return constant(llvm::cantFail(
      ElementsBuilder().fromArray<DataType::Int64>({}, {number})));
}

static Elements fill(ArrayRef<int64_t> shape, DataType type,
                     ArrayRef<double> numbers = {}) {
  std::vector<double> all(size_t(ShapedType::getNumElements(shape)));
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = numbers.empty() ? double(i + 1) : numbers[i % numbers.size()];
  ElementsBuilder builder;
  Elements doubles =
      llvm::cantFail(builder.fromArray<DataType::Float64>(shape, all));
  return llvm::cantFail(
      llvm::cantFail(builder.cast(doubles, type)).materialize());
}

Value Maker::counting(ArrayRef<int64_t> shape, DataType type) {
  return constant(fill(shape, type));
}

//===-- Cases -----------------------------------------------------------------===//

/// The number of cases in one graph.
static constexpr size_t perGraph = 64;

void Scope::add(Case added) {
  left.push_back(std::move(added));
  if (left.size() == perGraph)
    finish();
}

void Scope::finish() {
  static constexpr size_t perContext = 32;
  if (left.empty())
    return;
  if (numRuns++ % perContext == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    context->loadDialect<ONNXDialect, elements::ElementsDialect,
                         func::FuncDialect>();
  }
  run(left);
  left.clear();
}

void Scope::addChain(ArrayRef<const Step *> steps, Input input) {
  std::optional<int64_t> rank = int64_t(input.shape.size());
  std::string text = "x";
  for (const Step *step : steps) {
    rank = rank ? step->getRank(*rank) : std::nullopt;
    text = step->text + "(" + text + ")";
  }
  if (!rank)
    return;
  SmallVector<const Step *> chain(steps);
  add({text, {std::move(input)}, [chain](Maker &maker, ValueRange inputs) {
         Value value = inputs[0];
         for (const Step *step : chain)
           value = step->make(maker, value);
         return value;
       }});
}

void Scope::addPairs(ArrayRef<Step> producers, ArrayRef<Step> consumers,
                     ArrayRef<Input> inputs) {
  for (const Input &input : inputs)
    for (const Step &producer : producers)
      for (const Step &consumer : consumers)
        addChain({&producer, &consumer}, input);
  finish(); // The steps may not exist afterwards.
}

//===-- Graphs ----------------------------------------------------------------===//

static SmallVector<int64_t> fix(ArrayRef<int64_t> shape, int64_t size) {
  SmallVector<int64_t> fixed(shape);
  llvm::replace(fixed, anySize, size);
  return fixed;
}

static Type getType(const Input &input, MLIRContext *context) {
  SmallVector<StringAttr> names;
  for (int64_t size : input.shape)
    names.push_back(StringAttr::get(context, size == anySize ? "n" : ""));
  bool isOpen = llvm::is_contained(input.shape, anySize);
  return RankedTensorType::get(
      input.shape, elements::toType(context, input.type),
      isOpen ? DimsAttr::get(context, names) : DimsAttr());
}

/// Builds the cases as one graph. If the open size is given, its inputs are constants.
OwningOpRef<ModuleOp> Scope::build(ArrayRef<Case> cases,
                                   std::optional<int64_t> size) {
  OpBuilder builder(context.get());
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  SmallVector<Type> types;
  for (const Case &each : cases)
    for (const Input &input : each.inputs)
      types.push_back(getType(input, context.get()));
  builder.setInsertionPointToEnd(module->getBody());
  auto main = func::FuncOp::create(builder, loc, "main",
                                   builder.getFunctionType(types, {}));
  Block *body = main.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  Maker maker(builder);
  SmallVector<Value> results;
  unsigned next = 0;
  for (const Case &each : cases) {
    SmallVector<Value> inputs;
    for (const Input &input : each.inputs) {
      Value argument = body->getArgument(next++);
      inputs.push_back(size ? maker.constant(fill(fix(input.shape, *size),
                                                  input.type, input.numbers))
                            : argument);
    }
    results.push_back(each.make(maker, inputs));
  }
  func::ReturnOp::create(builder, loc, results);
  main.setFunctionType(
      builder.getFunctionType(types, ValueRange(results).getTypes()));
  return module;
}

/// Returns the graph with constants as inputs.
OwningOpRef<ModuleOp> Scope::bind(ModuleOp module, ArrayRef<Case> cases,
                                  int64_t size) {
  OwningOpRef<ModuleOp> copy = module.clone();
  Block &body = copy->lookupSymbol<func::FuncOp>("main").getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Maker maker(builder);
  unsigned next = 0;
  for (const Case &each : cases)
    for (const Input &input : each.inputs)
      body.getArgument(next++).replaceAllUsesWith(maker.constant(
          fill(fix(input.shape, size), input.type, input.numbers)));
  return copy;
}

/// Returns the results of a graph without inputs, or nullopt if it cannot run.
std::optional<Scope::Results> Scope::compute(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Functions functions;
  TypeInference inference(context.get(), functions, FoldOptions());
  if (failed(inference.run(main)))
    return std::nullopt;
  Results results;
  for (Value value : main.getBody().front().getTerminator()->getOperands()) {
    const FoldValue *content = inference.getConstant(value);
    if (!content || !content->isTensor())
      return std::nullopt;
    results.push_back(content->getTensor());
  }
  return results;
}

static bool areSame(const Elements &a, const Elements &b) {
  if (a.getType() != b.getType() || a.getShape() != b.getShape())
    return false;
  std::vector<uint8_t> first(a.sizeInBytes()), second(b.sizeInBytes());
  a.readBytes(0, first);
  b.readBytes(0, second);
  return first == second;
}

static std::string describeContent(const Elements &tensor) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::interleaved_array(tensor.getShape()) << ":";
  std::vector<WideNum> numbers(
      size_t(std::min<int64_t>(tensor.numElements(), 12)));
  tensor.readWideNums(0, numbers);
  for (WideNum number : numbers)
    stream << " " << number.toDouble(tensor.getType());
  return text;
}

void Scope::report(const Case &wrong, StringRef what) {
  static constexpr size_t mostShown = 20;
  if (++numWrong > mostShown)
    return;
  std::string inputs;
  for (const Input &input : wrong.inputs) {
    inputs += " [";
    for (int64_t size : input.shape)
      inputs += (size == anySize ? "n" : std::to_string(size)) + " ";
    inputs += "]";
  }
  llvm::errs() << wrong.text << " of" << inputs << ": " << what << "\n";
}

void Scope::run(ArrayRef<Case> cases) {
  ScopedDiagnosticHandler ignore(context.get(), [](Diagnostic &) {});
  // Run each case alone to find those that cannot run.
  auto split = [&] {
    for (size_t i = 0; i < cases.size(); ++i)
      run(cases.slice(i, 1));
  };
  bool isAlone = cases.size() == 1;
  OwningOpRef<ModuleOp> simplified = build(cases, std::nullopt);
  // Equal operators would be merged, and rules skip operators with several users.
  SimplifyOptions options;
  options.opset = opset;
  if (!isAlone)
    options.rules.disabled.insert("merge-equal");
  FailureOr<SimplifyResult> result =
      simplify(*simplified, ShapeFacts(), options);
  if (failed(result)) {
    if (!isAlone)
      return split();
    ++numRefused;
    return;
  }
  bool isOpen = llvm::any_of(cases, [](const Case &each) {
    return llvm::any_of(each.inputs, [](const Input &input) {
      return llvm::is_contained(input.shape, anySize);
    });
  });
  size_t compared = 0;
  int64_t first = 0;
  for (const Case &each : cases)
    first = std::max(first, isOpen ? each.leastSize : 0);
  for (int64_t size : llvm::seq<int64_t>(first, isOpen ? 5 : 1)) {
    auto wanted = compute(*build(cases, size));
    if (!wanted && !isAlone)
      return split();
    if (!wanted)
      continue;
    auto got = compute(*bind(*simplified, cases, size));
    if (!got && !isAlone)
      return split();
    for (auto [i, each] : llvm::enumerate(cases)) {
      ++compared;
      std::string at = isOpen ? llvm::formatv("n = {0}: ", size).str() : "";
      if (!got)
        report(each, at + "refused");
      else if (!areSame((*wanted)[i], (*got)[i]))
        report(each, at + "expected " + describeContent((*wanted)[i]) +
                         ", but got " + describeContent((*got)[i]));
    }
  }
  numCases += cases.size();
  numCompared += compared;
  numRefused += compared == 0;
  for (const auto &[name, statistics] : result->rules)
    applied[name.str()] += statistics.applied;
}

//===-- Rules -----------------------------------------------------------------===//

bool invar::isInScope(const Rule &rule) {
  static constexpr StringRef names[] = {
      "ArgMax",  "ArgMin",  "Cast",      "CastLike", "Compress",
      "Concat",  "Expand",  "Flatten",   "Gather",   "GatherElements",
      "Pad",     "Reshape", "Shape",     "Slice",    "Split",
      "Squeeze", "Tile",    "Transpose", "Unsqueeze"};
  // Decomposition and recomposition are tested by other suites.
  if (!rule.apply ||
      (rule.group != RuleGroup::Exact && rule.group != RuleGroup::Fuse))
    return false;
  auto isListed = [](StringRef name) {
    return llvm::is_contained(names, name) || name.starts_with("Reduce");
  };
  if (llvm::any_of(rule.anchors, [&](StringRef anchor) {
        return isListed(anchor.split('.').second);
      }))
    return true;
  SmallVector<StringRef> words;
  StringRef(rule.pattern).split(words, '(');
  return llvm::any_of(words, [&](StringRef word) {
    size_t begin = word.find_last_not_of(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");
    return isListed(begin == StringRef::npos ? word : word.substr(begin + 1));
  });
}
