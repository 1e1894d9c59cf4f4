// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Conversion/ONNXToLinalg/Variants.h"

#include "invar/Conversion/ONNXToLinalg/GraphLowering.h"
#include "invar/Dialect/ONNX/Schema.h"
#include "invar/Dialect/ONNX/TypeInference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

//===-- Copies ----------------------------------------------------------------===//

namespace {
/// A copy of an operator, before it in its graph. It is never executed: only lowered.
class Variant {
public:
  explicit Variant(Operation *original)
      : original(original), builder(original), copy(builder.clone(*original)) {}

  Operation *getOperation() const { return copy; }
  /// Gives an operand another type. setLowered() must follow if the copy is lowered.
  void setType(unsigned operand, Type type) {
    builder.setInsertionPoint(copy);
    stands.push_back(UnrealizedConversionCastOp::create(builder, copy->getLoc(),
                                                        type, ValueRange()));
    copy->setOperand(operand, stands.back()->getResult(0));
  }
  void setLowered(GraphLowering &graph, unsigned operand, Value made) {
    graph.define(copy->getOperand(operand), made);
  }
  void setResultTypes(function_ref<Type(Type)> convert) {
    for (Value result : copy->getResults())
      result.setType(convert(result.getType()));
  }

  /// Infers the types of the results from those of the operands. Fails, without an
  /// error, if the operator does not accept them.
  LogicalResult infer();
  void erase() {
    copy->erase();
    for (Operation *stand : stands)
      stand->erase();
  }

private:
  Operation *original;
  OpBuilder builder;
  Operation *copy;
  /// What defines the operands of other types.
  SmallVector<Operation *, 2> stands;
};
} // namespace

/// A type with the sizes of another one, where it has no number itself.
static RankedTensorType refine(RankedTensorType type, RankedTensorType other) {
  SmallVector<int64_t> shape(type.getShape());
  auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  SmallVector<StringAttr> names;
  if (dims)
    names.assign(dims.getNames().begin(), dims.getNames().end());
  for (auto [axis, size] : llvm::enumerate(other.getShape())) {
    if (!type.isDynamicDim(axis) || ShapedType::isDynamic(size))
      continue;
    shape[axis] = size;
    if (dims)
      names[axis] = StringAttr::get(type.getContext());
  }
  bool hasNames =
      llvm::any_of(names, [](StringAttr name) { return !name.empty(); });
  return RankedTensorType::get(
      shape, type.getElementType(),
      hasNames ? DimsAttr::get(type.getContext(), names) : DimsAttr());
}

LogicalResult Variant::infer() {
  // One inference for each copy: what one needs to be equal may differ in another.
  Functions functions;
  TypeInference inference(copy->getContext(), functions);
  ScopedDiagnosticHandler ignore(copy->getContext(), [](Diagnostic &) {});
  if (failed(inference.visit(copy)))
    return failure();
  // Keep what is known of the operator's own results. Names that this inference gives
  // to sizes mean nothing to the graph.
  for (auto [result, known] :
       llvm::zip_equal(copy->getResults(), original->getResults())) {
    auto found = dyn_cast<RankedTensorType>(result.getType());
    auto before = dyn_cast<RankedTensorType>(known.getType());
    if (before && found && failed(verifyCompatibleShape(before, found)))
      return failure();
    if (before)
      result.setType(found ? refine(before, found) : before);
    else if (found)
      result.setType(
          RankedTensorType::get(found.getShape(), found.getElementType()));
  }
  return success();
}

/// Runs `lower` at the position of an operator's code.
template <typename Lower> static auto lowerAt(Lowering &to, Lower lower) {
  OpBuilder &builder = to.getGraph().getBuilder();
  builder.restoreInsertionPoint(to.getBuilder().saveInsertionPoint());
  auto made = lower(builder);
  to.getBuilder().restoreInsertionPoint(builder.saveInsertionPoint());
  return made;
}

static FailureOr<SmallVector<Value>> lowerAlone(Lowering &to,
                                                const Variant &variant) {
  return lowerAt(to, [&](OpBuilder &) {
    return to.getGraph().lowerAlone(variant.getOperation());
  });
}

/// Sets the results to values that need not have the sizes that inference has found.
static LogicalResult setResults(Lowering &to, ValueRange values) {
  for (auto [result, made] :
       llvm::zip_equal(to.getOperation()->getResults(), values)) {
    Value adopted = lowerAt(to, [&, made = made, result = result](OpBuilder &) {
      return to.getGraph().adopt(result.getType(), made);
    });
    if (failed(to.set(result, adopted)))
      return failure();
  }
  return success();
}

