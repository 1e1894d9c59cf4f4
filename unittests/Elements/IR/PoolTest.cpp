// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/IR/Pool.h"

#include "../Testing.h"
#include "Samples.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <thread>

using namespace mlir;
using namespace invar;
using namespace invar::elements;
using namespace invar::testing;

namespace {
class PoolTest : public ::testing::Test {
protected:
  PoolTest() : builder(&context) {
    context.loadDialect<ElementsDialect, func::FuncDialect>();
    context.allowUnregisteredDialects();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  /// Returns a new constant and registers its memory, to check later whether it still
  /// exists.
  LazyElementsAttr make() {
    auto memory = std::make_shared<std::vector<uint8_t>>(64);
    memories.push_back(memory);
    BufferRef buffer =
        get(Buffer::unowned(DataType::UInt8, 64, *memory, memory));
    return LazyElementsAttr::get(
        &context, get(ElementsBuilder().fromBuffer(buffer, {64})));
  }
  size_t countMemories() const {
    return llvm::count_if(memories,
                          [](auto &memory) { return !memory.expired(); });
  }

  func::FuncOp makeFunction(StringRef name) {
    auto type =
        builder.getFunctionType(builder.getF32Type(), builder.getF32Type());
    auto function =
        func::FuncOp::create(builder, builder.getUnknownLoc(), name, type);
    OpBuilder::InsertionGuard guard(builder);
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    func::ReturnOp::create(builder, builder.getUnknownLoc(),
                           block->getArgument(0));
    return function;
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  std::vector<std::weak_ptr<std::vector<uint8_t>>> memories;
};

TEST_F(PoolTest, OnePerContext) {
  EXPECT_EQ(&Pool::get(&context), &Pool::get(&context));
  MLIRContext other;
  EXPECT_NE(&Pool::get(&context), &Pool::get(&other));
}

TEST_F(PoolTest, DisposeFreesMemory) {
  Pool &pool = Pool::get(&context);
  LazyElementsAttr kept = make(), gone = make();
  EXPECT_EQ(pool.size(), 2u);
  EXPECT_EQ(countMemories(), 2u);
  pool.dispose(gone);
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_EQ(countMemories(), 1u);
  EXPECT_TRUE(gone.isDisposed());
  EXPECT_FALSE(kept.isDisposed());
  pool.dispose(gone); // Repeating it is harmless.
  EXPECT_EQ(pool.size(), 1u);
  EXPECT_EQ(print(gone), "#elements.lazy<disposed> : tensor<64xui8>");
}

TEST_F(PoolTest, ContextFreesTheRest) {
  std::weak_ptr<int> watch;
  {
    MLIRContext own;
    auto memory = std::make_shared<int>();
    watch = memory;
    ArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(memory.get()),
                            sizeof(int));
    BufferRef buffer = get(Buffer::unowned(DataType::Int32, 1, bytes, memory));
    LazyElementsAttr::get(&own, get(ElementsBuilder().fromBuffer(buffer, {})));
  }
  EXPECT_TRUE(watch.expired());
}

TEST_F(PoolTest, ElementsOutliveTheAttribute) {
  LazyElementsAttr attribute = make();
  Elements content = attribute.getElements();
  Pool::get(&context).dispose(attribute);
  EXPECT_EQ(countMemories(), 1u);
  EXPECT_EQ(content.at<uint8_t>(0), 0);
}

TEST_F(PoolTest, CollectKeepsWhatIsReached) {
  Builder &b = builder;
  std::vector<LazyElementsAttr> reached, unreached;
  auto keep = [&] { return reached.emplace_back(make()); };
  auto lose = [&] { return unreached.emplace_back(make()); };
  lose();
  (*module)->setAttr("test.plain", keep());
  (*module)->setAttr("test.list",
                     b.getArrayAttr({keep(), b.getArrayAttr(keep())}));
  (*module)->setAttr(
      "test.table",
      b.getDictionaryAttr(b.getNamedAttr(
          "a", b.getDictionaryAttr(b.getNamedAttr("b", keep())))));
  func::FuncOp function = makeFunction("f");
  function.setArgAttr(0, "test.argument",
                      keep()); // A property of the function.
  function.setResultAttr(0, "test.result", keep());

  // An operation in a region of an operation in a region.
  OperationState inner(b.getUnknownLoc(), "test.inner");
  inner.addAttribute("value", keep());
  OperationState outer(b.getUnknownLoc(), "test.outer");
  Block *block = new Block;
  outer.addRegion()->push_back(block);
  block->push_back(Operation::create(inner));
  function.getBody().front().push_front(Operation::create(outer));

  // An attribute that is set and then removed.
  (*module)->setAttr("test.erased", lose());
  (*module)->removeAttr("test.erased");
  OperationState erased(b.getUnknownLoc(), "test.erased");
  erased.addAttribute("value", lose());
  Operation *shortLived = Operation::create(erased);
  module->getBody()->push_back(shortLived);
  shortLived->erase();

  Pool &pool = Pool::get(&context);
  EXPECT_EQ(pool.size(), reached.size() + unreached.size());
  EXPECT_EQ(pool.collect(*module), unreached.size());
  EXPECT_EQ(pool.size(), reached.size());
  EXPECT_EQ(countMemories(), reached.size());
  EXPECT_TRUE(llvm::none_of(reached, [](auto a) { return a.isDisposed(); }));
  EXPECT_TRUE(llvm::all_of(unreached, [](auto a) { return a.isDisposed(); }));
  EXPECT_EQ(pool.collect(*module), 0u);
}

TEST_F(PoolTest, ManyThreadsCreate) {
  constexpr unsigned threads = 8, each = 500;
  Elements content =
      get(ElementsBuilder().fromArray<DataType::Int64>({}, int64_t(7)));
  std::vector<std::vector<LazyElementsAttr>> made(threads);
  {
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        for (unsigned i = 0; i < each; ++i) {
          made[t].push_back(LazyElementsAttr::get(&context, content));
          if (i % 3 == 0)
            Pool::get(&context).dispose(made[t].back());
        }
      });
    for (std::thread &worker : workers)
      worker.join();
  }
  llvm::DenseSet<Attribute> distinct;
  size_t live = 0;
  for (auto &list : made)
    for (LazyElementsAttr attribute : list) {
      distinct.insert(attribute);
      live += !attribute.isDisposed();
    }
  EXPECT_EQ(distinct.size(), size_t(threads) * each);
  EXPECT_EQ(Pool::get(&context).size(), live);
}

