// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a module of the ONNX dialect as a model file. Parts that are unchanged since
// import are copied byte for byte by the operating system. The adapters convert other
// nodes back to the opset of the model. Constants are evaluated tile by tile, directly
// into the file. The file appears completely or not at all, and may be the one that was
// imported.
//
// External weights of a model OUT go to a new file, OUT.data or OUT.1.data and so on, so
// that a model that is replaced stays complete until the new one takes its place. Then
// data files of the old model that have such a name and that only it used are removed;
// other files never are.
#ifndef INVAR_FRONTEND_EXPORT_EXPORT_H
#define INVAR_FRONTEND_EXPORT_EXPORT_H

#include "invar/Elements/Elements.h"
#include "invar/Frontend/Import/SourceMap.h"
#include "invar/Support/Progress.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace invar {

/// Where the weights are stored.
enum class DataPlacement {
  /// In the model while it stays below 2 GB, otherwise in a file beside it.
  Automatic,
  /// In a file beside the model.
  External,
  /// Not at all: unchanged weights stay in the files that contain them.
  Reference,
};

struct ExportOptions {
  DataPlacement placement = DataPlacement::Automatic;
  /// Name of the file beside the model; if empty, it is derived from the model's name.
  std::string dataFile;
  /// The opset to write all nodes in; the model's own when not set.
  std::optional<int64_t> opset;
  /// Write the types of all values that are known, not only of those that the file had.
  bool valueInfos = false;
  /// Inputs have other shapes than the file was made for, so the sizes that it declares
  /// for other values are of no use.
  bool declaredIsOutdated = false;
  /// With DataPlacement::Automatic: the most bytes of weights that go into the model. The
  /// limit of protobuf is 2 GiB, and the graph itself needs some of that.
  uint64_t mostInline = (uint64_t(1) << 31) - (uint64_t(1) << 26);
  /// Determine what would be written, but write nothing.
  bool measureOnly = false;
  /// Checks the written model before it appears, by the name of a hidden file beside it.
  /// An error leaves everything as it was.
  std::function<llvm::Error(llvm::StringRef path)> approve;
  /// Leave out constants that no node refers to. A constant that has a user here may have
  /// none in an older opset, where an attribute has its value instead.
  bool dropUnused = false;
  /// Wait until the disk has the data, to survive a power failure and not only a kill.
  bool durable = false;
  /// How constants are computed while they are written.
  EvalOptions evaluation;
  /// Receives the progress of writing.
  Progress *progress = nullptr;
};

/// The contents of a model, including the graphs in its nodes and its functions.
struct ModelContents {
  /// Nodes by operator, "Conv" or "com.example.Fancy".
  std::map<std::string, size_t> operators;
  size_t nodes = 0;
  /// Initializers, defaults of inputs and Constant nodes.
  size_t constants = 0;
  uint64_t constantBytes = 0;
};

/// The contents of a model that is unchanged since import.
ModelContents getContents(mlir::ModuleOp module, const SourceMap &source);

/// The result of an export.
struct ExportSummary {
  ModelContents contents;
  uint64_t modelBytes = 0;
  uint64_t dataBytes = 0;
  /// The file beside the model, empty if there is none.
  std::string dataFile;
};

/// `source` is where `module` was imported from, or null.
llvm::Expected<ExportSummary> exportModel(mlir::ModuleOp module,
                                          const SourceMap *source,
                                          llvm::StringRef path,
                                          const ExportOptions &options = {});

} // namespace invar

#endif // INVAR_FRONTEND_EXPORT_EXPORT_H
