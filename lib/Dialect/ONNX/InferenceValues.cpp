// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of values: constants.
#include "invar/Dialect/ONNX/TypeInference.h"

#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Support/Error.h"
#include "llvm/Support/SaveAndRestore.h"
#include <chrono>

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// The total cost limit of evaluating loops. Without it, a small file could take forever.
static constexpr unsigned maxVisitsInLoops = 500'000;

const FoldValue *TypeInference::getConstant(Value value) const {
  auto found = constants.find(value);
  return found == constants.end() ? nullptr : &found->second.value;
}

bool TypeInference::isConstant(Operation *op) const {
  return op->getNumResults() != 0 &&
         llvm::all_of(op->getResults(), [&](Value result) {
           return getConstant(result) != nullptr;
         });
}

ElementsAttr TypeInference::getConstantAttr(Value value) {
  auto found = constants.find(value);
  if (found == constants.end() || !found->second.value.isTensor())
    return nullptr;
  ElementsAttr &attribute = found->second.attribute;
  if (!attribute)
    attribute = elements::LazyElementsAttr::get(
        context, found->second.value.getTensor());
  return attribute;
}

/// Returns the type of a value whose content is known; `declared` if the content has no
/// type.
static Type typeOf(const FoldValue &content, Type declared) {
  if (auto optional = dyn_cast<OptionalType>(declared))
    return OptionalType::get(declared.getContext(),
                             typeOf(content, optional.getElementType()));
  if (!content.isTensor())
    return declared;
  const Elements &tensor = content.getTensor();
  return RankedTensorType::get(
      tensor.getShape(),
      elements::toType(declared.getContext(), tensor.getType()));
}

void TypeInference::setConstant(Value value, FoldValue content) {
  setType(value, typeOf(content, value.getType()));
  constants.insert_or_assign(value, Constant{std::move(content), nullptr, {}});
}

/// Whether content matches the type of a value. Inferred shapes are correct, so content
/// with another shape comes from an error in a kernel.
static bool fits(const FoldValue &content, Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!content.isTensor())
    return !isa<TensorType>(type);
  if (!ranked)
    return true;
  ArrayRef<int64_t> shape = content.getTensor().getShape();
  return shape.size() == ranked.getShape().size() &&
         llvm::all_of(llvm::zip(shape, ranked.getShape()), [](auto sizes) {
           auto [is, said] = sizes;
           return is == said || ShapedType::isDynamic(said);
         });
}

static llvm::Error checkFit(Operation *op, ArrayRef<FoldValue> values) {
  if (values.size() != op->getNumResults())
    return notFolded("there are " + Twine(values.size()) + " values for " +
                     Twine(op->getNumResults()) + " results");
  for (auto [value, result] : llvm::zip(values, op->getResults()))
    if (!fits(value, result.getType()))
      return notFolded("its value does not have the type " +
                       describeType(result.getType()));
  return llvm::Error::success();
}

/// If all entries of a small tensor are numbers, they are its content.
bool TypeInference::foldEntries(OpResult result) {
  auto found = entries.find(result);
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (found == entries.end() || !type || !type.hasStaticShape())
    return false;
  SmallVector<WideNum> numbers;
  for (Symbolic entry : found->second) {
    Symbolic known = symbolic.resolve(entry);
    if (!known->isConstant())
      return false;
    numbers.push_back(WideNum::ofInt(known->getConstant()));
  }
  std::optional<DataType> element = elements::toDataType(type.getElementType());
  if (!element || getKind(*element) > NumberKind::Unsigned ||
      int64_t(numbers.size()) != type.getNumElements())
    return false;
  ElementsBuilder builder(fold->evaluation);
  llvm::Expected<Elements> content =
      builder.fromWideNums(*element, type.getShape(), numbers);
  if (!content) {
    llvm::consumeError(content.takeError());
    return false;
  }
  setConstant(result, std::move(*content));
  return true;
}

//===-- Folding ---------------------------------------------------------------===//

/// Whether a type is a tensor of floats narrower than double.
static bool isNarrowFloat(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  auto element =
      tensor ? dyn_cast<FloatType>(tensor.getElementType()) : nullptr;
  return element && (element.isF16() || element.isBF16() || element.isF32());
}

/// Whether an operator may compute in double instead of its float type: only if all its
/// float operands and results have the same type variable. So casts, comparisons and
/// quantization never do.
static bool canFoldWide(Operation *op) {
  auto described = dyn_cast<SchemaOpInterface>(op);
  if (!described || op->getNumOperands() == 0)
    return false;
  const OpSchema &schema = described.getSchema();
  StringRef variable;
  // Whether there are floats, and all have the type variable.
  auto check = [&](ArrayRef<Value> slots, ArrayRef<Formal> formals) {
    bool hasFloat = false, isOne = true;
    for (auto [i, value] : llvm::enumerate(slots)) {
      if (!value || !isNarrowFloat(value.getType()))
        continue;
      StringRef its = formals[std::min(i, formals.size() - 1)].var;
      variable = variable.empty() ? its : variable;
      isOne &= !its.empty() && its == variable;
      hasFloat = true;
    }
    return hasFloat && isOne;
  };
  return check(getOperandSlots(op), schema.operands) &&
         check(getResultSlots(op), schema.results);
}

