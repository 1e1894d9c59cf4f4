// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types with symbolic sizes: how sizes are written into types, read, joined and renamed.
#include "invar/Dialect/ONNX/TypeInference.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

/// Longer expressions are replaced by a new name, because they are unreadable.
static constexpr size_t maxNameLength = 160;

//===-- Names -----------------------------------------------------------------===//

Symbolic TypeInference::parse(StringAttr text) {
  Symbolic &expr = parsed[text];
  if (!expr)
    expr = symbolic.parse(text.getValue());
  return expr;
}

StringAttr TypeInference::print(Symbolic expr) {
  StringAttr &text = printed[expr];
  if (!text)
    text = StringAttr::get(context, toString(expr));
  return text;
}

StringRef invar::onnx::getValueName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto main = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = main ? main.getArgAttrOfType<StringAttr>(
                           argument.getArgNumber(), attr::name)
                     : StringAttr();
    return name ? name.getValue() : StringRef();
  }
  auto result = cast<OpResult>(value);
  auto names = result.getOwner()->getAttrOfType<ArrayAttr>(attr::outputs);
  if (!names || names.size() != result.getOwner()->getNumResults())
    return "";
  auto name = dyn_cast<StringAttr>(names[result.getResultNumber()]);
  return name ? name.getValue() : StringRef();
}

Symbolic TypeInference::getUnknownDim(Value value, int64_t axis) {
  SmallVector<Symbolic> &dims = unknownDims[value];
  if (int64_t(dims.size()) <= axis)
    dims.resize(axis + 1);
  Symbolic &atom = dims[axis];
  if (atom)
    return atom;
  StringRef base = getValueName(value);
  std::string stem =
      ((base.empty() ? "unnamed" : base) + "." + Twine(axis)).str();
  std::string name = stem;
  // Values in different graphs may have the same name but different sizes.
  for (unsigned &count = timesNamed[stem]; symbolic.hasAtom(name);)
    name = stem + "." + std::to_string(++count);
  atom = symbolic.getAtom(name);
  owners[atom] = value;
  return atom;
}

//===-- Types -----------------------------------------------------------------===//

/// Creates a tensor type. Sizes are numbers, expressions, or null if nothing is known.
Type TypeInference::makeTensorType(ArrayRef<Symbolic> sizes, Type elementType) {
  SmallVector<int64_t> shape;
  SmallVector<StringAttr> names;
  bool hasNames = false;
  for (Symbolic size : sizes) {
    bool isNumber = size && size->isConstant() && size->getConstant() >= 0;
    bool isNamed = size && !size->isConstant() && !size->isUndefined() &&
                   !size->hasUnknown();
    shape.push_back(isNumber ? size->getConstant() : ShapedType::kDynamic);
    names.push_back(isNamed ? print(size) : StringAttr::get(context));
    hasNames |= isNamed;
  }
  return RankedTensorType::get(shape, elementType,
                               hasNames ? DimsAttr::get(context, names)
                                        : DimsAttr());
}

Type TypeInference::getTensorType(const DimsExpr &dims, Type elementType,
                                  Value value) {
  SmallVector<Symbolic> sizes;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    Symbolic size = symbolic.resolve(dim.getSymbolic(symbolic));
    bool isNumber = size->isConstant() && size->getConstant() >= 0;
    bool isName = !size->isConstant() && !size->isUndefined() &&
                  !size->hasUnknown() && print(size).size() <= maxNameLength;
    sizes.push_back(isNumber || isName ? size
                    : value ? symbolic.resolve(getUnknownDim(value, axis))
                            : nullptr);
    // A value that certainly exists proves that its sizes are valid; one in a graph
    // that may not run proves nothing.
    if (isName && !conditions)
      symbolic.assumeSize(size);
  }
  return makeTensorType(sizes, elementType);
}

