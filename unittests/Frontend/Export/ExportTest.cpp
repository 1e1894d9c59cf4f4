// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the export of models that were changed after import, and the placement of
// weights. test/python/frontend/import_export.py tests on whole models that unchanged parts are
// preserved.
#include "invar/Frontend/Export/Export.h"

#include "../../Support/TempFolder.h"
#include "../ModelBytes.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Frontend/Import/Import.h"
#include "invar/Support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace invar;
using namespace invar::testing;

namespace {
class ExportTest : public ::testing::Test {
protected:
  ExportTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<onnx::ONNXDialect, func::FuncDialect>();
  }

  void import(const ModelText &text) {
    bytes = makeModel(text);
    auto imported = importModel(context, bytes, "m.onnx");
    if (!imported) {
      ADD_FAILURE() << describe(imported.takeError()).second;
      abort();
    }
    model = std::move(*imported);
  }
  Block &main() {
    return model.module->lookupSymbol<func::FuncOp>("main").getBody().front();
  }
  Operation *find(StringRef name) {
    Operation *found = nullptr;
    model.module->walk([&](Operation *op) {
      if (op->getName().stripDialect() == name)
        found = op;
    });
    return found;
  }

  /// Exports the model and returns the written graph.
  const GraphView &write() {
    auto summary =
        exportModel(*model.module, model.source.get(), folder / "out.onnx");
    if (!summary) {
      ADD_FAILURE() << describe(summary.takeError()).second;
      abort();
    }
    written = llvm::cantFail(WireModel::open(folder / "out.onnx"));
    return *written->getModel().graph;
  }

  /// Joins names to a text.
  template <typename List> static std::string namesOf(const List &list) {
    return llvm::join(
        llvm::map_range(list, [](auto &item) { return item.name; }), " ");
  }
  static std::string wordsOf(ArrayRef<StringRef> list) {
    return llvm::join(list, " ");
  }

  TempFolder folder;
  MLIRContext context;
  std::string bytes;
  ImportedModel model;
  std::unique_ptr<WireModel> written;
};

const ModelText sample{.nodes = {{"Add", "x w", "s"},
                                 {"LeakyRelu", "s", "t"},
                                 {"Mul", "t v", "y"}},
                       .inputs = "x",
                       .outputs = "y",
                       .weights = "v w",
                       .infos = "s t gone"};

TEST_F(ExportTest, Untouched) {
  import(sample);
  write();
  EXPECT_EQ(folder.read("out.onnx"), bytes);
}

TEST_F(ExportTest, OnlyWhatWasTouchedIsEncodedAnew) {
  import(sample);
  find("LeakyRelu")->setAttr("alpha", Builder(&context).getF32FloatAttr(0.5));
  const GraphView &before = *model.source->getModel().getModel().graph;
  const GraphView &after = write();
  ASSERT_EQ(after.nodes.size(), 3u);
  EXPECT_EQ(after.nodes[0].whole, before.nodes[0].whole);
  EXPECT_NE(after.nodes[1].whole, before.nodes[1].whole);
  EXPECT_EQ(after.nodes[2].whole, before.nodes[2].whole);
  ASSERT_EQ(after.nodes[1].attributes.size(), 1u);
  EXPECT_EQ(after.nodes[1].attributes[0].floats[0], 0.5f);
  EXPECT_EQ(after.nodes[1].outputs[0], "t");
}

TEST_F(ExportTest, OtherOperandsTouchANode) {
  import(sample);
  find("Mul")->setOperand(0, main().getArgument(0));
  find("LeakyRelu")->erase();
  const GraphView &after = write();
  ASSERT_EQ(after.nodes.size(), 2u);
  EXPECT_EQ(wordsOf(after.nodes[1].inputs), "x v");
  // Infos about removed values are removed; the others are kept.
  EXPECT_EQ(namesOf(after.valueInfos), "s gone");
}

TEST_F(ExportTest, WeightsKeepTheirOrder) {
  import(sample);
  EXPECT_EQ(namesOf(write().initializers), "v w");
  Operation *add = find("Add");
  Operation *weight = add->getOperand(1).getDefiningOp();
  add->setOperand(1, main().getArgument(0));
  weight->erase();
  EXPECT_EQ(namesOf(write().initializers), "v");
}

TEST_F(ExportTest, NewConstantsGetNames) {
  import(sample);
  OpBuilder builder(find("Add"));
  auto type = RankedTensorType::get(2, builder.getF32Type());
  auto constant = onnx::ConstantOp::create(
      builder, builder.getUnknownLoc(),
      cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef<float>{3, 4})));
  find("Add")->setOperand(1, constant);
  const GraphView &after = write();
  EXPECT_EQ(namesOf(after.initializers), "v w Constant_0");
  EXPECT_EQ(wordsOf(after.nodes[0].inputs), "x Constant_0");
}

