// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the conversion to and from dense attributes, and text and bytecode, which both
// hold the dense form.
#include "../Testing.h"
#include "Samples.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace invar;
using namespace invar::elements;
using namespace invar::testing;

namespace {
class DenseTest : public ::testing::TestWithParam<DataType> {
protected:
  DenseTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<ElementsDialect>();
    samples = makeSamples(context, GetParam());
  }

  LazyElementsAttr makeAttribute(const Sample &sample) {
    return LazyElementsAttr::get(&context, sample.content);
  }

  MLIRContext context;
  std::vector<Sample> samples;
};

TEST_P(DenseTest, HasTheTypeOfTheDense) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(makeAttribute(sample).getType(), sample.dense.getType());
    EXPECT_EQ(toDataType(sample.dense.getElementType()), GetParam());
  }
}

// Dense attributes are uniqued by content, so comparing the attributes is enough.
TEST_P(DenseTest, ToDense) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(toDense(makeAttribute(sample)), sample.dense);
  }
}

TEST_P(DenseTest, FromDense) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    FailureOr<Elements> content = toElements(cast<ElementsAttr>(sample.dense));
    ASSERT_TRUE(succeeded(content));
    EXPECT_EQ(content->getType(), GetParam());
    EXPECT_EQ(content->getShape(), sample.content.getShape());
    EXPECT_EQ(makeDense(context, *content), sample.dense);
  }
}

TEST_P(DenseTest, FromLazyIsTheSame) {
  for (const Sample &sample : samples)
    EXPECT_EQ(*toElements(cast<ElementsAttr>(makeAttribute(sample))),
              sample.content);
}

TEST_P(DenseTest, PrintsAsTheDenseDoes) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(print(makeAttribute(sample)), printWrapped(sample.dense));
  }
}

TEST_P(DenseTest, TextReadsBack) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(parseAttribute(print(makeAttribute(sample)), &context),
              sample.dense);
  }
}

TEST_P(DenseTest, BytecodeReadsBack) {
  for (const Sample &sample : samples) {
    SCOPED_TRACE(sample.name);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    Builder builder(&context);
    (*module)->setAttr("test.list",
                       builder.getArrayAttr(makeAttribute(sample)));
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    ASSERT_TRUE(succeeded(writeBytecodeToFile(*module, os)));
    auto again = parseSourceString<ModuleOp>(bytes, ParserConfig(&context));
    ASSERT_TRUE(again);
    EXPECT_EQ((*again)->getAttr("test.list"),
              builder.getArrayAttr(sample.dense));
  }
}

std::string nameOfType(const ::testing::TestParamInfo<DataType> &info) {
  return getName(info.param).str();
}
INSTANTIATE_TEST_SUITE_P(AllTypes, DenseTest, ::testing::ValuesIn(allDataTypes),
                         nameOfType);

// Raw bools may be any byte: nonzero is true.
TEST(Dense, OddBools) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  uint8_t raw[] = {0, 1, 2, 0x80, 0xff, 0};
  auto attribute = LazyElementsAttr::get(
      &context, get(ElementsBuilder().fromRaw(DataType::Bool, {6}, raw)));
  EXPECT_EQ(print(attribute), "#elements.lazy<dense<[false, true, true, true, "
                              "true, false]>> : tensor<6xi1>");
  bool plain[] = {false, true, true, true, true, false};
  EXPECT_EQ(toDense(attribute),
            DenseElementsAttr::get(attribute.getType(), ArrayRef<bool>(plain)));
  auto values = cast<ElementsAttr>(attribute).getValues<bool>();
  EXPECT_TRUE(std::equal(values.begin(), values.end(), plain));

  // Equal as bools, but not as bytes.
  uint8_t truths[] = {1, 2, 3};
  auto splat = LazyElementsAttr::get(
      &context, get(ElementsBuilder().fromRaw(DataType::Bool, {3}, truths)));
  EXPECT_EQ(print(splat), "#elements.lazy<dense<true>> : tensor<3xi1>");
}

// Long constants are printed in pieces; the text must have no gaps between them.
TEST(Dense, LongerThanAPiece) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::mt19937_64 random(1);
  for (auto [type, count] : {std::pair(DataType::Bool, int64_t(600'001)),
                             std::pair(DataType::Int4, int64_t(70'001)),
                             std::pair(DataType::Complex128, int64_t(5'000))}) {
    Elements content = makeStored(type, {count}, random);
    auto attribute = LazyElementsAttr::get(&context, content);
    EXPECT_EQ(parseAttribute(print(attribute), &context),
              makeDense(context, content));
  }
}

TEST(Dense, OddStrings) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  StringRef texts[] = {
      "",         "\"quoted\"", "back\\slash", StringRef("nul\0nul", 7),
      "\xff\xfe", "line\nline", "zwölf"};
  auto attribute = LazyElementsAttr::get(
      &context, get(ElementsBuilder().fromStrings(7, texts)));
  auto dense =
      DenseElementsAttr::get(attribute.getType(), ArrayRef<StringRef>(texts));
  EXPECT_EQ(toDense(attribute), dense);
  EXPECT_EQ(parseAttribute(print(attribute), &context), dense);
}

TEST(Dense, WhatHasNoElements) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  Builder builder(&context);
  auto odd = DenseElementsAttr::get(
      RankedTensorType::get({1}, builder.getIntegerType(3)), APInt(3, 1));
  EXPECT_TRUE(failed(toElements(cast<ElementsAttr>(odd))));
  auto index = DenseElementsAttr::get(
      RankedTensorType::get({1}, builder.getIndexType()), APInt(64, 1));
  EXPECT_TRUE(failed(toElements(cast<ElementsAttr>(index))));
  auto vector =
      DenseElementsAttr::get(VectorType::get({1}, builder.getF32Type()), 1.0f);
  EXPECT_TRUE(failed(toElements(cast<ElementsAttr>(vector))));
  auto missing = cast<ElementsAttr>(
      parseAttribute("dense_resource<__elided__> : tensor<2xf32>", &context));
  EXPECT_TRUE(failed(toElements(missing)));
}

TEST(Dense, FromResource) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto type = RankedTensorType::get({2}, Float32Type::get(&context));
  float numbers[] = {1.5f, -2.0f};
  auto attribute = DenseF32ResourceElementsAttr::get(
      type, "weights",
      HeapAsmResourceBlob::allocateAndCopyInferAlign<float>(numbers));
  FailureOr<Elements> content = toElements(cast<ElementsAttr>(attribute));
  ASSERT_TRUE(succeeded(content));
  EXPECT_EQ(lanesOf<float>(*content),
            std::vector<float>(std::begin(numbers), std::end(numbers)));
}

TEST(Dense, BadText) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ElementsDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  for (const char *text :
       {"#elements.eager<dense<1>> : tensor<i64>", "#elements.lazy<>",
        "#elements.lazy<dense<1> : tensor<i64>", "#elements.lazy<disposed>"}) {
    message.clear();
    EXPECT_FALSE(parseAttribute(text, &context)) << text;
    EXPECT_FALSE(message.empty()) << text;
  }
}
} // namespace
