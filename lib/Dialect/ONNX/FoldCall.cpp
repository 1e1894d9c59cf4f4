// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/FoldCall.h"

#include "invar/Dialect/Runtime/Setting.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Stop/Scope.h"
#include "runtime/Invoke.h"
#include <deque>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;
using runtime::Status;

namespace {

/// A reference to a value of the runtime.
struct Release {
  void operator()(runtime::Value *value) const {
    runtime::release(value, /*running=*/nullptr);
  }
};
template <typename T> using Ref = std::unique_ptr<T, Release>;

//===-- Settings --------------------------------------------------------------===//

/// The settings of a call in the form that the runtime reads.
class Settings {
public:
  /// Fails for a setting that the runtime does not take.
  llvm::Error add(NamedAttribute setting) {
    names.push_back(setting.getName().str());
    attributes.push_back({&names.back(), INVAR_ATTRIBUTE_INTS, {}, {}, {}});
    if (!rt::visitSetting(setting.getValue(), *this))
      return notFolded("its attribute '" + names.back() +
                       "' is not a list of numbers or strings");
    return llvm::Error::success();
  }
  const runtime::Attributes &get() const { return attributes; }

  // For visitSetting.
  void beginFloats() { attributes.back().kind = INVAR_ATTRIBUTE_FLOATS; }
  void addInt(int64_t number) { attributes.back().ints.push_back(number); }
  void addFloat(double number) {
    beginFloats();
    attributes.back().floats.push_back(number);
  }
  void addString(StringRef text) {
    texts.push_back(text.str());
    attributes.back().kind = INVAR_ATTRIBUTE_STRINGS;
    attributes.back().strings.push_back(texts.back());
  }
  bool addType(Type type) {
    std::optional<DataType> known = elements::toDataType(type);
    addInt(known ? int64_t(*known) : 0);
    return known.has_value();
  }

private:
  // Attributes refer to these, so their addresses must not change.
  std::deque<std::string> names, texts;
  runtime::Attributes attributes;
};

//===-- Operands --------------------------------------------------------------===//

/// The operands of one call, as values of the runtime.
class Operands {
public:
  explicit Operands(const EvalOptions &options) : options(options) {}

  void addNothing() { values.push_back(nullptr); }
  llvm::Error add(const FoldValue &value);
  llvm::Error addNumbers(ArrayRef<int64_t> numbers, int64_t columns);

  std::span<runtime::Value *const> get() const { return values; }

private:
  /// Keeps `value`, which is null if there is no memory.
  llvm::Error keep(runtime::Value *value);
  llvm::Expected<Ref<runtime::Value>> convert(const FoldValue &value);
  llvm::Expected<Ref<runtime::Value>> convertTensor(const Elements &tensor);

  EvalOptions options;
  std::vector<runtime::Value *> values;
  std::vector<Ref<runtime::Value>> owned;
};

} // namespace

static llvm::Error noMemory() {
  return notFolded("there is no memory for its operands");
}

/// A tensor over elements that `owner` owns: a function may return an operand. Functions
/// do not write operands.
static Ref<runtime::Value> borrow(DataType type, ArrayRef<int64_t> shape,
                                  const void *data,
                                  std::shared_ptr<const void> owner = nullptr) {
  using Owner = std::shared_ptr<const void>;
  return Ref<runtime::Value>(runtime::Tensor::createBorrowed(
      /*arena=*/nullptr, InvarDataType(type), {shape.data(), shape.size()},
      const_cast<void *>(data),
      [](void *kept) { delete static_cast<Owner *>(kept); },
      new Owner(std::move(owner))));
}

namespace {
/// Strings in the form of the runtime, and the owner of their text.
struct Texts {
  Elements source;
  std::vector<InvarString> strings;
};
} // namespace