LogicalResult onnx::lowerWithOperand(Lowering &to, Value operand, Value made) {
  Operation *op = to.getOperation();
  Variant variant(op);
  for (OpOperand &use : op->getOpOperands())
    if (use.get() == operand) {
      variant.setType(use.getOperandNumber(), made.getType());
      variant.setLowered(to.getGraph(), use.getOperandNumber(), made);
    }
  if (failed(variant.infer()))
    return to.decline("it does not accept one of its operands");
  auto results = lowerAlone(to, variant);
  return succeeded(results) ? setResults(to, *results) : failure();
}

//===-- Ranks and sizes -------------------------------------------------------===//

static bool isUnranked(Value operand) {
  return isa<UnrankedTensorType>(operand.getType());
}

static bool isOpenList(Value operand) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  return type && type.getRank() == 1 && type.isDynamicDim(0) &&
         type.getElementType().isInteger();
}

namespace {
/// The types that an operand may have: one for each rank, or for each size of an axis.
struct Alternatives {
  unsigned operand;
  StringRef what;
  std::function<RankedTensorType(int64_t)> getType;

  static Alternatives ofSize(Operation *op, unsigned operand, int64_t axis) {
    auto type = cast<RankedTensorType>(op->getOperand(operand).getType());
    return {operand, type.getRank() == 1 ? "length" : "size",
            [type, axis](int64_t size) {
              SmallVector<int64_t> shape(type.getShape());
              shape[axis] = size;
              return RankedTensorType::get(shape, type.getElementType());
            }};
  }
  static Alternatives ofRank(Operation *op, unsigned operand) {
    Type element = getElementTypeOrSelf(op->getOperand(operand).getType());
    return {operand, "rank", [element](int64_t rank) {
              return RankedTensorType::get(
                  SmallVector<int64_t>(rank, ShapedType::kDynamic), element);
            }};
  }
};
} // namespace

namespace {
/// The copies of an operator for the alternatives that it accepts.
class Choice {
public:
  Choice(Lowering &to, Alternatives alternatives, Value number)
      : to(to), alternatives(std::move(alternatives)), number(number) {}

  /// Lowers a copy for each number from `least` to `most`, and emits code that chooses
  /// one.
  LogicalResult emit(int64_t least, int64_t most);

private:
  /// A copy that could be lowered, and its code.
  struct Form {
    int64_t number;
    std::unique_ptr<Block> code;
    SmallVector<Value> results;
  };

  LogicalResult convertResultTypes();
  FailureOr<SmallVector<Value>> lower(Variant &variant, Type type,
                                      OpBuilder &builder);
  void addForm(int64_t number, OpBuilder &builder);
  void checkNumber();
  SmallVector<Value> choose(MutableArrayRef<Form> forms, OpBuilder &builder);
  /// The name of the operand in the standard.
  StringRef getName() const;

  Lowering &to;
  Alternatives alternatives;
  /// The rank or size at run time.
  Value number;
  SmallVector<Type> resultTypes;
  std::vector<Form> forms;
  /// Why the first copy could not be lowered.
  std::string refusal;
};
} // namespace

LogicalResult Choice::convertResultTypes() {
  for (Value result : to.getOperation()->getResults()) {
    resultTypes.push_back(to.getGraph().convertType(result.getType()));
    if (!resultTypes.back())
      return to.decline("the type of a result is not known");
  }
  return success();
}

FailureOr<SmallVector<Value>> Choice::lower(Variant &variant, Type type,
                                            OpBuilder &builder) {
  GraphLowering &graph = to.getGraph();
  Location loc = to.getBuilder().getLoc();
  Value given = to.get(to.getOperation()->getOperand(alternatives.operand));
  variant.setLowered(
      graph, alternatives.operand,
      tensor::CastOp::create(builder, loc, graph.convertType(type), given));
  auto made = graph.lowerAlone(variant.getOperation());
  if (failed(made))
    return failure();
  for (auto [value, type] : llvm::zip_equal(*made, resultTypes))
    if (value.getType() != type)
      value = tensor::CastOp::create(builder, loc, type, value);
  return made;
}

void Choice::addForm(int64_t number, OpBuilder &builder) {
  Variant variant(to.getOperation());
  RankedTensorType type = alternatives.getType(number);
  variant.setType(alternatives.operand, type);
  if (failed(variant.infer()))
    return variant.erase();
  auto code = std::make_unique<Block>();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(code.get());
  // The operator does not accept a rank for which it has no code.
  ScopedDiagnosticHandler ignore(type.getContext(), [&](Diagnostic &error) {
    if (refusal.empty())
      refusal = error.str();
  });
  auto results = lower(variant, type, builder);
  if (succeeded(results))
    forms.push_back({number, std::move(code), std::move(*results)});
  else
    to.getGraph().discard(std::move(code));
}

