// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelTest.h"

#include "../../lib/Codegen/InPlace.h"
#include "../../runtime/GuardedMemory.h"
#include "invar/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Host.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace invar;
using runtime::GuardedBytes;

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

std::unique_ptr<LoadedModule>
LoadedModule::load(ModuleOp module, const CpuTarget &target, bool isPlain) {
  CompileOptions options;
  options.target = target;
  options.isPlain = isPlain;
  options.threads = 1;
  FailureOr<std::vector<KernelObject>> objects =
      compileKernels(module, options);
  EXPECT_TRUE(succeeded(objects));
  if (failed(objects))
    return nullptr;
  auto bytes = linkModule(KernelVariant{target, *objects}, {{}, "test"});
  if (!bytes) {
    ADD_FAILURE() << llvm::toString(bytes.takeError());
    return nullptr;
  }
  std::unique_ptr<LoadedModule> loaded(new LoadedModule);
  if (runtime::Status status =
          runtime::ElfImage::load((*bytes)->getBuffer(), loaded->image)) {
    ADD_FAILURE() << status.getText();
    return nullptr;
  }
  loaded->module = static_cast<const InvarModule *>(
      loaded->image->find(INVAR_MODULE_SYMBOL, sizeof(InvarModule)));
  EXPECT_NE(loaded->module, nullptr);
  return loaded;
}

ArrayRef<const char *> invar::getTestTargets() {
  static constexpr const char *all[] = {"x86-64-v3", "x86-64-v2", "x86-64-v4"};
  bool isWide = llvm::cantFail(CpuTarget::getHost()).vectorBits == 512;
  return ArrayRef(all).take_front(isWide ? 3 : 2);
}

std::unique_ptr<MLIRContext> invar::makeContext() {
  auto context = std::make_unique<MLIRContext>();
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       tensor::TensorDialect>();
  return context;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Elements below 8 bits are stored as sign-extended bytes; i1 is 0 or 1.
static size_t getBytes(Type element) {
  return element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
}

static void toBytes(TypedAttr attribute, char *to) {
  Type type = attribute.getType();
  uint64_t bits;
  if (auto number = dyn_cast<FloatAttr>(attribute))
    bits = number.getValue().bitcastToAPInt().getZExtValue();
  else if (type.isInteger(1))
    bits = cast<IntegerAttr>(attribute).getValue().getZExtValue();
  else
    bits = cast<IntegerAttr>(attribute).getValue().getSExtValue();
  std::memcpy(to, &bits, getBytes(type));
}

static TypedAttr fromBytes(Type type, const char *from) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, getBytes(type));
  if (auto number = dyn_cast<FloatType>(type))
    return FloatAttr::get(type,
                          APFloat(number.getFloatSemantics(),
                                  APInt(number.getWidth(), bits, false, true)));
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, APInt(width, bits, false, true));
}

static TypedAttr makeRandom(Type type, std::mt19937 &random,
                            const Expectation &expectation) {
  if (auto number = dyn_cast<FloatType>(type)) {
    std::uniform_real_distribution<double> any(-expectation.range,
                                               expectation.range);
    return FloatAttr::get(type, any(random));
  }
  if (type.isIndex())
    return IntegerAttr::get(type, random() % 8);
  unsigned width = type.getIntOrFloatBitWidth();
  // Mostly small, sometimes anything.
  int64_t value = random() % 4 ? int64_t(random() % 64) - 32
                               : int64_t(uint64_t(random()) << 32 | random());
  return IntegerAttr::get(type, APInt(64, value).trunc(width));
}

static TestValue makeArgument(Type type, ArrayRef<int64_t> &sizes,
                              std::mt19937 &random,
                              const Expectation &expectation) {
  TestValue value{getElementTypeOrSelf(type), std::nullopt, {}};
  int64_t count = 1;
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    value.shape.emplace(tensor.getShape());
    for (int64_t &size : *value.shape) {
      if (ShapedType::isDynamic(size)) {
        size = sizes.front();
        sizes = sizes.drop_front();
      }
      count *= size;
    }
  }
  for (int64_t index = 0; index < count; ++index)
    value.elements.push_back(makeRandom(value.element, random, expectation));
  return value;
}