llvm::Expected<Ref<runtime::Value>>
Operands::convertTensor(const Elements &tensor) {
  if (tensor.getRank() > int64_t(runtime::maxRank))
    return notFolded("it has an operand of rank " + Twine(tensor.getRank()));
  if (llvm::Error error = tensor.prepare(options))
    return error;
  if (tensor.getType() == DataType::String) {
    auto texts = tensor.getArray<StringRef>(options);
    if (!texts)
      return texts.takeError();
    auto owner = std::make_shared<Texts>(Texts{tensor, {}});
    for (StringRef text : *texts)
      owner->strings.push_back({text.data(), text.size()});
    const InvarString *first = owner->strings.data();
    return borrow(DataType::String, tensor.getShape(), first, std::move(owner));
  }
  if (const void *lanes = tensor.getLanesInPlace())
    return borrow(tensor.getType(), tensor.getShape(), lanes,
                  std::make_shared<Elements>(tensor));
  uint64_t bytes =
      uint64_t(tensor.numElements()) * getLaneSize(tensor.getType());
  std::shared_ptr<char[]> copy(new (std::nothrow) char[bytes]);
  if (!copy)
    return noMemory();
  tensor.read(0, tensor.numElements(), copy.get(), options);
  return borrow(tensor.getType(), tensor.getShape(), copy.get(), copy);
}

llvm::Expected<Ref<runtime::Value>> Operands::convert(const FoldValue &value) {
  if (value.isTensor())
    return convertTensor(value.getTensor());
  if (value.isNone())
    return Ref<runtime::Value>(runtime::Optional::create(nullptr, nullptr));
  std::vector<Ref<runtime::Value>> items;
  std::vector<runtime::Value *> references;
  for (const FoldValue &item : value.getItems()) {
    auto converted = convert(item);
    if (!converted)
      return converted.takeError();
    if (!*converted)
      return noMemory();
    references.push_back(converted->get());
    items.push_back(std::move(*converted));
  }
  return Ref<runtime::Value>(runtime::Sequence::create(nullptr, references));
}

llvm::Error Operands::keep(runtime::Value *value) {
  if (!value)
    return noMemory();
  owned.emplace_back(value);
  values.push_back(value);
  return llvm::Error::success();
}

llvm::Error Operands::add(const FoldValue &value) {
  auto converted = convert(value);
  return converted ? keep(converted->release()) : converted.takeError();
}

llvm::Error Operands::addNumbers(ArrayRef<int64_t> numbers, int64_t columns) {
  auto list =
      std::make_shared<std::vector<int64_t>>(numbers.begin(), numbers.end());
  auto count = int64_t(list->size());
  Shape shape = columns ? Shape{count / columns, columns} : Shape{count};
  const int64_t *first = list->data();
  return keep(borrow(DataType::Int64, shape, first, std::move(list)).release());
}

//===-- Calls -----------------------------------------------------------------===//

namespace {
/// A call with constant operands, which may run after the operator is gone.
class ConstantCall {
public:
  static llvm::Expected<std::shared_ptr<const ConstantCall>>
  get(const Folding &fold, const RuntimeCall &call, Floats floats);

  /// Writes results into `places`, if their types and sizes are equal.
  llvm::Error run(const EvalOptions &options,
                  std::vector<Ref<runtime::Value>> &results,
                  ArrayRef<runtime::Tensor *> places = {}) const;

  /// The type in which the function makes a result.
  DataType getType(unsigned result) const {
    return DataType(types[result].dataType);
  }

private:
  ConstantCall() = default;
  llvm::Error addOperands(const Folding &fold, const RuntimeCall &call,
                          Floats floats);

  struct Operand {
    std::optional<FoldValue> value;
    SmallVector<int64_t> numbers;
    int64_t columns = 0;
    bool isLeftOut = false;
  };
  std::string function;
  Settings settings;
  std::vector<Operand> operands;
  std::vector<runtime::Type> types;
};
} // namespace

/// Widens floats to doubles.
static llvm::Error widen(const Folding &fold, FoldValue &value) {
  if (!value.isTensor() ||
      getKind(value.getTensor().getType()) != NumberKind::Float)
    return llvm::Error::success();
  auto wide = fold.getBuilder().cast(value.getTensor(), DataType::Float64);
  if (!wide)
    return wide.takeError();
  value = FoldValue(std::move(*wide));
  return llvm::Error::success();
}

