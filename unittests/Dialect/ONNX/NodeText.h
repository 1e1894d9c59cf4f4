// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes as short texts, so that a test of an adapter is one row:
//
//   Add(%0, Unsqueeze(%1, [2])) {broadcast=1}
//
// %0 is the first operand that is not constant. Constants are printed as their elements;
// results of other operators are printed in place.
#ifndef INVAR_UNITTESTS_DIALECT_ONNX_NODETEXT_H
#define INVAR_UNITTESTS_DIALECT_ONNX_NODETEXT_H

#include "invar/Dialect/ONNX/Adapter.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace invar::onnx {

/// A node to create: operands are types, constants ("dense<1> : tensor<i64>") or "" for
/// none.
struct NodeText {
  llvm::StringRef opType;
  std::vector<llvm::StringRef> operands;
  /// A dictionary in MLIR's syntax.
  llvm::StringRef attributes = "{}";
  unsigned outputs = 1;
  llvm::StringRef domain = "";
};

/// Creates nodes in a separate block, adapts and prints them.
class NodeBench {
public:
  NodeBench() : builder(&context) {
    context.loadDialect<ONNXDialect, elements::ElementsDialect>();
    builder.setInsertionPointToEnd(&block);
  }

  NodeForm make(const NodeText &text) {
    NodeForm node;
    node.domain = text.domain.str();
    node.opType = text.opType.str();
    for (llvm::StringRef operand : text.operands)
      node.inputs.push_back(makeValue(operand));
    auto attributes = mlir::parseAttribute(text.attributes, &context);
    for (mlir::NamedAttribute attribute :
         llvm::cast<mlir::DictionaryAttr>(attributes))
      node.attributes.push_back(attribute);
    node.outputs.assign(text.outputs, true);
    return node;
  }

  Refusal upgrade(NodeForm &node, int64_t version) {
    AdaptContext adapt(builder, builder.getUnknownLoc(), version);
    return table.upgrade(node, adapt);
  }
  Refusal downgrade(NodeForm &node, int64_t version) {
    AdaptContext adapt(builder, builder.getUnknownLoc(), version);
    return table.downgrade(node, adapt);
  }

  std::string print(const NodeForm &node) {
    std::string text;
    llvm::raw_string_ostream os(text);
    print(os, node.opType, node.inputs, node.attributes);
    return text;
  }

private:
  mlir::Value makeValue(llvm::StringRef text) {
    if (text.empty())
      return {};
    if (!text.starts_with("dense"))
      return block.addArgument(mlir::parseType(text, &context),
                               builder.getUnknownLoc());
    auto value =
        llvm::cast<mlir::ElementsAttr>(mlir::parseAttribute(text, &context));
    return ConstantOp::create(builder, builder.getUnknownLoc(), value);
  }

  void print(llvm::raw_ostream &os, llvm::StringRef type,
             mlir::ValueRange operands,
             llvm::ArrayRef<mlir::NamedAttribute> attributes) {
    os << type << '(';
    llvm::interleaveComma(operands, os,
                          [&](mlir::Value value) { print(os, value); });
    os << ')';
    if (attributes.empty())
      return;
    llvm::SmallVector<mlir::NamedAttribute> sorted(attributes);
    llvm::sort(sorted);
    os << " {";
    llvm::interleaveComma(sorted, os, [&](mlir::NamedAttribute attribute) {
      os << attribute.getName().getValue() << '=';
      print(os, attribute.getValue());
    });
    os << '}';
  }

  void print(llvm::raw_ostream &os, mlir::Value value) {
    if (!value) {
      os << '_';
    } else if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      os << '%' << argument.getArgNumber();
    } else if (auto constant = value.getDefiningOp<ConstantOp>()) {
      print(os, constant.getValue());
    } else {
      mlir::Operation *op = value.getDefiningOp();
      // Skip attributes that only the exporter needs.
      llvm::SmallVector<mlir::NamedAttribute> own(op->getAttrs());
      llvm::erase_if(own, [](mlir::NamedAttribute attribute) {
        return attribute.getName().getValue().starts_with("onnx.");
      });
      print(os, op->getName().stripDialect(), op->getOperands(), own);
    }
  }

  void print(llvm::raw_ostream &os, mlir::Attribute attribute) {
    if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute)) {
      os << number.getInt();
    } else if (auto number = llvm::dyn_cast<mlir::FloatAttr>(attribute)) {
      os << llvm::format("%g", number.getValueAsDouble());
    } else if (auto list = llvm::dyn_cast<mlir::DenseI64ArrayAttr>(attribute)) {
      os << '[';
      llvm::interleaveComma(list.asArrayRef(), os);
      os << ']';
    } else if (auto tensor = llvm::dyn_cast<mlir::ElementsAttr>(attribute)) {
      print(os, *elements::toElements(tensor));
    } else {
      attribute.print(os, /*elideType=*/true);
    }
  }

  /// Prints scalars bare, vectors in brackets, and types other than int64 and float by
  /// name.
  void print(llvm::raw_ostream &os, const Elements &content) {
    llvm::SmallVector<WideNum> numbers(content.numElements());
    content.readWideNums(0, numbers);
    if (content.getRank() != 0)
      os << '[';
    llvm::interleaveComma(numbers, os, [&](WideNum number) {
      if (getKind(content.getType()) == NumberKind::Float)
        os << llvm::format("%g", number.f);
      else
        os << number.i;
    });
    if (content.getRank() != 0)
      os << ']';
    if (content.getType() != DataType::Int64 &&
        content.getType() != DataType::Float32)
      os << ':' << getName(content.getType());
  }

  // The block owns the values and must be destroyed before the context.
  mlir::MLIRContext context;
  mlir::Block block;
  mlir::OpBuilder builder;
  AdapterTable table;
};

} // namespace invar::onnx

#endif // INVAR_UNITTESTS_DIALECT_ONNX_NODETEXT_H
