// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/Schema.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/IR/DataTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

const AttributeFormal *OpSchema::findAttribute(StringRef name) const {
  for (ArrayRef<AttributeFormal> table : {attributes, graphs})
    for (const AttributeFormal &formal : table)
      if (formal.name == name)
        return &formal;
  return nullptr;
}

std::string invar::onnx::getOperationName(StringRef domain, StringRef type) {
  std::optional<StringRef> prefix =
      llvm::StringSwitch<std::optional<StringRef>>(domain)
          .Cases({"", "ai.onnx"}, "onnx.")
          .Case("ai.onnx.ml", "onnx.ml.")
          .Case("ai.onnx.preview", "onnx.preview.")
          .Case("ai.onnx.preview.training", "onnx.training.")
          .Case("com.microsoft", "onnx.ms.")
          .Default(std::nullopt);
  return prefix ? (*prefix + type).str() : std::string();
}

//===-- Slots -------------------------------------------------------------------------===//

/// Returns how many of `count` values each formal takes. At most one formal is flexible
/// unless the operation has a property with the sizes.
static SmallVector<int32_t> segmentSizes(Operation *op,
                                         ArrayRef<Formal> formals, size_t count,
                                         StringRef property) {
  if (auto sizes = op->getInherentAttr(property))
    if (auto array = dyn_cast_or_null<DenseI32ArrayAttr>(*sizes))
      return SmallVector<int32_t>(array.asArrayRef());
  SmallVector<int32_t> sizes;
  for (const Formal &formal : formals)
    sizes.push_back(formal.kind == FormalKind::Single
                        ? 1
                        : int32_t(count) - int32_t(formals.size()) + 1);
  return sizes;
}

template <typename Range>
static SmallVector<Value> slotsOf(Operation *op, ArrayRef<Formal> formals,
                                  Range values, StringRef property) {
  SmallVector<int32_t> sizes =
      segmentSizes(op, formals, values.size(), property);
  SmallVector<Value> slots;
  size_t next = 0;
  for (auto [formal, size] : llvm::zip(formals, sizes)) {
    if (size <= 0 && !formal.isVariadic())
      slots.push_back(nullptr);
    for (int32_t i = 0; i < size; ++i)
      slots.push_back(values[next++]);
  }
  while (!slots.empty() && !slots.back())
    slots.pop_back();
  return slots;
}

SmallVector<Value> invar::onnx::getOperandSlots(Operation *op) {
  const OpSchema &schema = cast<SchemaOpInterface>(op).getSchema();
  return slotsOf(op, schema.operands, op->getOperands(), "operandSegmentSizes");
}

SmallVector<Value> invar::onnx::getResultSlots(Operation *op) {
  const OpSchema &schema = cast<SchemaOpInterface>(op).getSchema();
  return slotsOf(op, schema.results, op->getResults(), "resultSegmentSizes");
}

FailureOr<SmallVector<int32_t>>
invar::onnx::getSegmentSizes(ArrayRef<Formal> formals, ArrayRef<bool> present,
                             llvm::function_ref<InFlightDiagnostic()> emitError,
                             StringRef what) {
  SmallVector<int32_t> sizes;
  size_t next = 0;
  for (const Formal &formal : formals) {
    if (formal.isVariadic()) {
      ArrayRef<bool> rest = present.drop_front(std::min(next, present.size()));
      if (llvm::is_contained(rest, false))
        return emitError() << "expected no empty name among the " << what
                           << "s of the variadic '" << formal.name << "'";
      sizes.push_back(int32_t(rest.size()));
      next = present.size();
      continue;
    }
    bool given = next < present.size() && present[next];
    if (!given && formal.kind == FormalKind::Single)
      return emitError() << "expected the " << what << " '" << formal.name
                         << "', but it is not given";
    sizes.push_back(given);
    ++next;
  }
  if (llvm::is_contained(present.drop_front(std::min(next, present.size())),
                         true))
    return emitError() << "expected at most " << formals.size() << " " << what
                       << (formals.size() == 1 ? "" : "s") << ", but got "
                       << present.size();
  return sizes;
}

//===-- Types -------------------------------------------------------------------------===//

static bool isTensorIn(Type type, uint32_t mask) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return false;
  if (isa<UnknownType>(tensor.getElementType()))
    return mask != 0;
  std::optional<DataType> element =
      elements::toDataType(tensor.getElementType());
  return element && (mask >> unsigned(*element) & 1);
}

static bool isSequenceIn(Type type, uint32_t mask) {
  auto sequence = dyn_cast<SequenceType>(type);
  return sequence && mask &&
         (isa<UnknownType>(sequence.getElementType()) ||
          isTensorIn(sequence.getElementType(), mask));
}

bool invar::onnx::isInTypeSet(Type type, const TypeSetMasks &set) {
  if (isa<UnknownType>(type) || isTensorIn(type, set.tensors) ||
      isSequenceIn(type, set.sequences))
    return true;
  if (auto optional = dyn_cast<OptionalType>(type)) {
    Type element = optional.getElementType();
    if (isa<UnknownType>(element))
      return set.optionals || set.optionalSequences;
    return isTensorIn(element, set.optionals) ||
           isSequenceIn(element, set.optionalSequences);
  }
  if (!set.others)
    return false;
  if (auto sequence = dyn_cast<SequenceType>(type))
    type = sequence.getElementType();
  return isa<MapType, UnknownType>(type);
}

bool invar::onnx::isStringList(Attribute attribute) {
  auto array = dyn_cast<ArrayAttr>(attribute);
  return array && llvm::all_of(array, llvm::IsaPred<StringAttr>);
}