llvm::Error ConstantCall::addOperands(const Folding &fold,
                                      const RuntimeCall &call, Floats floats) {
  for (const RuntimeCall::Operand &operand : call.getOperands()) {
    Operand &added = operands.emplace_back();
    added.columns = operand.columns;
    if (operand.numbers) {
      for (const IndexExpr &number : *operand.numbers) {
        if (!number.isLiteral())
          return notFolded("its sizes are not known");
        added.numbers.push_back(number.getLiteral());
      }
      continue;
    }
    added.isLeftOut = !operand.value;
    if (added.isLeftOut)
      continue;
    const FoldValue &value = fold.getValue(operand.value);
    if (value.isTensor())
      if (llvm::Error error = fold.checkWork(value.getTensor().getShape()))
        return error;
    added.value = value;
    if (floats == Floats::Doubles)
      if (llvm::Error error = widen(fold, *added.value))
        return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<const ConstantCall>>
ConstantCall::get(const Folding &fold, const RuntimeCall &call, Floats floats) {
  std::shared_ptr<ConstantCall> made(new ConstantCall());
  made->function = call.getFunction().str();
  for (NamedAttribute setting : call.getSettings())
    if (llvm::Error error = made->settings.add(setting))
      return error;
  Operation *op = call.getOperation();
  if (auto results = listResults(op))
    if (llvm::Error error = made->settings.add(
            Builder(op->getContext())
                .getNamedAttr("results", DenseI64ArrayAttr::get(
                                             op->getContext(), *results))))
      return error;
  if (llvm::Error error = made->addOperands(fold, call, floats))
    return error;
  for (Value result : op->getResults()) {
    runtime::Type &type = made->types.emplace_back();
    if (!isa<TensorType>(result.getType())) {
      type.kind = INVAR_TYPE_SEQUENCE;
      continue;
    }
    if (auto ranked = dyn_cast<RankedTensorType>(result.getType());
        ranked && ranked.hasStaticShape())
      if (llvm::Error error = fold.checkWork(ranked.getShape()))
        return error;
    DataType own = fold.getType(cast<OpResult>(result).getResultNumber());
    bool isWide =
        floats == Floats::Doubles && getKind(own) == NumberKind::Float;
    type.dataType = InvarDataType(isWide ? DataType::Float64 : own);
  }
  return made;
}

llvm::Error ConstantCall::run(const EvalOptions &options,
                              std::vector<Ref<runtime::Value>> &results,
                              ArrayRef<runtime::Tensor *> places) const {
  Operands given(options);
  for (const Operand &operand : operands) {
    if (operand.isLeftOut) {
      given.addNothing();
      continue;
    }
    if (llvm::Error error =
            operand.value ? given.add(*operand.value)
                          : given.addNumbers(operand.numbers, operand.columns))
      return error;
  }
  auto pointers = llvm::map_to_vector(
      types, [](const runtime::Type &type) { return &type; });
  runtime::ThreadPool threads(options.threads, runtime::ThreadPool::usualSpin);
  std::vector<runtime::Value *> made;
  Status status = runtime::invoke({function,
                                   settings.get(),
                                   given.get(),
                                   {pointers.data(), pointers.size()},
                                   {places.data(), places.size()}},
                                  threads, StopScope::get(), made);
  if (status)
    return notFolded(StringRef(status.getText()));
  for (runtime::Value *value : made)
    results.emplace_back(value);
  return llvm::Error::success();
}

//===-- Results ---------------------------------------------------------------===//

static llvm::Expected<FoldValue> toValue(const ElementsBuilder &builder,
                                         Ref<runtime::Value> value);

static llvm::Expected<Elements> toElements(const ElementsBuilder &builder,
                                           Ref<runtime::Value> value) {
  auto *tensor = static_cast<runtime::Tensor *>(value.get());
  auto type = DataType(tensor->getType());
  ArrayRef<int64_t> shape(tensor->getSizes().data(), tensor->getSizes().size());
  int64_t count = tensor->getCount();
  if (type == DataType::String) {
    SmallVector<StringRef> texts;
    for (int64_t i = 0; i < count; ++i)
      texts.push_back(tensor->getString(i));
    return builder.fromStrings(shape, texts);
  }
  if (isPacked(type))
    return builder.fromLanes(type, shape, tensor->getData(), size_t(count));
  ArrayRef<uint8_t> bytes(tensor->getData<uint8_t>(), tensor->getBytes());
  Shape sizes(shape);
  auto buffer = Buffer::unowned(
      type, count, bytes,
      std::shared_ptr<const void>(tensor, [](const void *kept) {
        Release()(static_cast<runtime::Tensor *>(const_cast<void *>(kept)));
      }));
  (void)value.release();
  return buffer ? builder.fromBuffer(std::move(*buffer), sizes)
                : buffer.takeError();
}

static llvm::Expected<FoldValue> toValue(const ElementsBuilder &builder,
                                         Ref<runtime::Value> value) {
  if (runtime::asTensor(value.get())) {
    auto tensor = toElements(builder, std::move(value));
    return tensor ? FoldValue(std::move(*tensor))
                  : llvm::Expected<FoldValue>(tensor.takeError());
  }
  runtime::Sequence *sequence = runtime::asSequence(value.get());
  if (!sequence)
    return notFolded("its result is neither a tensor nor a sequence");
  std::vector<FoldValue> items;
  for (runtime::Value *item : sequence->getItems()) {
    runtime::retain(item);
    auto converted = toValue(builder, Ref<runtime::Value>(item));
    if (!converted)
      return converted.takeError();
    items.push_back(std::move(*converted));
  }
  return FoldValue::sequence(std::move(items));
}

FoldResult onnx::foldByCall(const Folding &fold, const RuntimeCall &call,
                            Floats floats) {
  auto constant = ConstantCall::get(fold, call, floats);
  if (!constant)
    return constant.takeError();
  std::vector<Ref<runtime::Value>> results;
  if (llvm::Error error =
          (*constant)->run(fold.getOptions().evaluation, results))
    return error;
  FoldResult::Values values;
  for (auto [i, result] : llvm::enumerate(results)) {
    auto value = toValue(fold.getBuilder(), std::move(result));
    if (!value)
      return value.takeError();
    if (value->isTensor() && floats == Floats::Doubles &&
        getKind(value->getTensor().getType()) == NumberKind::Float) {
      fold.noteRounding();
      auto narrow =
          fold.getBuilder().cast(value->getTensor(), fold.getType(unsigned(i)));
      if (!narrow)
        return narrow.takeError();
      value = FoldValue(std::move(*narrow));
    }
    values.push_back(std::move(*value));
  }
  return values;
}

namespace {
/// Runs a call once, for all of its results.
class CallWhenRead {
public:
  CallWhenRead(std::shared_ptr<const ConstantCall> call,
               std::vector<Shape> shapes)
      : call(std::move(call)), shapes(std::move(shapes)) {}

  /// Writes the elements of a result to `lanes`.
  llvm::Error read(unsigned result, void *lanes, const EvalOptions &options) {
    std::lock_guard lock(mutex);
    if (!hasRun)
      if (llvm::Error error = run(result, lanes, options))
        return error;
    auto *tensor = static_cast<runtime::Tensor *>(results[result].get());
    if (tensor->getData() != lanes && tensor->getBytes())
      std::memcpy(lanes, tensor->getData(), tensor->getBytes());
    // Each result is read once.
    results[result].reset();
    return llvm::Error::success();
  }

private:
  llvm::Error run(unsigned result, void *lanes, const EvalOptions &options) {
    SmallVector<runtime::Tensor *> places(shapes.size());
    Ref<runtime::Value> place =
        borrow(call->getType(result), shapes[result], lanes);
    places[result] = static_cast<runtime::Tensor *>(place.get());
    if (llvm::Error error = call->run(options, results, places))
      return error;
    for (auto [made, shape] : llvm::zip_equal(results, shapes)) {
      runtime::Sizes sizes =
          static_cast<runtime::Tensor *>(made.get())->getSizes();
      if (ArrayRef(sizes.data(), sizes.size()) != ArrayRef(shape))
        return notFolded("its shape is not the inferred one");
    }
    hasRun = true;
    return llvm::Error::success();
  }

  std::shared_ptr<const ConstantCall> call;
  std::vector<Shape> shapes;
  std::mutex mutex;
  bool hasRun = false;
  std::vector<Ref<runtime::Value>> results;
};
} // namespace

FoldResult onnx::foldByCallWhenRead(const Folding &fold,
                                    const RuntimeCall &call, Floats floats) {
  auto constant = ConstantCall::get(fold, call, floats);
  if (!constant)
    return constant.takeError();
  unsigned count = fold.getOperation()->getNumResults();
  std::vector<Shape> shapes;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Expected<Shape> shape = fold.getShape(i);
    if (!shape)
      return shape.takeError();
    shapes.push_back(std::move(*shape));
  }
  auto later = std::make_shared<CallWhenRead>(*constant, shapes);
  FoldResult::Values values;
  for (unsigned i = 0; i < count; ++i) {
    auto made =
        fold.computeLater((*constant)->getType(i), shapes[i],
                          [later, i](void *lanes, const EvalOptions &options) {
                            return later->read(i, lanes, options);
                          },
                          i);
    if (!made)
      return made.takeError();
    values.push_back(std::move(*made));
  }
  return values;
}
