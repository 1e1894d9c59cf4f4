// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests names, orders and defaults when a model is imported. test/python/frontend/import_export.py
// tests on whole models that every kind of node and tensor is preserved.
#include "invar/Frontend/Import/Import.h"

#include "../ModelBytes.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace invar;
using namespace invar::testing;

namespace {
class ImportTest : public ::testing::Test {
protected:
  ImportTest() : context(MLIRContext::Threading::DISABLED) {}

  /// Returns the IR of a model, which stays in `module`.
  std::string import(const ModelText &text, bool strict = false) {
    bytes = makeModel(text);
    auto model = importModel(context, bytes, "m.onnx", {.strict = strict});
    module = nullptr;
    if (!model)
      return describe(model.takeError()).second;
    module = std::move(model->module);
    warnings = std::move(model->warnings);
    std::string ir;
    llvm::raw_string_ostream os(ir);
    module->print(os);
    return ir;
  }

  static void expectPart(StringRef text, StringRef part) {
    EXPECT_TRUE(text.contains(part)) << "no '" << part.str() << "' in:\n"
                                     << text.str();
  }

  /// Returns the names of @main's operations, without constants.
  std::vector<std::string> operations() {
    std::vector<std::string> names;
    if (!module)
      return names;
    auto main = module->lookupSymbol<func::FuncOp>("main");
    for (Operation &op : main.getBody().front().without_terminator())
      if (!op.hasAttr(onnx::attr::initializer))
        names.push_back(op.getName().stripDialect().str());
    return names;
  }

