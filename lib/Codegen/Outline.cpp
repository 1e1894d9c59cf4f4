// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves kernels out of a function. Each group of linalg operations, with the operations
// that only prepare its operands, becomes a separate function; equal functions are
// merged.
#include "invar/Codegen/Passes.h"

#include "Access.h"
#include "InPlace.h"
#include "KernelGroup.h"
#include "WinogradFilter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "invar/Codegen/Passes.h.inc"
} // namespace invar

//===-- One kernel ------------------------------------------------------------===//

/// Whether an operation only prepares an operand of another. In a kernel, it specifies
/// how the operand is read.
static bool isPreparation(Operation *op, Operation *reader) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return !isa<ShapedType>(constant.getType()) || WinogradFilter::get(reader);
  return isa<linalg::FillOp, tensor::EmptyOp>(op) || isView(op) ||
         WinogradFilter::get(op);
}

/// The sizes of a tensor, taken from its `tensor.empty` if it is empty or filled.
static SmallVector<OpFoldResult> getSizes(OpBuilder &builder, Value tensor) {
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes();
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return getSizes(builder, fill.getOutputs()[0]);
  return tensor::getMixedSizes(builder, tensor.getLoc(), tensor);
}

namespace {
/// Moves a group of operations to a new function, and calls it in their place.
class Outliner {
public:
  Outliner(ArrayRef<Operation *> group, OpBuilder &builder)
      : group(group), builder(builder), members(group.begin(), group.end()) {}

  std::pair<func::FuncOp, func::CallOp> outline(StringRef name,
                                                ModuleOp module) {
    for (Operation *op : group)
      collect(op);
    SmallVector<OpResult> outputs = getOutputs();
    builder.setInsertionPoint(group.back());
    SmallVector<Value> operands(tensors.begin(), tensors.end());
    llvm::append_range(operands, scalars);
    SmallVector<Type> resultTypes;
    for (OpResult output : outputs) {
      auto type = cast<RankedTensorType>(output.getType());
      Value init = getInit(output);
      operands.push_back(tensor::EmptyOp::create(builder, output.getLoc(),
                                                 getSizes(builder, init),
                                                 type.getElementType()));
      // The kernel must have the same static sizes as the caller.
      if (operands.back().getType() != type)
        operands.back() = tensor::CastOp::create(builder, output.getLoc(), type,
                                                 operands.back());
      resultTypes.push_back(type);
    }
    func::FuncOp kernel =
        makeFunction(name, module, operands, resultTypes, outputs);
    dropUnused(kernel, operands);
    builder.setInsertionPoint(group.back());
    auto call =
        func::CallOp::create(builder, group.back()->getLoc(), kernel, operands);
    for (auto [output, result] : llvm::zip(outputs, call.getResults()))
      output.replaceUsesWithIf(
          result, [&](OpOperand &use) { return !isMember(use.getOwner()); });
    for (Operation *op : llvm::reverse(group))
      op->erase();
    return {kernel, call};
  }

private:
  bool isMember(Operation *op) const {
    for (; op; op = op->getParentOp())
      if (members.contains(op))
        return true;
    return false;
  }

  /// Collects the values that an operation of the kernel needs from outside:
  /// preparations, which are cloned, and arguments.
  void collect(Operation *op) {
    SetVector<Value> needed, inside;
    getUsedValuesDefinedAbove(op->getRegions(), inside);
    needed.insert(inside.begin(), inside.end());
    needed.insert(op->operand_begin(), op->operand_end());
    for (Value value : needed) {
      Operation *maker = value.getDefiningOp();
      if ((maker && isMember(maker)) || tensors.contains(value))
        continue;
      // A body reads elements of a tensor from memory, and a kernel reads through one
      // view only. So such a tensor must be an argument, even if it could be prepared in
      // the kernel.
      bool isViewOfView = isView(maker) && isView(op);
      if (isViewOfView ||
          (inside.contains(value) && isa<TensorType>(value.getType()))) {
        prepared.remove(maker);
        tensors.insert(value);
        continue;
      }
      if (maker && prepared.contains(maker))
        continue;
      if (maker && isPreparation(maker, op)) {
        collect(maker);
        prepared.insert(maker);
      } else if (isa<TensorType>(value.getType())) {
        tensors.insert(value);
      } else {
        scalars.insert(value);
      }
    }
  }

