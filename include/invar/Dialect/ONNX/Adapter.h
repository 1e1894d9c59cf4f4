// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inside Invar every operator has the form of the newest opset. On import, adapters
// upgrade a node from its older form; on export, they downgrade it again. The adapters
// of a family are in its file FOpsets.cpp. Each adapter names an operator and the
// version in which its form changed:
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
// 6, in order. On export to version 6 it passes through the same adapters in reverse
// order. A change that only allows more (another element type, a new attribute with a
// default) needs no adapter up. It needs an adapter down only to refuse nodes that the
// older form cannot express.
//
// An adapter may create operators of the newest form with context.builder before the
// node (on export they become nodes too, and are adapted in turn). It may also change
// the node into another operator, in the form that this operator has at the adapter's
// version (up) or just below it (down); the adapters of the new operator then continue.
// If the older form does more than the operator, the operator becomes part of a larger
// group of operators (NodeForm::wrap).
//
// A node that cannot be adapted is refused with a reason. On import it then passes
// through as an onnx.Custom; on export to another opset it is an error. On export to
// the model's own opset nothing is refused: every node that was read can be written
// back (AdaptContext::asRead), and no rule creates an operator that cannot be written
// (checkWritable).
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

/// A node between the ONNX file and the dialect, in the form of some version.
struct NodeForm {
  std::string domain;
  std::string opType;
  /// By slot; null if the input is left out.
  llvm::SmallVector<mlir::Value> inputs;
  /// By name. Graphs are not included; they are passed separately as `graphs`, also by
  /// name.
  mlir::NamedAttrList attributes;
  /// Which outputs the node has. An unused output may be ignored: old forms list
  /// outputs that the new form lacks.
  llvm::SmallVector<bool> outputs;

  /// Upgrade only, if the operator is only one part of the replacement of the node:
  /// creates the other operations around it, once the operator has its graphs. Returns
  /// the operation whose results are the node's outputs.
  std::function<mlir::Operation *(mlir::Operation *op)> wrap = nullptr;
  /// Downgrade only: the operation whose graphs the node gets, if not its own operation.
  mlir::Operation *graphsOf = nullptr;
  /// Downgrade only: an operator, in the form of the target version, that is applied to
  /// each output; its first input is the output. Null if there is none.
  std::shared_ptr<NodeForm> afterEach = nullptr;

  mlir::Value getInput(size_t slot) const {
    return slot < inputs.size() ? inputs[slot] : mlir::Value();
  }
  /// Extends the list of inputs if necessary.
  void setInput(size_t slot, mlir::Value value) {
    if (inputs.size() <= slot)
      inputs.resize(slot + 1);
    inputs[slot] = value;
  }
  bool hasOutput(size_t slot) const {
    return slot < outputs.size() && outputs[slot];
  }
  /// Changes the node into another operator with the same outputs.
  void become(llvm::StringRef type, llvm::ArrayRef<mlir::Value> newInputs) {
    opType = type.str();
    inputs.assign(newInputs.begin(), newInputs.end());
    attributes = mlir::NamedAttrList();
  }
  /// Whether two nodes are equal. Ignores trailing gaps in the inputs, and the outputs.
  bool saysTheSame(const NodeForm &other) const;
  /// Returns the attribute's value, or `otherwise` if it is not given or of another kind.
  int64_t getInt(llvm::StringRef name, int64_t otherwise) const;
  float getFloat(llvm::StringRef name, float otherwise) const;
  llvm::StringRef getString(llvm::StringRef name,
                            llvm::StringRef otherwise) const;
  std::optional<llvm::ArrayRef<int64_t>> getInts(llvm::StringRef name) const;
};

/// Empty if the node was adapted, otherwise the reason why it cannot be.
using Refusal = std::optional<std::string>;
inline constexpr std::nullopt_t adapted = std::nullopt;

/// The environment of an adapter: everything it uses besides the node.
class AdaptContext {
public:
  AdaptContext(mlir::OpBuilder &builder, mlir::Location loc, int64_t version)
      : builder(builder), loc(loc), version(version), target(version) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Upgrade: the version in which the node was written. Downgrade: the target version.
  int64_t version;
  /// Upgrade: the version in which the model will be written. Operators that an adapter
  /// creates must have a form in this version.
  int64_t target;
  /// Downgrade: the operation that becomes a node.
  mlir::Operation *op = nullptr;
  /// Downgrade: the node was read in `version`, and only the names of its inputs have
  /// changed. It is then written even if an adapter without `up` refuses it, and even
  /// if the operator is newer than `version`: engines must accept it, because the model
  /// was valid input.
  bool asRead = false;
  /// Returns the content of values that are not constants yet but will be when the
  /// model is written. May be null.
  std::function<std::optional<Elements>(mlir::Value)> lookUp = nullptr;