/// Emits a check that there is a form for the number. The casts of operands are no
/// checks: they go away where nothing depends on them.
void Choice::checkNumber() {
  ImplicitLocOpBuilder &builder = to.getBuilder();
  Value isFine;
  std::string numbers;
  for (const Form &form : forms) {
    Value is = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, number,
                                     to.makeIndex(form.number));
    isFine = isFine ? arith::OrIOp::create(builder, isFine, is) : is;
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(form.number);
  }
  to.check(isFine, "expected '" + getName() + "' to have a " +
                       alternatives.what + " of " + numbers);
}

/// Emits nested branches; each form is in the branch for its number.
SmallVector<Value> Choice::choose(MutableArrayRef<Form> forms,
                                  OpBuilder &builder) {
  Form &form = forms.front();
  auto take = [&](Block *block, Block::iterator at) {
    block->getOperations().splice(at, form.code->getOperations());
  };
  if (forms.size() == 1) {
    take(builder.getInsertionBlock(), builder.getInsertionPoint());
    return form.results;
  }
  Location loc = to.getBuilder().getLoc();
  Value wanted = arith::ConstantIndexOp::create(builder, loc, form.number);
  Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                   number, wanted);
  auto branches =
      scf::IfOp::create(builder, loc, resultTypes, is, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branches.thenBlock());
  scf::YieldOp::create(builder, loc, form.results);
  take(branches.thenBlock(), branches.thenBlock()->begin());
  builder.setInsertionPointToEnd(branches.elseBlock());
  SmallVector<Value> others = choose(forms.drop_front(), builder);
  scf::YieldOp::create(builder, loc, others);
  return SmallVector<Value>(branches.getResults());
}

StringRef Choice::getName() const {
  Operation *op = to.getOperation();
  ArrayRef<Formal> formals = cast<SchemaOpInterface>(op).getSchema().operands;
  SmallVector<Value> slots = getOperandSlots(op);
  size_t slot =
      llvm::find(slots, op->getOperand(alternatives.operand)) - slots.begin();
  return formals[std::min(slot, formals.size() - 1)].name;
}

LogicalResult Choice::emit(int64_t least, int64_t most) {
  // Alternatives of several operands multiply.
  GraphLowering::Attempts attempts(to.getGraph());
  if (failed(convertResultTypes()))
    return failure();
  for (int64_t i = least; i <= most; ++i) {
    if (!attempts.addOne())
      return to.decline("the ranks of too many operands are not known");
    lowerAt(to, [&](OpBuilder &builder) {
      addForm(i, builder);
      return 0;
    });
  }
  if (forms.empty())
    return to.decline(refusal.empty() ? "it accepts no " + alternatives.what +
                                            " of '" + getName() + "'"
                                      : StringRef(refusal).split(": ").second);
  checkNumber();
  auto made = lowerAt(to, [&](OpBuilder &builder) {
    return choose(MutableArrayRef(forms), builder);
  });
  return setResults(to, made);
}

LogicalResult onnx::lowerForEachSize(Lowering &to, Value operand, int64_t axis,
                                     int64_t most) {
  Operation *op = to.getOperation();
  auto number =
      unsigned(llvm::find(op->getOperands(), operand) - op->operand_begin());
  auto type = cast<RankedTensorType>(operand.getType());
  axis += axis < 0 ? type.getRank() : 0;
  if (axis < 0 || axis >= type.getRank() || !type.isDynamicDim(axis))
    return to.decline("a size or place is not known before it runs");
  return Choice(to, Alternatives::ofSize(op, number, axis),
                to.toValue(to.sizesOf(to.get(operand))[axis]))
      .emit(0, most);
}

/// The least and the greatest rank that a tensor may have.
static std::pair<int64_t, int64_t> getRanks(Value tensor) {
  // It may be known by the code that computes the tensor.
  if (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    if (auto type = dyn_cast<RankedTensorType>(cast.getSource().getType()))
      return {type.getRank(), type.getRank()};
  return {0, mostAxes};
}

LogicalResult onnx::lowerForEachRank(Lowering &to) {
  Operation *op = to.getOperation();
  auto unranked = llvm::find_if(op->getOperands(), isUnranked);
  if (unranked != op->operand_end()) {
    Value operand = to.get(*unranked);
    auto [least, most] = getRanks(operand);
    return Choice(to,
                  Alternatives::ofRank(
                      op, unsigned(unranked - op->operand_begin())),
                  tensor::RankOp::create(to.getBuilder(), operand))
        .emit(least, most);
  }
  auto list = llvm::find_if(op->getOperands(), isOpenList);
  if (list != op->operand_end())
    return lowerForEachSize(to, *list, 0);
  return to.decline("the rank of an operand or result is not known");
}

//===-- Positions -------------------------------------------------------------===//

static bool isMovedByCall(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !canMove(tensor.getElementType());
}

/// A type in which the elements are positions.
static Type toPositions(Type type) {
  if (!isMovedByCall(type))
    return type;
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(),
                               IntegerType::get(type.getContext(), 64),
                               tensor.getEncoding());
}