//===-- Collector and passes ----------------------------------------------------------===//

/// Records the number of live constants when it runs, then creates one and drops it.
template <typename Op>
class Littering : public PassWrapper<Littering<Op>, OperationPass<Op>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Littering)
  explicit Littering(std::vector<size_t> &seen) : seen(seen) {}
  void runOnOperation() override {
    seen.push_back(Pool::get(this->getOperation()->getContext()).size());
    LazyElementsAttr::get(
        this->getOperation()->getContext(),
        get(ElementsBuilder().fromArray<DataType::Int64>({}, int64_t(1))));
  }
  std::vector<size_t> &seen;
};

TEST_F(PoolTest, CollectsAfterModulePasses) {
  (*module)->setAttr("test.kept", make());
  make();
  std::vector<size_t> seen;
  PassManager manager(&context);
  manager.addInstrumentation(std::make_unique<Collector>());
  manager.addPass(std::make_unique<Littering<ModuleOp>>(seen));
  manager.addPass(std::make_unique<Littering<ModuleOp>>(seen));
  ASSERT_TRUE(succeeded(manager.run(*module)));
  EXPECT_EQ(seen, (std::vector<size_t>{2, 1}));
  EXPECT_EQ(Pool::get(&context).size(), 1u);
  EXPECT_EQ(countMemories(), 1u);
}

