// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one import, shared by its parts: values and attributes (ImportValues.cpp),
// nodes (ImportNode.cpp), graphs (ImportGraph.cpp), the model and its functions
// (Import.cpp).
#ifndef INVAR_LIB_FRONTEND_IMPORT_IMPORTER_H
#define INVAR_LIB_FRONTEND_IMPORT_IMPORTER_H

#include "invar/Dialect/ONNX/Adapter.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Frontend/Import/Import.h"
#include "invar/Frontend/Wire/TensorData.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace invar {

/// The version of each domain that a graph or function imports.
using OpsetVersions = llvm::StringMap<int64_t>;

/// Names visible in a graph: its own, then those of the graphs around it.
struct Scope {
  const Scope *parent = nullptr;
  const OpsetVersions *opsets = nullptr;
  /// The path of the graph, e.g. "graph.node[3].attribute[0].g".
  std::string path;
  llvm::DenseMap<llvm::StringRef, mlir::Value> values;
  /// The nodes and outputs of the graph, to determine which names are used.
  llvm::ArrayRef<NodeView> nodes;
  llvm::SmallVector<llvm::StringRef> outputs;
  /// Names that some node, subgraph or output uses; computed on the first query.
  std::optional<llvm::DenseSet<llvm::StringRef>> used;

  bool isUsed(llvm::StringRef name);

  mlir::Value lookup(llvm::StringRef name) const {
    for (const Scope *scope = this; scope; scope = scope->parent)
      if (mlir::Value value = scope->values.lookup(name))
        return value;
    return nullptr;
  }
};

llvm::SmallVector<llvm::StringRef> namesOf(llvm::ArrayRef<ValueInfoView> infos);

/// A graph among a node's attributes.
struct NamedGraph {
  llvm::StringRef attribute;
  const GraphView *view;
};

class Importer {
public:
  Importer(mlir::MLIRContext &context, SourceMap &source,
           const ImportOptions &options);

  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> run();

  /// Warnings about everything that was tolerated, one for each kind.
  std::vector<std::string> takeWarnings();

private:
  // Import.cpp
  mlir::DictionaryAttr importModelFacts(const ModelView &model);
  llvm::Expected<OpsetVersions>
  importOpsets(llvm::ArrayRef<OperatorSetView> opsets);
  llvm::Error importMain(const GraphView &graph, const OpsetVersions &opsets);
  llvm::Error importFunction(const FunctionView &function, unsigned index);

  // ImportGraph.cpp
  llvm::Error importInputs(const GraphView &graph, Scope &scope,
                           mlir::Block &block,
                           llvm::function_ref<bool(llvm::StringRef)> isInput,
                           bool trustShapes);
  llvm::Error
  importInitializers(const GraphView &graph, Scope &scope,
                     llvm::function_ref<bool(llvm::StringRef)> isDefault,
                     llvm::StringMap<mlir::Attribute> &defaults);
  llvm::Error importNodes(llvm::ArrayRef<NodeView> nodes, Scope &scope);
  llvm::Expected<llvm::SmallVector<mlir::Value>>
  importOutputs(const GraphView &graph, Scope &scope);
  llvm::Error importSubgraph(const GraphView &graph, const Scope &parent,
                             std::string path, mlir::Region &region);
  llvm::Expected<mlir::DictionaryAttr> importGraphFacts(const GraphView &graph);
  llvm::Error define(Scope &scope, llvm::StringRef name, mlir::Value value);

  // ImportNode.cpp
  llvm::Error importNode(const NodeView &node, unsigned index, Scope &scope);
  llvm::Expected<int64_t> getVersion(const onnx::NodeForm &node,
                                     const Scope &scope, llvm::StringRef where);
  llvm::Error tolerateEarly(const onnx::NodeForm &node, int64_t version,
                            llvm::StringRef where);
  llvm::Expected<mlir::DictionaryAttr>
  carryAttributes(onnx::NodeForm &node, int64_t version, llvm::StringRef where);
  llvm::Error importStandard(onnx::NodeForm &node,
                             llvm::ArrayRef<NamedGraph> graphs,
                             const Scope &scope, mlir::Location loc,
                             mlir::Operation *&op);
  llvm::Error importOpen(const NodeView &view, const onnx::NodeForm &node,
                         llvm::ArrayRef<NamedGraph> graphs, const Scope &scope,
                         mlir::Location loc, llvm::StringRef reason,
                         mlir::Operation *&op);
  llvm::Error importGraphs(mlir::Operation *op,
                           llvm::ArrayRef<NamedGraph> graphs,
                           const Scope &scope);
  llvm::StringSet<> getUsedNames(mlir::Operation *op) const;
  /// `referring` is the value of referringTensors before the node. `carried` are the
  /// attributes without meaning that are kept with it.
  llvm::Error finishNode(const NodeView &view, mlir::Operation *op,
                         Scope &scope, unsigned referring,
                         mlir::DictionaryAttr carried = nullptr);
  std::optional<std::string> upgrade(const NodeView &view, onnx::NodeForm &node,
                                     llvm::ArrayRef<NamedGraph> graphs,
                                     Scope &scope, mlir::Location loc,
                                     int64_t version);

  // ImportValues.cpp; errors do not begin with the file's name.
  llvm::Expected<mlir::Attribute>
  importAttribute(const AttributeView &attribute);
  llvm::Expected<mlir::ElementsAttr> importTensor(const TensorView &tensor);
  llvm::Expected<onnx::SparseAttr> importSparse(const SparseTensorView &sparse);

  llvm::StringRef nameOf(mlir::Value value) const {
    return names.lookup(value);
  }
  llvm::Error fail(const llvm::Twine &where, const llvm::Twine &message) const;
  /// Fails with `message` if the import is strict. Otherwise adds a warning with
  /// `message` and `consequence`, only once for each kind.
  llvm::Error tolerate(const llvm::Twine &where, const llvm::Twine &message,
                       llvm::StringRef consequence);

  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  SourceMap &source;
  const WireModel &wire;
  ExternalFiles files;
  onnx::AdapterTable adapters;
  ElementsBuilder elements;
  Fingerprints fingerprints;
  llvm::DenseMap<mlir::Value, llvm::StringRef> names;
  /// Functions of the model, by DOMAIN::NAME::OVERLOAD.
  llvm::StringMap<mlir::FlatSymbolRefAttr> functions;
  ImportOptions options;
  /// By message: where something was tolerated first, and how often.
  struct Tolerated {
    std::string where;
    unsigned count = 0;
  };
  llvm::MapVector<std::string, Tolerated, std::map<std::string, unsigned>>
      tolerated;
  /// The number of tensors so far whose data is in other files.
  unsigned referringTensors = 0;
};

} // namespace invar

#endif // INVAR_LIB_FRONTEND_IMPORT_IMPORTER_H