// The model never contained it, so an unused new constant is not written.
TEST_F(ExportTest, UnusedNewConstantsAreNotWritten) {
  import(sample);
  OpBuilder builder(find("Add"));
  auto type = RankedTensorType::get(2, builder.getF32Type());
  onnx::ConstantOp::create(
      builder, builder.getUnknownLoc(),
      cast<ElementsAttr>(DenseElementsAttr::get(type, 1.0f)));
  write();
  EXPECT_EQ(folder.read("out.onnx"), bytes);
}

// An output keeps its name, whatever computes it.
TEST_F(ExportTest, OutputsKeepTheirNames) {
  import(sample);
  main().getTerminator()->setOperand(0, main().getArgument(0));
  const GraphView &after = write();
  EXPECT_EQ(namesOf(after.outputs), "y");
  EXPECT_EQ(after.nodes.back().opType, "Identity");
  EXPECT_EQ(wordsOf(after.nodes.back().inputs), "x");
  EXPECT_EQ(wordsOf(after.nodes.back().outputs), "y");
}

// A model may list an output twice, but a name must be defined only once.
TEST_F(ExportTest, OutputsThatAreListedTwiceAreGivenOnce) {
  import({.nodes = {{"Relu", "x", "y"}}, .outputs = "y y"});
  for (OpOperand &output : main().getTerminator()->getOpOperands())
    output.set(main().getArgument(0));
  find("Relu")->erase();
  const GraphView &after = write();
  EXPECT_EQ(namesOf(after.outputs), "y y");
  ASSERT_EQ(after.nodes.size(), 1u);
  EXPECT_EQ(wordsOf(after.nodes[0].outputs), "y");
}

TEST_F(ExportTest, DefaultsInTheirOwnBytes) {
  import({.nodes = {{"Sum", "x a b c", "y"}},
          .inputs = "c x a",
          .weights = "a b c"});
  write();
  EXPECT_EQ(folder.read("out.onnx"), bytes);
}

TEST_F(ExportTest, SubgraphsSeeOuterNames) {
  GraphText body{.nodes = {{"Relu", "w", "b"}}, .inputs = "", .outputs = "b"};
  import({.nodes = {{"If",
                     "cond",
                     "y",
                     {{"then_branch", body}, {"else_branch", body}}}},
          .inputs = "cond",
          .weights = "w"});
  // Another weight gets the inner one's name: they must not be confused.
  Operation *weight = &main().front();
  OpBuilder builder(weight);
  auto type = RankedTensorType::get(2, builder.getF32Type());
  auto other = onnx::ConstantOp::create(
      builder, builder.getUnknownLoc(),
      cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef<float>{3, 4})));
  weight->getResult(0).replaceAllUsesWith(other);
  const GraphView &after = write();
  EXPECT_EQ(namesOf(after.initializers), "w Constant_0");
  const GraphView &branch = after.nodes[0].attributes[0].graphs[0];
  EXPECT_EQ(wordsOf(branch.nodes[0].inputs), "Constant_0");
}

TEST_F(ExportTest, WithoutASource) {
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %c = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
      %y = onnx.Add(%x, %c) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %y : tensor<2xf32>
    })",
                                            ParserConfig(&context));
  ASSERT_TRUE(module);
  auto summary = exportModel(*module, nullptr, folder / "out.onnx");
  ASSERT_TRUE(bool(summary)) << describe(summary.takeError()).second;
  auto again = llvm::cantFail(WireModel::open(folder / "out.onnx"));
  const ModelView &view = again->getModel();
  EXPECT_EQ(view.irVersion, 14);
  ASSERT_EQ(view.opsetImports.size(), 1u);
  EXPECT_EQ(view.opsetImports[0].version, 28);
  EXPECT_EQ(view.graph->name, "main");
  EXPECT_EQ(view.graph->initializers.size(), 1u);
  ASSERT_EQ(view.graph->nodes.size(), 1u);
  EXPECT_EQ(view.graph->inputs[0].name, view.graph->nodes[0].inputs[0]);
  EXPECT_EQ(view.graph->outputs[0].name, view.graph->nodes[0].outputs[0]);
}

TEST_F(ExportTest, OtherOpsets) {
  import(sample);
  ExportOptions options;
  options.opset = 6;
  auto summary = exportModel(*model.module, model.source.get(),
                             folder / "out.onnx", options);
  EXPECT_EQ(describe(summary.takeError()).first, ErrorKind::BadInput);
  EXPECT_TRUE(folder.list().empty());
  options.opset = 7;
  summary = exportModel(*model.module, model.source.get(), folder / "out.onnx",
                        options);
  ASSERT_TRUE(bool(summary)) << describe(summary.takeError()).second;
  options.opset = 29;
  summary = exportModel(*model.module, model.source.get(), folder / "out.onnx",
                        options);
  EXPECT_EQ(describe(summary.takeError()).first, ErrorKind::BadUsage);
}
} // namespace