// While a pass works on one function, a pass on another may hold a constant that is not
// in the IR. Therefore nothing is collected between function passes.
TEST_F(PoolTest, DoesNotCollectBetweenFunctionPasses) {
  context.disableMultithreading();
  makeFunction("f");
  makeFunction("g");
  std::vector<size_t> seen;
  PassManager manager(&context);
  manager.addInstrumentation(std::make_unique<Collector>());
  manager.addNestedPass<func::FuncOp>(
      std::make_unique<Littering<func::FuncOp>>(seen));
  manager.addNestedPass<func::FuncOp>(
      std::make_unique<Littering<func::FuncOp>>(seen));
  ASSERT_TRUE(succeeded(manager.run(*module)));
  EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2, 3}));
  EXPECT_EQ(Pool::get(&context).size(), 0u);
}

// A nested module does not contain all constants.
TEST_F(PoolTest, DoesNotCollectForNestedModules) {
  context.disableMultithreading();
  ModuleOp::create(builder, builder.getUnknownLoc(), "inner");
  (*module)->setAttr("test.outside", make());
  std::vector<size_t> seen;
  PassManager manager(&context);
  manager.addInstrumentation(std::make_unique<Collector>());
  manager.addNestedPass<ModuleOp>(std::make_unique<Littering<ModuleOp>>(seen));
  ASSERT_TRUE(succeeded(manager.run(*module)));
  EXPECT_EQ(countMemories(), 1u);
}

//===-- Scrub -------------------------------------------------------------------------===//

TEST_F(PoolTest, ScrubReplacesAll) {
  Builder &b = builder;
  (*module)->setAttr("test.list",
                     b.getArrayAttr({make(), b.getArrayAttr(make())}));
  func::FuncOp function = makeFunction("f");
  function.setArgAttr(0, "test.argument", make());
  OperationState inner(b.getUnknownLoc(), "test.inner");
  inner.addAttribute("value", make());
  function.getBody().front().push_front(Operation::create(inner));

  scrub(*module);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  EXPECT_FALSE(StringRef(text).contains("lazy")) << text;
  EXPECT_EQ(StringRef(text).count("dense<0>"), 4u) << text;
  EXPECT_EQ(Pool::get(&context).collect(*module), 4u);
  EXPECT_EQ(countMemories(), 0u);
}

//===-- Elide -------------------------------------------------------------------------===//

TEST_F(PoolTest, ElideLeavesSmallOnesAndSplats) {
  ElementsBuilder elements;
  int64_t numbers[] = {1, 2, 3};
  auto add = [&](const char *name, Elements content) {
    (*module)->setAttr(name, LazyElementsAttr::get(&context, content));
  };
  add("test.two",
      get(elements.fromArray<DataType::Int64>({2}, ArrayRef(numbers, 2))));
  add("test.three", get(elements.fromArray<DataType::Int64>({3}, numbers)));
  add("test.splat", get(elements.splat<DataType::Int64>({9}, 7)));
  // Repeating it is harmless: the name already exists.
  elide(*module, 2);
  add("test.late", get(elements.fromArray<DataType::Int64>({3, 1}, numbers)));
  elide(*module, 2);
  auto textOf = [&](const char *name) {
    return print((*module)->getAttr(name));
  };
  EXPECT_EQ(textOf("test.two"),
            "#elements.lazy<dense<[1, 2]>> : tensor<2xi64>");
  EXPECT_EQ(textOf("test.three"), "dense_resource<__elided__> : tensor<3xi64>");
  EXPECT_EQ(textOf("test.splat"), "#elements.lazy<dense<7>> : tensor<9xi64>");
  EXPECT_EQ(textOf("test.late"),
            "dense_resource<__elided__> : tensor<3x1xi64>");
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  EXPECT_FALSE(StringRef(text).contains("dialect_resources")) << text;
}
} // namespace