  /// The results that are used outside of the group; if there are none, the first result
  /// of the last operation.
  SmallVector<OpResult> getOutputs() {
    SmallVector<OpResult> outputs;
    for (Operation *op : group)
      for (OpResult result : op->getResults())
        if (llvm::any_of(result.getUsers(),
                         [&](Operation *user) { return !isMember(user); }))
          outputs.push_back(result);
    if (outputs.empty())
      outputs.push_back(group.back()->getResult(0));
    return outputs;
  }

  static Value getInit(OpResult result) {
    auto op = cast<DestinationStyleOpInterface>(result.getOwner());
    return op.getTiedOpOperand(result)->get();
  }

  func::FuncOp makeFunction(StringRef name, ModuleOp module,
                            ArrayRef<Value> operands,
                            ArrayRef<Type> resultTypes,
                            ArrayRef<OpResult> outputs) {
    builder.setInsertionPointToEnd(module.getBody());
    auto kernel = func::FuncOp::create(
        builder, builder.getUnknownLoc(), name,
        builder.getFunctionType(TypeRange(ValueRange(operands)), resultTypes));
    kernel.setPrivate();
    kernel->setAttr(kernelAttribute, builder.getUnitAttr());
    kernel->setAttr(resultsAttribute,
                    builder.getI64IntegerAttr(int64_t(outputs.size())));
    Block *body = kernel.addEntryBlock();
    builder.setInsertionPointToStart(body);
    IRMapping map;
    unsigned inputs = operands.size() - outputs.size();
    for (unsigned i = 0; i < inputs; ++i)
      map.map(operands[i], body->getArgument(i));
    for (Operation *op : getPreparationsInside(outputs))
      builder.clone(*op, map);
    for (Operation *op : group) {
      for (auto [i, output] : llvm::enumerate(outputs))
        if (output.getOwner() == op)
          mapInit(map, output, body->getArgument(inputs + i));
      builder.clone(*op, map);
    }
    SmallVector<Value> results;
    for (OpResult output : outputs)
      results.push_back(map.lookup(output));
    func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
    return kernel;
  }

  /// Drops scalars that the kernel does not use, such as sizes of tensors that only the
  /// caller creates.
  static void dropUnused(func::FuncOp kernel,
                         SmallVectorImpl<Value> &operands) {
    llvm::BitVector unused(operands.size());
    for (auto [i, argument] : llvm::enumerate(kernel.getArguments()))
      if (argument.use_empty() && !isa<TensorType>(argument.getType()))
        unused.set(i);
    (void)kernel.eraseArguments(unused);
    for (int i = int(operands.size()) - 1; i >= 0; --i)
      if (unused[i])
        operands.erase(operands.begin() + i);
  }

  /// The preparations that the kernel contains, in their order: all except those that
  /// only create the tensor that a result is written to. A preparation that many kernels
  /// share has many users, so this inspects the reads of the kernel instead.
  SmallVector<Operation *> getPreparationsInside(ArrayRef<OpResult> outputs) {
    DenseSet<Operation *> read;
    for (Operation *op : group) {
      SmallVector<Operation *> written;
      for (OpResult output : outputs)
        if (output.getOwner() == op)
          written.push_back(getInit(output).getDefiningOp());
      for (Value operand : op->getOperands())
        if (!llvm::is_contained(written, operand.getDefiningOp()))
          read.insert(operand.getDefiningOp());
    }
    // The users of a preparation come after it.
    SmallVector<Operation *> inside;
    for (Operation *op : llvm::reverse(prepared)) {
      if (isa<tensor::EmptyOp, linalg::FillOp>(op) && !read.contains(op))
        continue;
      for (Value operand : op->getOperands())
        read.insert(operand.getDefiningOp());
      inside.push_back(op);
    }
    std::reverse(inside.begin(), inside.end());
    return inside;
  }

