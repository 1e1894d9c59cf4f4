// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the functions through which the runtime calls a kernel: invar-c/Abi.h in LLVM's
// dialect.
#include "KernelBuilder.h"
#include "KernelLowering.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace invar;

namespace {
class NativeInterface {
public:
  NativeInterface(func::FuncOp function, const LLVMTypeConverter &types)
      : function(function), types(types),
        builder(function.getLoc(), function.getContext()),
        pointer(LLVM::LLVMPointerType::get(function.getContext())),
        word(builder.getI64Type()) {}

  void makeRun();
  void makePlan();

private:
  void pass(unsigned argument);
  SmallVector<Value> enter(const Twine &name, ArrayRef<Type> parameters);
  SmallVector<Value> loadNumbers(TypeRange wanted, Value numbers);
  LLVM::CallOp call(TypeRange results, ValueRange arguments);
  Value load(Type type, Value base, int64_t index);

  func::FuncOp function;
  const LLVMTypeConverter &types;
  ImplicitLocOpBuilder builder;
  Type pointer, word;
};
} // namespace

/// Turns an argument from a buffer into a pointer, which is marked as not aliasing unless
/// the argument has `mayAliasAttribute`.
void NativeInterface::pass(unsigned index) {
  BlockArgument argument = function.getArgument(index);
  Type buffer = argument.getType();
  argument.setType(pointer);
  builder.setInsertionPointToStart(&function.front());
  auto descriptor = MemRefDescriptor::poison(builder, builder.getLoc(),
                                             types.convertType(buffer));
  descriptor.setAllocatedPtr(builder, builder.getLoc(), argument);
  descriptor.setAlignedPtr(builder, builder.getLoc(), argument);
  descriptor.setConstantOffset(builder, builder.getLoc(), 0);
  descriptor.setConstantStride(builder, builder.getLoc(), 0, 1);
  auto cast =
      UnrealizedConversionCastOp::create(builder, buffer, Value(descriptor));
  argument.replaceUsesWithIf(cast.getResult(0), [](OpOperand &use) {
    return !isa<LLVM::InsertValueOp>(use.getOwner());
  });
  if (function.removeArgAttr(index, mayAliasAttribute))
    return;
  function.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
}

/// Begins a function of the interface. `function` becomes internal, with the suffix
/// ".body".
SmallVector<Value> NativeInterface::enter(const Twine &twine,
                                          ArrayRef<Type> parameters) {
  std::string name = twine.str();
  function.setName(name + ".body");
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  builder.setInsertionPointAfter(function);
  auto entry = LLVM::LLVMFuncOp::create(
      builder, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  parameters));
  entry.setVisibility_(LLVM::Visibility::Hidden);
  Block *block = entry.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);
  return llvm::to_vector_of<Value>(block->getArguments());
}

Value NativeInterface::load(Type type, Value base, int64_t index) {
  // All table entries of the interface are eight bytes wide.
  Value address = LLVM::GEPOp::create(builder, pointer, word, base,
                                      ArrayRef<LLVM::GEPArg>{int32_t(index)});
  return LLVM::LoadOp::create(builder, type, address);
}

/// Integers are stored as words, floats as doubles.
SmallVector<Value> NativeInterface::loadNumbers(TypeRange wanted,
                                                Value numbers) {
  SmallVector<Value> loaded;
  for (auto [index, type] : llvm::enumerate(wanted)) {
    if (auto number = dyn_cast<FloatType>(type)) {
      Value value = load(builder.getF64Type(), numbers, index);
      loaded.push_back(number.isF64()
                           ? value
                           : LLVM::FPTruncOp::create(builder, type, value));
    } else {
      Value value = load(word, numbers, index);
      Type native = types.convertType(type);
      loaded.push_back(native == word
                           ? value
                           : LLVM::TruncOp::create(builder, native, value));
    }
  }
  return loaded;
}

LLVM::CallOp NativeInterface::call(TypeRange results, ValueRange arguments) {
  return LLVM::CallOp::create(builder, results, function.getName(), arguments);
}

void NativeInterface::makeRun() {
  SmallVector<Type> given(function.getArgumentTypes());
  auto isBuffer = [](Type type) { return isa<MemRefType>(type); };
  unsigned tensors = llvm::find_if_not(given, isBuffer) - given.begin();
  for (auto [index, type] : llvm::enumerate(given))
    if (isBuffer(type))
      pass(index);
  function.setType(builder.getFunctionType(
      llvm::to_vector(function.front().getArgumentTypes()), {}));

  SmallVector<Value> parameters = enter(
      function.getName() + ".run", {pointer, pointer, word, word, pointer});
  SmallVector<Value> arguments;
  for (unsigned index = 0; index < tensors; ++index)
    arguments.push_back(load(pointer, parameters[0], index));
  llvm::append_range(
      arguments, loadNumbers(ArrayRef(given).drop_front(tensors).drop_back(3),
                             parameters[1]));
  llvm::append_range(arguments, ArrayRef(parameters).drop_front(2));
  call({}, arguments);
  LLVM::ReturnOp::create(builder, ValueRange());
}

void NativeInterface::makePlan() {
  SmallVector<Type> given(function.getArgumentTypes());
  SmallVector<Value> parameters = enter(function.getName(), {pointer, pointer});
  Type result = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                 {word, word, word});
  Value plan = call(result, loadNumbers(given, parameters[0])).getResult();
  LLVM::StoreOp::create(builder, plan, parameters[1]);
  LLVM::ReturnOp::create(builder, ValueRange());
}

void invar::makeNativeInterface(ModuleOp module,
                                const LLVMTypeConverter &types) {
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (function.isDeclaration())
      continue;
    NativeInterface interface(function, types);
    if (function.getNumResults())
      interface.makePlan();
    else
      interface.makeRun();
  }
}
