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
// (on export they become nodes too, and are adapted in turn), and may change the node
// itself into another operator, in the form that one has at the adapter's version (up) or
// just below it (down); the adapters of the new operator then take it further. A node whose
// older form does more than the operator is an operator inside of another (NodeForm::wrap).
// What cannot be adapted is refused with a reason: on import the node then passes through
// as an onnx.Custom, on export to another opset it is an error. On export to the model's own
// opset nothing is refused: what was read has a way back (AdaptContext::asRead), and no rule
// makes what has none (checkWritable).
#ifndef INVAR_DIALECT_ONNX_ADAPTER_H
#define INVAR_DIALECT_ONNX_ADAPTER_H

#include "invar/Elements/Elements.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <initializer_list>
#include <memory>
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
  /// Which of its outputs the node has. One that nobody uses need not count: old forms
  /// list outputs that the new one has no word for.
  llvm::SmallVector<bool> outputs;

  /// Going up, where the operator is only a part of what stands for the node: makes the rest
  /// around it, once it has its graphs, and returns what has the node's outputs.
  std::function<mlir::Operation *(mlir::Operation *op)> wrap = nullptr;
  /// Going down: whose graphs the node has, if not those of its own operation.
  mlir::Operation *graphsOf = nullptr;
  /// Going down: an operator, in the form of the version wanted, that each output still goes
  /// through; its first input is the output. Null where there is none.
  std::shared_ptr<NodeForm> afterEach = nullptr;

  mlir::Value getInput(size_t slot) const {
    return slot < inputs.size() ? inputs[slot] : mlir::Value();
  }
  /// Makes the list of inputs long enough first.
  void setInput(size_t slot, mlir::Value value) {
    if (inputs.size() <= slot)
      inputs.resize(slot + 1);
    inputs[slot] = value;
  }
  bool hasOutput(size_t slot) const {
    return slot < outputs.size() && outputs[slot];
  }
  /// Becomes another operator of the same outputs.
  void become(llvm::StringRef type, llvm::ArrayRef<mlir::Value> newInputs) {
    opType = type.str();
    inputs.assign(newInputs.begin(), newInputs.end());
    attributes = mlir::NamedAttrList();
  }
  /// Whether two nodes are one, but for gaps at the end and outputs that are left out.
  bool saysTheSame(const NodeForm &other) const;
  /// The attribute's value, or `otherwise` when it is not given or of another kind.
  int64_t getInt(llvm::StringRef name, int64_t otherwise) const;
  float getFloat(llvm::StringRef name, float otherwise) const;
  llvm::StringRef getString(llvm::StringRef name,
                            llvm::StringRef otherwise) const;
  std::optional<llvm::ArrayRef<int64_t>> getInts(llvm::StringRef name) const;
};

/// Nothing when the node was adapted, else why it cannot be.
using Refusal = std::optional<std::string>;
inline constexpr std::nullopt_t adapted = std::nullopt;

/// What an adapter works with beside the node.
class AdaptContext {
public:
  AdaptContext(mlir::OpBuilder &builder, mlir::Location loc, int64_t version)
      : builder(builder), loc(loc), version(version), target(version) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Going up, the version that the node was written in; going down, the one wanted.
  int64_t version;
  /// Going up, the version that the model is going to be written in: what an adapter makes
  /// must have a way down to it.
  int64_t target;
  /// Going down, the operation that is to be a node.
  mlir::Operation *op = nullptr;
  /// Going down: the node was read in `version`, and nothing but the names of its inputs has
  /// changed. So it is written, whatever an adapter says that has no way up, and even where
  /// the operator is newer: engines take it, or the model would not be there.
  bool asRead = false;
  /// What is known of values that are not constants yet, but will be when the model is
  /// written; null where nothing is.
  std::function<std::optional<Elements>(mlir::Value)> lookUp = nullptr;

  /// New constants.
  mlir::Value constant(Elements elements) const;
  mlir::Value ints(llvm::ArrayRef<int64_t> values,
                   DataType type = DataType::Int64) const; // 1-D, or int32
  mlir::Value floats(llvm::ArrayRef<float> values) const;  // 1-D float
  mlir::Value scalar(DataType type, double value) const;   // 0-D

