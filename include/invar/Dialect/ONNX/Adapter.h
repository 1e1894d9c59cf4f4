// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside Invar every operator has the form of the newest opset. Adapters bring a node's
// older form up to it on import and back down on export. Each stands beside its family,
// in FOpsets.cpp, and says for one operator in which version its form changed:
//
//   // Reshape's shape became an operand in version 5.
//   static Refusal reshapeUp(NodeForm &node, AdaptContext &context) {
//     context.attributeToInput(node, "shape", 1);
//     return adapted;
//   }
//   static Refusal reshapeDown(NodeForm &node, AdaptContext &context) {
//     return context.inputToAttribute(node, 1, "shape");
//   }
//   void invar::onnx::addReshapeAdapters(AdapterTable &table) {
//     table.add({"Reshape", 5, reshapeUp, reshapeDown});
//   }
//
// A node of version 6 passes through every adapter of its operator with a version above
// 6, in order; on export to version 6 back through the same ones, in reverse. Changes
// that only allow more (another element type, a new attribute with a default) need no
// adapter up; going down they need one only to refuse what the older form cannot say.
//
// An adapter may make operators of the newest form with context.builder before the node
// (on export they become nodes too) and may change the node itself into another one.
// What cannot be adapted is refused with a reason: on import the node then passes through
// as an onnx.Custom, on export to another opset it is an error.
#ifndef INVAR_DIALECT_ONNX_ADAPTER_H
#define INVAR_DIALECT_ONNX_ADAPTER_H

#include "invar/Elements/Elements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>

namespace invar::onnx {

/// A node between the wire and the dialect, in the form of some version.
struct NodeForm {
  std::string domain;
  std::string opType;
  /// By slot; null where left out.
  llvm::SmallVector<mlir::Value> inputs;
  /// By name. Graphs are not among them: they are `graphs`, by name too.
  mlir::NamedAttrList attributes;
  /// Which of its outputs the node has.
  llvm::SmallVector<bool> outputs;

  mlir::Value getInput(size_t slot) const {
    return slot < inputs.size() ? inputs[slot] : mlir::Value();
  }
  /// Makes the list of inputs long enough first.
  void setInput(size_t slot, mlir::Value value) {
    if (inputs.size() <= slot)
      inputs.resize(slot + 1);
    inputs[slot] = value;
  }
  /// The attribute's value, or `otherwise` when it is not given or of another kind.
  int64_t getInt(llvm::StringRef name, int64_t otherwise) const;
  float getFloat(llvm::StringRef name, float otherwise) const;
  llvm::StringRef getString(llvm::StringRef name, llvm::StringRef otherwise) const;
  std::optional<llvm::ArrayRef<int64_t>> getInts(llvm::StringRef name) const;
};

/// Nothing when the node was adapted, else why it cannot be.
using Refusal = std::optional<std::string>;
inline constexpr std::nullopt_t adapted = std::nullopt;

/// What an adapter works with beside the node.
class AdaptContext {
public:
  AdaptContext(mlir::OpBuilder &builder, mlir::Location loc, int64_t version)
      : builder(builder), loc(loc), version(version) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Going up, the version that the node was written in; going down, the one wanted.
  int64_t version;

  /// New constants.
  mlir::Value constant(Elements elements) const;
  mlir::Value ints(llvm::ArrayRef<int64_t> values) const;   // 1-D int64
  mlir::Value floats(llvm::ArrayRef<float> values) const;   // 1-D float
  mlir::Value scalar(DataType type, double value) const;    // 0-D

  /// The content of a value that is a constant.
  std::optional<Elements> getConstant(mlir::Value value) const;
  /// The same as integers, for a constant of an integer type.
  std::optional<llvm::SmallVector<int64_t>> getInts(mlir::Value value) const;
  /// The same as one number, for a constant of one element.
  std::optional<double> getNumber(mlir::Value value) const;

  std::optional<DataType> getDataType(mlir::Value value) const;
  std::optional<int64_t> getRank(mlir::Value value) const;

  /// Moves attribute `name`, a list of ints, to the input `slot`; nothing if not given.
  void attributeToInput(NodeForm &node, llvm::StringRef name, size_t slot) const;
  /// The way back: fails with a reason when the input is there and no constant.
  Refusal inputToAttribute(NodeForm &node, size_t slot, llvm::StringRef name) const;
};

struct Adapter {
  using Function = Refusal (*)(NodeForm &node, AdaptContext &context);

  llvm::StringLiteral opType;
  /// The version in which the form changed.
  int64_t version;
  /// From below `version` to it; null when every older node is one of the new form.
  Function up;
  /// From `version` to below it; null when every newer node is one of the old form.
  Function down;
};

/// All adapters, by operator.
class AdapterTable {
public:
  AdapterTable();

  void add(const Adapter &adapter, llvm::StringRef domain = "");

  /// Brings `node`, written in `context.version` of its domain, to the newest form.
  Refusal upgrade(NodeForm &node, AdaptContext &context) const;
  /// Brings `node` from the newest form to `context.version` of its domain.
  Refusal downgrade(NodeForm &node, AdaptContext &context) const;

private:
  llvm::ArrayRef<Adapter> find(const NodeForm &node) const;

  /// Sorted by version. The key is DOMAIN::TYPE.
  llvm::StringMap<llvm::SmallVector<Adapter, 2>> byOperator;
};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_ADAPTER_H