static int64_t asNumber(const TestValue &scalar) {
  if (auto number = dyn_cast<FloatAttr>(scalar.elements[0]))
    return llvm::bit_cast<int64_t>(number.getValueAsDouble());
  return cast<IntegerAttr>(scalar.elements[0]).getValue().getSExtValue();
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static double asDouble(TypedAttr attribute) {
  return cast<FloatAttr>(attribute).getValueAsDouble();
}

static void expectSame(const TestValue &expected, const TestValue &got,
                       const Expectation &expectation, StringRef how) {
  double largest = 1e-30;
  if (isa<FloatType>(expected.element))
    for (TypedAttr element : expected.elements)
      if (std::isfinite(asDouble(element)))
        largest = std::max(largest, std::abs(asDouble(element)));
  unsigned wrong = 0;
  for (size_t index = 0; index < expected.elements.size(); ++index) {
    TypedAttr want = expected.elements[index], have = got.elements[index];
    bool isSame = want == have;
    if (isa<FloatType>(expected.element) && !isSame) {
      double wanted = asDouble(want), had = asDouble(have);
      isSame = (std::isnan(wanted) && std::isnan(had)) || wanted == had ||
               std::abs(wanted - had) <= expectation.tolerance * largest;
    }
    if (isSame || ++wrong > 3)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << want << ", but got " << have;
    ADD_FAILURE() << how.str() << ": expected at " << index << " " << text;
  }
  EXPECT_EQ(wrong, 0u) << how.str() << ": of " << expected.elements.size();
}

/// Runs a kernel and returns the final contents of its last `results` arguments. The work
/// is split into `ranges` calls. The result shares the memory of the argument
/// `overwritten`, if given.
static std::vector<TestValue>
runKernel(const InvarKernel &kernel, TypeRange types,
          ArrayRef<TestValue> arguments, unsigned results, bool isAtEnd,
          int64_t ranges, std::optional<int64_t> overwritten) {
  std::vector<GuardedBytes> buffers;
  std::vector<void *> tensors;
  std::vector<int64_t> numbers, sizes;
  void *place = nullptr;
  for (auto [number, type, argument] : llvm::enumerate(types, arguments)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) {
      numbers.push_back(asNumber(argument));
      continue;
    }
    size_t each = getBytes(argument.element);
    GuardedBytes &bytes =
        buffers.emplace_back(argument.elements.size() * each, isAtEnd);
    for (auto [index, element] : llvm::enumerate(argument.elements))
      toBytes(element, bytes.getData() + index * each);
    tensors.push_back(bytes.getData());
    if (overwritten == int64_t(number))
      place = bytes.getData();
    for (auto [axis, size] : llvm::enumerate(*argument.shape))
      if (tensor.isDynamicDim(axis))
        sizes.push_back(size);
  }
  llvm::append_range(numbers, sizes);

  if (place)
    tensors.back() = place;

  InvarKernelPlan plan = {-1, -1, -1};
  kernel.plan(numbers.data(), &plan);
  EXPECT_GE(plan.units, 0);
  EXPECT_GE(plan.grain, 1);
  EXPECT_GE(plan.scratch, 0);
  GuardedBytes scratch((plan.scratch + 63) / 64 * 64, /*isAtEnd=*/true);
  for (int64_t range = 0; range < ranges; ++range) {
    int64_t from = plan.units * range / ranges;
    int64_t to = plan.units * (range + 1) / ranges;
    kernel.run(tensors.data(), numbers.data(), from, to, scratch.getData());
  }

  std::vector<TestValue> made(arguments.take_back(results));
  for (auto [value, data] :
       llvm::zip_equal(made, ArrayRef(tensors).take_back(results)))
    for (auto [index, element] : llvm::enumerate(value.elements))
      element = fromBytes(value.element, static_cast<const char *>(data) +
                                             index * getBytes(value.element));
  return made;
}

void invar::expectRight(StringRef text, ArrayRef<int64_t> sizes,
                        Expectation expectation) {
  std::unique_ptr<MLIRContext> context = makeContext();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, context.get());
  ASSERT_TRUE(module);
  auto kernel = *module->getOps<func::FuncOp>().begin();
  std::mt19937 random(expectation.seed);
  std::vector<TestValue> arguments;
  for (Type type : kernel.getArgumentTypes())
    arguments.push_back(makeArgument(type, sizes, random, expectation));
  if (expectation.prepare)
    expectation.prepare(arguments);
  std::vector<TestValue> expected = interpret(kernel, arguments);
  // As in an outlined kernel, the result may share the memory of some arguments.
  std::vector<std::optional<int64_t>> places = {std::nullopt};
  if (SmallVector<int64_t> numbers = findOverwritable(kernel);
      !numbers.empty()) {
    kernel->setAttr(inPlaceAttribute,
                    Builder(context.get()).getDenseI64ArrayAttr(numbers));
    llvm::append_range(places, numbers);
  }
  std::vector<std::pair<StringRef, bool>> ways;
  for (StringRef cpu : getTestTargets())
    ways.push_back({cpu, /*isPlain=*/false});
  ways.push_back({getTestTargets().front(), /*isPlain=*/true});
  for (auto [cpu, isPlain] : ways) {
    CpuTarget target = llvm::cantFail(CpuTarget::get(cpu));
    if (expectation.adapt)
      expectation.adapt(target);
    std::unique_ptr<LoadedModule> loaded =
        LoadedModule::load(*module, target, isPlain);
    ASSERT_TRUE(loaded);
    for (bool isAtEnd : {true, false})
      for (int64_t ranges : {1, 3})
        for (std::optional<int64_t> place : places) {
          std::vector<TestValue> got =
              runKernel(loaded->getKernel(), kernel.getArgumentTypes(),
                        arguments, expected.size(), isAtEnd, ranges, place);
          std::string how = (cpu + ", " + Twine(ranges) + " ranges").str();
          if (isPlain)
            how += ", as plain loops";
          if (place)
            how += ", in place of argument " + std::to_string(*place);
          for (auto [want, have] : llvm::zip_equal(expected, got))
            expectSame(want, have, expectation, how);
        }
  }
}