  /// The content of a value that is a constant.
  std::optional<Elements> getConstant(mlir::Value value) const;
  /// The same as integers, for a constant of an integer type.
  std::optional<llvm::SmallVector<int64_t>> getInts(mlir::Value value) const;
  /// The same as one number, for a constant of one element.
  std::optional<double> getNumber(mlir::Value value) const;
  /// The same as the value of an attribute: none if that would round it.
  std::optional<float> getFloat(mlir::Value value) const;

  std::optional<DataType> getDataType(mlir::Value value) const;
  std::optional<int64_t> getRank(mlir::Value value) const;
  /// The sizes as far as they are known (ShapedType::kDynamic where not), if the rank is.
  std::optional<llvm::ArrayRef<int64_t>> getShape(mlir::Value value) const;

  /// The type of a tensor of `like`'s element type: of any shape, or of this one.
  mlir::Type getType(mlir::Value like) const;
  mlir::Type getType(mlir::Value like, llvm::ArrayRef<int64_t> shape) const;

  void setInt(NodeForm &node, llvm::StringRef name, int64_t value) const;
  void setFloat(NodeForm &node, llvm::StringRef name, float value) const;
  void setString(NodeForm &node, llvm::StringRef name,
                 llvm::StringRef value) const;

  /// Moves attribute `name`, a list of ints, to the input `slot`; nothing if not given.
  void attributeToInput(NodeForm &node, llvm::StringRef name,
                        size_t slot) const;
  /// The way back: fails with a reason when the input is there and no constant.
  Refusal inputToAttribute(NodeForm &node, size_t slot,
                           llvm::StringRef name) const;
};

/// All names here are literals: they are not copied.
struct Adapter {
  using Function =
      std::function<Refusal(NodeForm &node, AdaptContext &context)>;

  llvm::StringRef opType;
  /// The version in which the form changed.
  int64_t version;
  /// From below `version` to it; null when every older node is one of the new form.
  Function up;
  /// From `version` to below it; null when every newer node is one of the old form.
  Function down;
};

/// The version of an adapter for what no version of the dialect's own form has.
inline constexpr int64_t afterAllVersions = INT64_MAX;

//===-- Ways down that many operators share -------------------------------------------===//

/// For an attribute that is new: dropped when it says what the older form does anyhow,
/// refused else. A list says it when all of its elements do.
Adapter::Function dropIfDefault(llvm::StringRef attribute, int64_t value);
Adapter::Function dropIfDefault(llvm::StringRef attribute,
                                llvm::StringRef value);
/// For a new attribute that changes what the operator does whenever it is given.
Adapter::Function refuseIfGiven(llvm::StringRef attribute);

/// For an attribute, an axis of input 0 or a list of them, that could not count from the
/// back yet. Left as it is when the rank is not known.
Adapter::Function countFromFront(llvm::StringRef attribute);
/// The same for axes at hand, into a tensor of `rank`.
Refusal countFromFront(llvm::MutableArrayRef<int64_t> axes,
                       std::optional<int64_t> rank);

//===-- The table ---------------------------------------------------------------------===//

/// The version in which an operator came; most came in the first.
struct FirstVersion {
  llvm::StringRef opType;
  int64_t version;
};

/// All adapters, by operator.
class AdapterTable {
public:
  AdapterTable();

  void add(const Adapter &adapter, llvm::StringRef domain = "");
  void add(std::initializer_list<Adapter> adapters,
           llvm::StringRef domain = "");
  /// Operators to refuse below a version, unless an adapter turns them into others.
  void exist(std::initializer_list<FirstVersion> operators,
             llvm::StringRef domain = "");

  /// The version in which an operator came.
  int64_t getFirstVersion(llvm::StringRef domain, llvm::StringRef type) const;

  /// Brings `node`, written in `context.version` of its domain, to the newest form.
  Refusal upgrade(NodeForm &node, AdaptContext &context) const;
  /// Brings `node` from the newest form to `context.version` of its domain.
  Refusal downgrade(NodeForm &node, AdaptContext &context) const;

private:
  struct Entry {
    /// Sorted by version.
    llvm::SmallVector<Adapter, 2> adapters;
    int64_t firstVersion = 1;
  };
  const Entry &find(const NodeForm &node) const;

  /// Through the adapters above `version`, and through those below it.
  Refusal raise(NodeForm &node, AdaptContext &context, int64_t version) const;
  Refusal lower(NodeForm &node, AdaptContext &context, int64_t version) const;

  /// The key is DOMAIN::TYPE.
  llvm::StringMap<Entry> byOperator;
  Entry nothingToDo;
};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_ADAPTER_H
