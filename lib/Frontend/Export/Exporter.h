// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one export, shared by its parts: values and types (ExportValues.cpp),
// nodes (ExportNode.cpp), declarations of types (ExportInfos.cpp), graphs and functions
// (ExportGraph.cpp), the model (Export.cpp).
#ifndef INVAR_LIB_FRONTEND_EXPORT_EXPORTER_H
#define INVAR_LIB_FRONTEND_EXPORT_EXPORTER_H

#include "Contents.h"
#include "DataFile.h"
#include "DisputedSizes.h"
#include "ValueNames.h"

#include "invar/Dialect/ONNX/Adapter.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/Ops/Constant.h"
#include "invar/Dialect/ONNX/Ops/Graph.h"
#include "invar/Frontend/Wire/Fields.h"
#include "invar/Frontend/Wire/WireWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace invar {

/// An initializer as a field of its graph.
struct InitializerOutput {
  llvm::StringRef name;
  WireMessage field;
};

/// A graph being written.
struct GraphOutput {
  explicit GraphOutput(WireWriter &writer) : nodes(writer) {}

  WireMessage nodes;
  std::vector<InitializerOutput> initializers;
  std::vector<InitializerOutput> sparseInitializers;
  llvm::SmallVector<onnx::ConstantOp> initializerOps;
  /// The names that the graph's outputs are written with.
  llvm::SmallVector<llvm::StringRef> outputNames;
  /// Outputs that nothing uses and no operation has, but that copied nodes still name.
  llvm::DenseSet<llvm::StringRef> unusedOutputs;
  /// The version of each domain that nodes are written in.
  const llvm::StringMap<int64_t> *opsets = nullptr;
  /// A function itself has no initializers: its constants are nodes.
  bool isFunction = false;
  /// Nodes have another field number in a function than in a graph.
  uint32_t nodeField = field::graph::Node;
};

/// The role of a value in its graph.
enum class InfoPlace { Input, Output, Inside };

/// Names of sizes.
struct SizeNames {
  /// Names of the inputs' current sizes, without made-up names that the file does not
  /// declare.
  llvm::StringSet<> given;
  /// Names that the file declares for inputs, and that no input has any more.
  llvm::StringSet<> gone;
  /// All names of the inputs' sizes, including made-up ones.
  llvm::StringSet<> ofInputs;
};

class Exporter {
public:
  Exporter(mlir::ModuleOp module, const SourceMap *source, llvm::StringRef path,
           const ExportOptions &options);

  llvm::Expected<ExportSummary> run();

private:
  // Export.cpp
  llvm::Error readOpsets();
  llvm::Expected<WireMessage> exportModel();
  void exportOpsets(uint32_t field, const llvm::StringMap<int64_t> &versions,
                    llvm::ArrayRef<OperatorSetView> declared,
                    WireMessage &message);
  uint64_t countWeightBytes();
  llvm::Error approve(OutputFile &out);
  llvm::Expected<WireMessage> exportFunction(onnx::FunctionOp function);

  // ExportGraph.cpp
  llvm::Expected<WireMessage>
  exportGraph(mlir::Block &graph, const llvm::StringMap<int64_t> &opsets,
              bool isMain);
  llvm::Error exportInitializer(llvm::StringRef name, mlir::Attribute value,
                                llvm::StringRef verbatim, GraphOutput &out);
  llvm::Error exportDefault(llvm::StringRef name, mlir::Attribute value,
                            GraphOutput &out);
  void exportFacts(mlir::Block &graph, const GraphView *view,
                   const GraphOutput &out, WireMessage &message);
  llvm::Error exportBody(mlir::Block &graph, GraphOutput &out);

  // ExportInfos.cpp
  void readSizeNames();
  llvm::StringRef nameSize(llvm::StringRef known,
                           std::optional<llvm::StringRef> declared,
                           InfoPlace place) const;
  bool keepsNumbers(mlir::RankedTensorType type, const TypeView *declared,
                    InfoPlace place) const;
  mlir::Type settleSizes(mlir::Type type, const TypeView *declared,
                         InfoPlace place) const;
  mlir::Type getWrittenType(mlir::Value value) const;
  void exportInfo(InfoPlace place, llvm::StringRef name, mlir::Type type,
                  llvm::ArrayRef<ValueInfoView> declared, WireMessage &message);
  void exportInputs(mlir::Block &graph, bool isMain, const GraphOutput &out,
                    WireMessage &message);
  void exportOutputs(mlir::Block &graph, const GraphOutput &out,
                     WireMessage &message);
  void exportValueInfos(mlir::Block &graph,
                        llvm::ArrayRef<ValueInfoView> declared,
                        WireMessage &message);