  /// Maps the initial tensor of a result to the argument that it is written to, with its
  /// initial content.
  void mapInit(IRMapping &map, OpResult output, Value argument) {
    Value init = getInit(output);
    if (init.getDefiningOp<tensor::EmptyOp>()) {
      map.map(init, argument);
    } else if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
      Value filled =
          linalg::FillOp::create(builder, builder.getUnknownLoc(),
                                 map.lookup(fill.getInputs()[0]), argument)
              .getResult(0);
      map.map(init, filled);
    } else {
      // The result begins as a copy of another tensor.
      unsigned rank = cast<RankedTensorType>(init.getType()).getRank();
      AffineMap identity = builder.getMultiDimIdentityMap(rank);
      SmallVector<utils::IteratorType> iterators(rank,
                                                 utils::IteratorType::parallel);
      auto copy = linalg::GenericOp::create(
          builder, builder.getUnknownLoc(), argument.getType(),
          map.lookupOrDefault(init), argument, {identity, identity}, iterators,
          [](OpBuilder &nested, Location loc, ValueRange in) {
            linalg::YieldOp::create(nested, loc, in[0]);
          });
      map.map(init, copy.getResult(0));
    }
  }

  ArrayRef<Operation *> group;
  OpBuilder &builder;
  DenseSet<Operation *> members;
  SetVector<Operation *> prepared;
  SetVector<Value> tensors, scalars;
};
} // namespace

//===-- All kernels -----------------------------------------------------------===//

/// The name of a kernel: the first operators that it computes, taken from the locations.
static std::string getKind(ArrayRef<Operation *> group) {
  constexpr size_t most = 3;
  SmallVector<StringRef> types;
  for (Operation *op : group) {
    auto node = dyn_cast<NameLoc>(op->getLoc());
    auto type = node ? dyn_cast<NameLoc>(node.getChildLoc()) : NameLoc();
    if (type && types.size() < most &&
        !llvm::is_contained(types, type.getName().getValue()))
      types.push_back(type.getName());
  }
  std::string kind = types.empty() ? "kernel" : llvm::join(types, "_");
  // Operators of other domains have the domain before their names, with a dot.
  llvm::replace(kind, '.', '_');
  return kind;
}

/// A hash that is the same for kernels that compute the same.
static llvm::hash_code hashKernel(func::FuncOp kernel) {
  llvm::hash_code hash = hash_value(kernel.getFunctionType());
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

/// Whether two kernels compute the same, whatever their names are.
static bool areEqual(func::FuncOp one, func::FuncOp other) {
  return one.getFunctionType() == other.getFunctionType() &&
         one.getArgAttrsAttr() == other.getArgAttrsAttr() &&
         one->getDiscardableAttrDictionary() ==
             other->getDiscardableAttrDictionary() &&
         OperationEquivalence::isRegionEquivalentTo(
             &one.getBody(), &other.getBody(),
             OperationEquivalence::IgnoreLocations);
}

namespace {
/// The kernels of a module: equal ones are merged.
class KernelSet {
public:
  explicit KernelSet(ModuleOp module) : module(module) {}

  void add(ArrayRef<Operation *> group) {
    OpBuilder builder(module.getContext());
    std::string kind = getKind(group);
    auto [kernel, call] = Outliner(group, builder).outline("kernel", module);
    if (SmallVector<int64_t> numbers = findOverwritable(kernel);
        !numbers.empty())
      kernel->setAttr(inPlaceAttribute, builder.getDenseI64ArrayAttr(numbers));
    call.setCallee(findOrAdd(kernel, kind).getName());
  }

  size_t size() const { return count; }

private:
  /// Returns the kernel, which gets a name, or erases it and returns an equal one.
  func::FuncOp findOrAdd(func::FuncOp kernel, StringRef kind) {
    SmallVector<func::FuncOp, 1> &similar = kernels[hashKernel(kernel)];
    for (func::FuncOp known : similar)
      if (areEqual(kernel, known)) {
        kernel.erase();
        return known;
      }
    kernel.setName((kind + "_" + Twine(count++)).str());
    similar.push_back(kernel);
    return kernel;
  }

  ModuleOp module;
  llvm::DenseMap<size_t, SmallVector<func::FuncOp, 1>> kernels;
  size_t count = 0;
};

struct OutlineKernelsPass
    : invar::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    KernelSet kernels(getOperation());
    for (func::FuncOp function : functions) {
      if (function->hasAttr(kernelAttribute))
        continue;
      standAlone(function);
      SmallVector<SmallVector<Operation *>> groups = groupOperations(function);
      for (ArrayRef<Operation *> group : groups)
        kernels.add(group);
      // Preparations were cloned into the kernels, so those in the function may be unused
      // now.
      IRRewriter rewriter(&getContext());
      (void)runRegionDCE(rewriter, function->getRegions());
    }
  }
};
} // namespace