Type TypeInference::join(Type left, Type right, Value value) {
  if (left == right)
    return left;
  // A value of unknown type may have any shape, but must have the same element type.
  if (isa<UnknownType>(right))
    return withoutShape(left);
  if (isa<UnknownType>(left))
    return withoutShape(right);
  if (auto a = dyn_cast<SequenceType>(left))
    if (auto b = dyn_cast<SequenceType>(right))
      return SequenceType::get(
          context, join(a.getElementType(), b.getElementType(), Value()));
  // If a value may be absent in one of the types, it may be absent in the result.
  if (isa<OptionalType>(left) || isa<OptionalType>(right)) {
    auto presentType = [](Type type) {
      auto optional = dyn_cast<OptionalType>(type);
      return optional ? optional.getElementType() : type;
    };
    return OptionalType::get(
        context, join(presentType(left), presentType(right), value));
  }
  auto a = dyn_cast<TensorType>(left), b = dyn_cast<TensorType>(right);
  if (!a || !b || a.getElementType() != b.getElementType())
    return UnknownType::get(context);
  auto x = dyn_cast<RankedTensorType>(left),
       y = dyn_cast<RankedTensorType>(right);
  if (!x || !y || x.getRank() != y.getRank())
    return UnrankedTensorType::get(a.getElementType());
  DimsExpr dims;
  for (auto [p, q] : llvm::zip(getDims(x), getDims(y)))
    dims.push_back(p.isKnownEqual(q) ? p : scope.getQuestionmark());
  return getTensorType(dims, a.getElementType(), value);
}

DimsExpr TypeInference::getDims(RankedTensorType type) {
  DimsExpr dims;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    Symbolic size = getSize(type, axis);
    dims.push_back(size ? scope.getAsDim(size) : scope.getQuestionmark());
  }
  return dims;
}

/// Whether an expression contains a name that was created inside a graph.
static bool isBornIn(Symbolic expr, Region &graph,
                     const llvm::DenseMap<Symbolic, Value> &owners) {
  if (Value owner = owners.lookup(expr))
    return graph.isAncestor(owner.getParentRegion());
  return llvm::any_of(expr->getOperands(), [&](Symbolic operand) {
    return isBornIn(operand, graph, owners);
  });
}

DimsExpr TypeInference::getDimsOutside(RankedTensorType type, Region &graph) {
  DimsExpr dims = getDims(type);
  for (IndexExpr &dim : dims)
    if (!dim.isLiteral() && isBornIn(dim.getSymbolic(symbolic), graph, owners))
      dim = scope.getQuestionmark();
  return dims;
}

Type TypeInference::leaveGraph(Type type, Region &graph, Value value) {
  if (auto sequence = dyn_cast<SequenceType>(type))
    return SequenceType::get(
        context, leaveGraph(sequence.getElementType(), graph, Value()));
  if (auto optional = dyn_cast<OptionalType>(type))
    return OptionalType::get(
        context, leaveGraph(optional.getElementType(), graph, value));
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return type;
  return getTensorType(getDimsOutside(tensor, graph), tensor.getElementType(),
                       value);
}

Symbolic TypeInference::getSize(RankedTensorType type, int64_t axis) {
  if (!type.isDynamicDim(axis))
    return symbolic.getConstant(type.getDimSize(axis));
  auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding());
  if (!dims || axis >= int64_t(dims.getNames().size()) ||
      dims.getNames()[axis].empty())
    return nullptr;
  return symbolic.resolve(parse(dims.getNames()[axis]));
}

Type TypeInference::resolve(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (auto sequence = dyn_cast<SequenceType>(type))
    return SequenceType::get(context, resolve(sequence.getElementType()));
  if (auto optional = dyn_cast<OptionalType>(type))
    return OptionalType::get(context, resolve(optional.getElementType()));
  auto dims =
      tensor ? dyn_cast_or_null<DimsAttr>(tensor.getEncoding()) : DimsAttr();
  if (!dims)
    return type;
  SmallVector<Symbolic> sizes;
  for (int64_t axis = 0; axis < tensor.getRank(); ++axis)
    sizes.push_back(getSize(tensor, axis));
  return makeTensorType(sizes, tensor.getElementType());
}