llvm::Expected<FoldResult::Values>
TypeInference::computeValues(FoldOpInterface op, bool isWide) {
  ElementsBuilder builder(fold->evaluation);
  llvm::SmallDenseMap<Value, FoldValue, 4> widened;
  if (isWide)
    for (Value operand : op->getOperands()) {
      const Constant &known = constants.find(operand)->second;
      if (!isNarrowFloat(operand.getType()) || !known.value.isTensor())
        continue;
      llvm::Expected<Elements> wide =
          known.wide ? *known.wide
                     : builder.cast(known.value.getTensor(), DataType::Float64);
      if (!wide)
        return wide.takeError();
      widened.try_emplace(operand, std::move(*wide));
    }
  auto lookup = [&](Value value) -> const FoldValue & {
    auto wide = widened.find(value);
    return wide == widened.end() ? constants.find(value)->second.value
                                 : wide->second;
  };
  Folding folding(op, getBuilder(), *fold, lookup);
  llvm::Expected<FoldResult::Values> values = op.computeValues(folding).take();
  if (values && fold->exactOnly && folding.mayRound())
    return notFolded("engines round its result differently");
  return values;
}

void TypeInference::visitValues(Operation *op) {
  auto folds = dyn_cast<FoldOpInterface>(op);
  bool isConstant = folds && llvm::all_of(op->getOperands(), [&](Value value) {
                      return getConstant(value) != nullptr;
                    });
  if (!isConstant) {
    if (isa<EntriesOpInterface>(op))
      for (OpResult result : op->getResults())
        foldEntries(result);
    return;
  }
  // An operator with a result of unknown type cannot be folded.
  for (Value result : op->getResults())
    if (isa<UnknownType>(result.getType()))
      return;
  bool isWide = fold->numerics == Numerics::Wide && canFoldWide(op);
  auto begin = std::chrono::steady_clock::now();
  llvm::Expected<FoldResult::Values> values = computeValues(folds, isWide);
  foldTimes[op] = std::chrono::duration<double, std::micro>(
                      std::chrono::steady_clock::now() - begin)
                      .count();
  llvm::Error error = values ? checkFit(op, *values) : values.takeError();
  if (error) {
    refusals[op] = describe(std::move(error)).second;
    return;
  }
  for (auto [result, value] : llvm::zip(op->getResults(), *values)) {
    if (!isWide || !isNarrowFloat(result.getType())) {
      setConstant(result, std::move(value));
      continue;
    }
    // The model sees the narrow value; the next operators of the chain use the double.
    Elements wide = value.getTensor();
    DataType type = *elements::toDataType(
        cast<TensorType>(result.getType()).getElementType());
    llvm::Expected<Elements> narrow =
        ElementsBuilder(fold->evaluation).cast(wide, type);
    if (!narrow) {
      refusals[op] = describe(narrow.takeError()).second;
      return;
    }
    setConstant(result, std::move(*narrow));
    constants.find(result)->second.wide = std::move(wide);
  }
}

/// Removes shapes that inference found for an earlier run of a graph, so that those of
/// the next run do not seem to contradict them.
static void forgetShapes(Region &graph) {
  graph.walk([](Operation *op) {
    if (!isa<TypesOpInterface, ShapeOpInterface>(op) ||
        op->hasTrait<OpTrait::ConstantLike>())
      return;
    for (Value result : op->getResults())
      result.setType(withoutShape(result.getType()));
  });
}

std::optional<SmallVector<FoldValue>>
TypeInference::evaluateGraph(Region &graph, ArrayRef<FoldValue> arguments) {
  if (visitsInLoops > maxVisitsInLoops)
    return std::nullopt;
  forgetShapes(graph);
  SmallVector<Type> types;
  for (auto [content, argument] : llvm::zip(arguments, graph.getArguments())) {
    setConstant(argument, content);
    types.push_back(argument.getType());
  }
  // Ignore errors: this graph may never run with these values.
  ScopedDiagnosticHandler ignore(context, [](Diagnostic &) {});
  llvm::SaveAndRestore depth(evaluatedDepth, std::optional(callDepth));
  unsigned before = numVisits;
  auto yields = inferGraph(graph, types);
  visitsInLoops += 1 + (numVisits - before);
  SmallVector<FoldValue> values;
  if (succeeded(yields))
    for (Value yielded : graph.front().back().getOperands())
      if (const FoldValue *content = getConstant(yielded))
        values.push_back(*content);
  for (Value argument : graph.getArguments())
    constants.erase(argument);
  if (failed(yields) || values.size() != yields->size())
    return std::nullopt;
  return values;
}