/// The positions of a tensor's elements, from `first` on.
static Value numberElements(Lowering &to, Value tensor, Value first) {
  SmallVector<OpFoldResult> sizes = to.sizesOf(tensor);
  SmallVector<Value> lengths;
  for (OpFoldResult size : sizes)
    lengths.push_back(to.toValue(size));
  return to.generate(sizes, to.getBuilder().getI64Type(),
                     [&](ImplicitLocOpBuilder &b, ValueRange places) -> Value {
                       Value place = arith::ConstantIndexOp::create(b, 0);
                       for (auto [at, length] : llvm::zip(places, lengths)) {
                         place = arith::MulIOp::create(b, place, length);
                         place = arith::AddIOp::create(b, place, at);
                       }
                       place = arith::AddIOp::create(b, place, first);
                       return arith::IndexCastOp::create(b, b.getI64Type(),
                                                         place);
                     });
}

LogicalResult onnx::lowerByPositions(Lowering &to) {
  Operation *op = to.getOperation();
  Variant variant(op);
  SmallVector<Value> taken = {nullptr};
  Value next = to.makeIndex(1);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!isMovedByCall(operand.getType()))
      continue;
    Value tensor = to.get(operand);
    Value places = numberElements(to, tensor, next);
    variant.setType(unsigned(i), toPositions(operand.getType()));
    variant.setLowered(to.getGraph(), unsigned(i), places);
    taken.push_back(tensor);
    Value count = to.makeIndex(1);
    for (OpFoldResult size : to.sizesOf(tensor))
      count = arith::MulIOp::create(to.getBuilder(), count, to.toValue(size));
    next = arith::AddIOp::create(to.getBuilder(), next, count);
  }
  variant.setResultTypes(toPositions);
  auto made = lowerAlone(to, variant);
  if (failed(made))
    return failure();
  SmallVector<Value> results;
  for (auto [result, places] : llvm::zip_equal(op->getResults(), *made)) {
    if (!isMovedByCall(result.getType())) {
      results.push_back(places);
      continue;
    }
    taken.front() = places;
    auto type = cast<RankedTensorType>(places.getType());
    Value elements = to.call("Take", taken,
                             type.clone(getElementTypeOrSelf(result.getType())))
                         .front();
    for (auto [axis, size] : llvm::enumerate(to.sizesOf(places)))
      to.getGraph().noteSize(elements, int64_t(axis), size);
    results.push_back(elements);
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    if (failed(to.set(result, value)))
      return failure();
  return success();
}

//===-- Lists -----------------------------------------------------------------===//

LogicalResult onnx::lowerInLists(Lowering &to) {
  Operation *op = to.getOperation();
  auto toList = [](Type type) -> Type {
    return RankedTensorType::get(ShapedType::kDynamic,
                                 getElementTypeOrSelf(type));
  };
  Variant variant(op);
  auto [lists, sizes] = to.broadcastToLists(to.getAll(op->getOperands()));
  for (auto [i, list] : llvm::enumerate(lists)) {
    variant.setType(unsigned(i), toList(op->getOperand(i).getType()));
    variant.setLowered(to.getGraph(), unsigned(i), list);
  }
  variant.setResultTypes(toList);
  auto made = lowerAlone(to, variant);
  return succeeded(made) ? setResults(to, to.unflatten(made->front(), sizes))
                         : failure();
}

//===-- The table -------------------------------------------------------------===//

void LoweringTable::forEachRank(StringRef name,
                                LogicalResult (*unranked)(Lowering &)) {
  Lower &entry = lowerings[name];
  entry = [ranked = std::move(entry), unranked](Operation *op, Lowering &to) {
    if (to.hasRanks())
      return ranked(op, to);
    return unranked ? unranked(to) : lowerForEachRank(to);
  };
}

void LoweringTable::byPositions(StringRef name) {
  Lower &entry = lowerings[name];
  entry = [inLoops = std::move(entry)](Operation *op, Lowering &to) {
    return to.canMoveAll() ? inLoops(op, to) : lowerByPositions(to);
  };
}