  MLIRContext context;
  std::string bytes;
  OwningOpRef<ModuleOp> module;
  std::vector<std::string> warnings;
};

TEST_F(ImportTest, ValuesAndWeights) {
  std::string ir = import(
      {.nodes = {{"Add", "x w", "s"}, {"Relu", "s", "y"}}, .weights = "w"});
  expectPart(ir, "func.func @main(%arg0: tensor<2xf32>");
  expectPart(ir, "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>");
  expectPart(ir, "onnx.Add(%arg0, %w)");
  expectPart(ir, "onnx.Relu(%s)");
}

TEST_F(ImportTest, SortsNodes) {
  import({.nodes = {{"Relu", "b", "y"}, {"Neg", "a", "b"}, {"Abs", "x", "a"}}});
  EXPECT_EQ(operations(), (std::vector<std::string>{"Abs", "Neg", "Relu"}));
}

TEST_F(ImportTest, KeepsAnOrderThatIsGood) {
  import(
      {.nodes = {{"Abs", "x", "a"}, {"Neg", "x", "b"}, {"Add", "b a", "y"}}});
  EXPECT_EQ(operations(), (std::vector<std::string>{"Abs", "Neg", "Add"}));
}

TEST_F(ImportTest, SortsNodesThatSubgraphsNeed) {
  GraphText body{
      .nodes = {{"Relu", "late", "b"}}, .inputs = "", .outputs = "b"};
  std::string ir = import(
      {.nodes =
           {{"If", "cond", "y", {{"then_branch", body}, {"else_branch", body}}},
            {"Neg", "x", "late"}},
       .inputs = "x cond"});
  EXPECT_EQ(operations(), (std::vector<std::string>{"Neg", "If"})) << ir;
}

// The subgraph defines another `late`, so the If does not depend on the outer one.
TEST_F(ImportTest, SubgraphsHideNames) {
  GraphText body{.nodes = {{"Abs", "x", "late"}, {"Relu", "late", "b"}},
                 .inputs = "",
                 .outputs = "b"};
  std::string ir = import(
      {.nodes =
           {{"If", "cond", "t", {{"then_branch", body}, {"else_branch", body}}},
            {"Neg", "x", "late"},
            {"Add", "t late", "y"}},
       .inputs = "x cond"});
  EXPECT_EQ(operations(), (std::vector<std::string>{"If", "Neg", "Add"})) << ir;
  ASSERT_TRUE(module);
  module->walk([](Operation *op) {
    if (op->getName().stripDialect() == "Relu")
      EXPECT_EQ(op->getOperand(0).getDefiningOp()->getName().stripDialect(),
                "Abs");
    if (op->getName().stripDialect() == "Add")
      EXPECT_EQ(op->getOperand(1).getDefiningOp()->getName().stripDialect(),
                "Neg");
  });
}

TEST_F(ImportTest, WeightsOfSubgraphsHideNames) {
  GraphText body{.nodes = {{"Relu", "w", "b"}},
                 .inputs = "",
                 .outputs = "b",
                 .weights = "w"};
  import(
      {.nodes =
           {{"If", "cond", "t", {{"then_branch", body}, {"else_branch", body}}},
            {"Neg", "t", "w"},
            {"Add", "t w", "y"}},
       .inputs = "x cond"});
  EXPECT_EQ(operations(), (std::vector<std::string>{"If", "Neg", "Add"}));
}

TEST_F(ImportTest, Cycles) {
  EXPECT_EQ(import({.nodes = {{.type = "Relu",
                               .inputs = "b",
                               .outputs = "a",
                               .name = "first"},
                              {"Neg", "a", "b"},
                              {"Abs", "b", "y"}}}),
            "m.onnx: graph: expected a graph without cycles, but got one "
            "through node[0] "
            "'first', node[1] 'Neg'");
  GraphText body{.nodes = {{"Relu", "y", "b"}}, .inputs = "", .outputs = "b"};
  expectPart(
      import({.nodes = {{"If",
                         "x",
                         "y",
                         {{"then_branch", body}, {"else_branch", body}}}}}),
      "node[0] 'If'");
}

TEST_F(ImportTest, NamesThatAreWrong) {
  expectPart(
      import({.nodes = {{"Relu", "x", "y"}, {"Neg", "x", "y"}}}),
      "m.onnx: graph.node[1] 'y': expected each name to be defined once, but "
      "'y' is defined twice");
  expectPart(
      import({.nodes = {{"Relu", "z", "y"}}}),
      "m.onnx: graph.node[0] 'y': expected inputs to be defined, but nothing "
      "defines 'z'");
  expectPart(
      import({.nodes = {{"Relu", "x", "z"}}}),
      "m.onnx: graph.output[0]: expected an output to be defined, but nothing "
      "defines 'y'");
  expectPart(import({.nodes = {{"Relu", "x", "y"}}, .inputs = "x x"}),
             "'x' is defined twice");
}

// Engines use the last one.
TEST_F(ImportTest, WeightsThatAreThereTwice) {
  for (const char *inputs : {"x", "x w"}) {
    ModelText text{
        .nodes = {{"Add", "x w", "y"}}, .inputs = inputs, .weights = "w w w"};
    import(text);
    EXPECT_EQ(operations(), std::vector<std::string>{"Add"});
    EXPECT_EQ(warnings,
              std::vector<std::string>{
                  "m.onnx: graph.initializer[0]: expected each name to be "
                  "defined once, but 'w' is defined twice; the last one counts "
                  "(and 1 more times)"});
    EXPECT_EQ(import(text, /*strict=*/true),
              "m.onnx: graph.initializer[0]: expected each name to be defined "
              "once, but 'w' is defined twice");
  }
}

TEST_F(ImportTest, OperatorsBeforeTheirOpset) {
  ModelText text{.nodes = {{"LayerNormalization", "x w w", "y"}},
                 .weights = "w"};
  import(text);
  EXPECT_TRUE(warnings.empty());
  text.opset = 12;
  import(text);
  EXPECT_EQ(operations(), std::vector<std::string>{"LayerNormalization"});
  ASSERT_EQ(warnings.size(), 1u);
  expectPart(warnings[0], "m.onnx: graph.node[0] 'y': expected an operator of "
                          "opset 12, but got 'LayerNormalization', which "
                          "exists since 17");
  expectPart(import(text, /*strict=*/true), "which exists since 17");
}

TEST_F(ImportTest, DefaultsOfInputs) {
  ModelText text{
      .nodes = {{"Add", "x w", "y"}}, .inputs = "x w", .weights = "w"};
  std::string ir = import(text);
  expectPart(ir, "%arg1: tensor<2xf32>");
  expectPart(ir, "onnx.default");
  EXPECT_FALSE(StringRef(ir).contains("onnx.Constant")) << ir;
  // Before version 4, every initializer had to be an input.
  text.ir = 3;
  ir = import(text);
  EXPECT_FALSE(StringRef(ir).contains("%arg1")) << ir;
  expectPart(ir, "onnx.Constant");
}

TEST_F(ImportTest, OutputsLeftOut) {
  std::string ir =
      import({.nodes = {{"Odd", "x", "u"}, {"LSTM", "u u u", "_ y"}}});
  expectPart(ir, "-> (_, !onnx.unknown)");
}

// Old models also name the outputs for training; they matter only if they are used.
TEST_F(ImportTest, OutputsThatNothingUses) {
  ModelText text{.nodes = {{"Dropout", "x", "y mask"}}, .opset = 7};
  expectPart(import(text), "onnx.Dropout(");
  text.outputs = "y mask";
  expectPart(import(text), "onnx.Custom \"\" \"Dropout\"");
  text.outputs = "y";
  text.nodes.push_back({"Abs", "mask", "z"});
  expectPart(import(text), "onnx.Custom \"\" \"Dropout\"");
  GraphText body{
      .nodes = {{"Relu", "mask", "b"}}, .inputs = "", .outputs = "b"};
  text.inputs = "x cond";
  text.nodes[1] = {
      "If", "cond", "z", {{"then_branch", body}, {"else_branch", body}}};
  expectPart(import(text), "onnx.Custom \"\" \"Dropout\"");
}

TEST_F(ImportTest, NodesThatPassThrough) {
  expectPart(import({.nodes = {{"Frobnicate", "x _ x", "y"}}}),
             "onnx.Custom \"\" \"Frobnicate\"(%arg0, %arg0) {given = "
             "array<i1: true, false, true>");
  expectPart(import({.nodes = {{"Relu", "x", "y"}}, .opset = 99}),
             "reason = \"its opset is newer than the records\"");
}

TEST_F(ImportTest, AttributesThatAreWrong) {
  GraphText body{.nodes = {{"Relu", "x", "b"}}, .inputs = "", .outputs = "b"};
  expectPart(
      import({.nodes = {{"If",
                         "x",
                         "y",
                         {{"then_branch", body}, {"then_branch", body}}}}}),
      "expected each attribute once, but got 'then_branch' twice");
  expectPart(import({.nodes = {{"Relu", "x", "y", {{"body", body}}}}}),
             "reason = \"Relu has no attribute 'body'\"");
  expectPart(import({.nodes = {{"Softmax", "x", "y", {{"axis", body}}}}}),
             "expected attribute 'axis' to be an int, but got a graph");
}
} // namespace