  mlir::Value constant(Elements elements) const;
  mlir::Value
  ints(llvm::ArrayRef<int64_t> values,
       DataType type = DataType::Int64) const;            // 1-D, int64 or int32
  mlir::Value floats(llvm::ArrayRef<float> values) const; // 1-D float
  mlir::Value scalar(DataType type, double value) const;  // 0-D

  /// Returns the content of a value that is a constant.
  std::optional<Elements> getConstant(mlir::Value value) const;
  /// The same as integers, for a constant of a signed integer type.
  std::optional<llvm::SmallVector<int64_t>> getInts(mlir::Value value) const;
  /// The same as one number, for a constant with one element.
  std::optional<double> getNumber(mlir::Value value) const;
  /// The same as a float attribute's value. Empty if the conversion to float would round.
  std::optional<float> getFloat(mlir::Value value) const;

  std::optional<DataType> getDataType(mlir::Value value) const;
  std::optional<int64_t> getRank(mlir::Value value) const;
  /// Returns the sizes if the rank is known; unknown sizes are ShapedType::kDynamic.
  std::optional<llvm::ArrayRef<int64_t>> getShape(mlir::Value value) const;

  /// Returns a tensor type with `like`'s element type: unranked, or with the given shape.
  mlir::Type getType(mlir::Value like) const;
  mlir::Type getType(mlir::Value like, llvm::ArrayRef<int64_t> shape) const;

  void setInt(NodeForm &node, llvm::StringRef name, int64_t value) const;
  void setFloat(NodeForm &node, llvm::StringRef name, float value) const;
  void setString(NodeForm &node, llvm::StringRef name,
                 llvm::StringRef value) const;

  /// Moves attribute `name`, a list of ints, to the input `slot`. Does nothing if the
  /// attribute is not given.
  void attributeToInput(NodeForm &node, llvm::StringRef name,
                        size_t slot) const;
  /// The inverse. Fails with a reason if the input is given but is not a constant.
  Refusal inputToAttribute(NodeForm &node, size_t slot,
                           llvm::StringRef name) const;
};

/// All names in an adapter must be literals: they are not copied.
struct Adapter {
  using Function =
      std::function<Refusal(NodeForm &node, AdaptContext &context)>;

  llvm::StringRef opType;
  /// The version in which the form changed.
  int64_t version;
  /// From a version below `version` to `version`; null if every older node is valid in
  /// the new form.
  Function up;
  /// From `version` to below it; null if every newer node is valid in the old form.
  Function down;
};

/// The version of an adapter that applies to nodes of all versions: the standard still
/// allows the form, but the dialect does not have it.
inline constexpr int64_t afterAllVersions = INT64_MAX;

//===-- Ways down that many operators share -------------------------------------------===//

/// For a new attribute. The adapter drops it if its value is the behaviour of the older
/// form, and refuses the node otherwise. For a list, all elements must have that value.
Adapter::Function dropIfDefault(llvm::StringRef attribute, int64_t value);
Adapter::Function dropIfDefault(llvm::StringRef attribute,
                                llvm::StringRef value);
/// For a new attribute that changes the operator's meaning whenever it is given.
Adapter::Function refuseIfGiven(llvm::StringRef attribute);

/// For an attribute, an axis of input 0 or a list of axes, that could not be negative
/// in older versions. The attribute stays unchanged if the rank is unknown.
Adapter::Function countFromFront(llvm::StringRef attribute);
/// The same for a list of axes of a tensor of rank `rank`.
Refusal countFromFront(llvm::MutableArrayRef<int64_t> axes,
                       std::optional<int64_t> rank);

//===-- The table ---------------------------------------------------------------------===//

/// The version that introduced an operator; for most operators it is 1.
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
  /// Operators to refuse below a version, unless an adapter changes them into others.
  void exist(std::initializer_list<FirstVersion> operators,
             llvm::StringRef domain = "");

  /// Returns the version that introduced an operator.
  int64_t getFirstVersion(llvm::StringRef domain, llvm::StringRef type) const;

  /// Upgrades `node`, written in `context.version` of its domain, to the newest form.
  Refusal upgrade(NodeForm &node, AdaptContext &context) const;
  /// Downgrades `node` from the newest form to `context.version` of its domain.
  Refusal downgrade(NodeForm &node, AdaptContext &context) const;

private:
  struct Entry {
    /// Sorted by version.
    llvm::SmallVector<Adapter, 2> adapters;
    int64_t firstVersion = 1;
  };
  const Entry &find(const NodeForm &node) const;

  /// Applies the adapters above `version`, or those below it.
  Refusal raise(NodeForm &node, AdaptContext &context, int64_t version) const;
  Refusal lower(NodeForm &node, AdaptContext &context, int64_t version) const;

  /// The key is DOMAIN::TYPE.
  llvm::StringMap<Entry> byOperator;
  Entry nothingToDo;
};

} // namespace invar::onnx

#endif // INVAR_DIALECT_ONNX_ADAPTER_H