bool invar::onnx::agree(Type a, Type b) {
  if (a == b || isa<UnknownType>(a) || isa<UnknownType>(b))
    return true;
  if (a.getTypeID() != b.getTypeID() &&
      !(isa<TensorType>(a) && isa<TensorType>(b)))
    return false;
  if (auto tensor = dyn_cast<TensorType>(a))
    return agree(tensor.getElementType(), cast<TensorType>(b).getElementType());
  if (auto sequence = dyn_cast<SequenceType>(a))
    return agree(sequence.getElementType(),
                 cast<SequenceType>(b).getElementType());
  if (auto optional = dyn_cast<OptionalType>(a))
    return agree(optional.getElementType(),
                 cast<OptionalType>(b).getElementType());
  if (auto sparse = dyn_cast<SparseTensorType>(a))
    return agree(sparse.getDenseType(),
                 cast<SparseTensorType>(b).getDenseType());
  if (auto map = dyn_cast<MapType>(a))
    return agree(map.getKeyType(), cast<MapType>(b).getKeyType()) &&
           agree(map.getValueType(), cast<MapType>(b).getValueType());
  return false;
}

Type invar::onnx::withoutShape(Type type) {
  return llvm::TypeSwitch<Type, Type>(type)
      .Case<TensorType>([](TensorType tensor) {
        return UnrankedTensorType::get(tensor.getElementType());
      })
      .Case<SequenceType>([](SequenceType sequence) {
        return SequenceType::get(sequence.getContext(),
                                 withoutShape(sequence.getElementType()));
      })
      .Case<OptionalType>([](OptionalType optional) {
        return OptionalType::get(optional.getContext(),
                                 withoutShape(optional.getElementType()));
      })
      .Case<SparseTensorType>([](SparseTensorType sparse) {
        return SparseTensorType::get(sparse.getContext(),
                                     withoutShape(sparse.getDenseType()));
      })
      .Case<MapType>([](MapType map) {
        return MapType::get(map.getContext(), map.getKeyType(),
                            withoutShape(map.getValueType()));
      })
      .Default([](Type other) { return other; });
}

SmallVector<Type> invar::onnx::inferResultTypes(MLIRContext *context,
                                                const OpSchema &schema,
                                                ArrayRef<int32_t> operandSizes,
                                                ValueRange operands,
                                                ArrayRef<int32_t> resultSizes) {
  llvm::SmallDenseMap<StringRef, Type, 4> bindings;
  size_t next = 0;
  for (auto [formal, size] : llvm::zip(schema.operands, operandSizes))
    for (int32_t i = 0; i < size; ++i) {
      Type type = operands[next++].getType();
      if (!formal.var.empty() && formal.kind != FormalKind::Heterogeneous &&
          !isa<UnknownType>(type))
        bindings.try_emplace(formal.var, withoutShape(type));
    }
  SmallVector<Type> types;
  for (auto [formal, size] : llvm::zip(schema.results, resultSizes)) {
    Type type = UnknownType::get(context);
    if (Type bound = bindings.lookup(formal.var);
        bound && formal.kind != FormalKind::Heterogeneous)
      type = bound;
    else if (llvm::has_single_bit(formal.tensors))
      type = UnrankedTensorType::get(elements::toType(
          context, *dataTypeFromNumber(llvm::countr_zero(formal.tensors))));
    types.append(std::max(size, 0), type);
  }
  return types;
}

SmallVector<Type> invar::onnx::inferResultTypes(Operation *op) {
  const OpSchema &schema = cast<SchemaOpInterface>(op).getSchema();
  return inferResultTypes(op->getContext(), schema,
                          segmentSizes(op, schema.operands,
                                       op->getNumOperands(),
                                       "operandSegmentSizes"),
                          op->getOperands(),
                          segmentSizes(op, schema.results, op->getNumResults(),
                                       "resultSegmentSizes"));
}

namespace {
/// The value that first bound a type variable to a type.
struct Binding {
  StringRef formal;
  Type type;
};
} // namespace

template <typename Range>
static LogicalResult
bindTypes(Operation *op, ArrayRef<Formal> formals, Range values,
          StringRef property,
          llvm::SmallMapVector<StringRef, Binding, 4> &bindings) {
  SmallVector<int32_t> sizes =
      segmentSizes(op, formals, values.size(), property);
  size_t next = 0;
  for (auto [formal, size] : llvm::zip(formals, sizes)) {
    for (int32_t i = 0; i < size; ++i) {
      Type type = values[next++].getType();
      if (formal.var.empty() || formal.kind == FormalKind::Heterogeneous ||
          isa<UnknownType>(type))
        continue;
      auto [it, isNew] =
          bindings.try_emplace(formal.var, Binding{formal.name, type});
      if (!isNew && !agree(it->second.type, type))
        return op->emitOpError("expected '")
               << formal.name << "' to have the type of '" << it->second.formal
               << "', " << it->second.type << ", but got " << type;
    }
  }
  return success();
}

LogicalResult invar::onnx::detail::verifySchema(Operation *op) {
  const OpSchema &schema = cast<SchemaOpInterface>(op).getSchema();
  llvm::SmallMapVector<StringRef, Binding, 4> bindings;
  if (failed(bindTypes(op, schema.operands, op->getOperands(),
                       "operandSegmentSizes", bindings)))
    return failure();
  return bindTypes(op, schema.results, op->getResults(), "resultSegmentSizes",
                   bindings);
}

void invar::onnx::detail::nameResults(Operation *op,
                                      OpAsmSetValueNameFn setName) {
  auto names = op->getAttrOfType<ArrayAttr>(attr::outputs);
  if (!names || names.size() != op->getNumResults())
    return;
  for (auto [result, name] : llvm::zip(op->getResults(), names))
    if (auto text = dyn_cast<StringAttr>(name); text && !text.empty())
      setName(result, text.getValue());
}