  // ExportNode.cpp
  bool isLeft(mlir::Operation *op) const;
  /// The operation that computes a value, if it was left and must be written now;
  /// otherwise null.
  mlir::Operation *takeLeft(mlir::Value value);
  llvm::Error demandOperands(mlir::Operation *op);
  /// Writes the operation that computes `value`, if it was left until something needs it.
  llvm::Error demand(mlir::Value value);
  llvm::Error exportOperation(mlir::Operation *op, GraphOutput &out);
  llvm::Expected<bool> exportAsItIs(mlir::Operation *op, GraphOutput &out);
  llvm::Error exportConstant(onnx::ConstantOp op, GraphOutput &out);
  llvm::Error exportNode(mlir::Operation *op, GraphOutput &out);
  llvm::Error writeNode(mlir::Operation *op, const onnx::NodeForm &node,
                        GraphOutput &out);
  llvm::StringRef nameOutput(mlir::OpResult result, size_t slot);
  llvm::Expected<onnx::NodeForm> makeForm(mlir::Operation *op,
                                          GraphOutput &out);
  llvm::Error exportRegions(mlir::Operation *op, const GraphOutput &out,
                            WireMessage &message);
  /// Writes a node of one input and one output.
  llvm::Error exportAfter(const onnx::NodeForm &node, llvm::StringRef input,
                          llvm::StringRef output, GraphOutput &out);
  llvm::Error exportIdentity(mlir::Value value, llvm::StringRef name,
                             GraphOutput &out);

  // ExportValues.cpp
  llvm::Expected<WireMessage> exportAttribute(llvm::StringRef name,
                                              mlir::Attribute value,
                                              bool isWeight = false);
  llvm::Expected<WireMessage> exportTensor(mlir::ElementsAttr value,
                                           llvm::StringRef name,
                                           bool mayBeExternal);
  llvm::Expected<WireMessage> exportSparse(onnx::SparseAttr value,
                                           llvm::StringRef name);
  WireMessage exportType(mlir::Type type);
  /// `declared` are the entries of the file. They are copied if they still have the same
  /// content.
  void exportEntries(uint32_t field, mlir::DictionaryAttr entries,
                     WireMessage &message,
                     llvm::ArrayRef<EntryView> declared = {});

  void addVerbatim(llvm::StringRef bytes, WireMessage &message);
  /// The bytes that `op` may be copied as; empty if there are none, or if they contain a
  /// weight that is stored elsewhere.
  llvm::StringRef findVerbatim(mlir::Operation *op);

  mlir::ModuleOp module;
  mlir::SymbolTableCollection symbols;
  const SourceMap *source;
  std::string path;
  ExportOptions options;
  WireWriter writer;
  onnx::AdapterTable adapters;
  ValueNames names;
  Fingerprints fingerprints;
  std::optional<DataFile> data;
  mlir::DictionaryAttr facts;
  SizeNames sizeNames;
  std::optional<DisputedSizes> disputed;
  llvm::StringMap<int64_t> opsets;
  int64_t irVersion = 0;
  /// Whether nodes are written in another opset than that of the model.
  bool convertsOpset = false;
  /// The graphs that are being written, by their block.
  llvm::DenseMap<mlir::Block *, GraphOutput *> open;
  llvm::DenseSet<mlir::Operation *> written;
  /// The contents that have been written so far, and the nodes that may be copied.
  ModelContents contents;
  NodePlaces places;
  /// Operations that adapters have created. Kept to the end, since names are kept by
  /// value.
  std::vector<std::unique_ptr<mlir::Block>> scratch;
};

} // namespace invar

#endif // INVAR_LIB_FRONTEND_EXPORT_EXPORTER_H
