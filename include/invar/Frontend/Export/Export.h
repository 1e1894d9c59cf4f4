// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a module of the ONNX dialect as a model file. What nothing has touched since
// import is copied byte for byte, by the kernel; other nodes go back to the model's own
// opset through the adapters; constants are evaluated tile by tile straight into the
// file. The file appears whole or not at all, and may be the one that was imported.
//
// Weights beside a model OUT go to a new file, OUT.data or OUT.1.data and so on, so that a
// model that is replaced stays whole until the moment when the new one is. Then the data
// that the old one had for itself, by such a name, is removed; other files never are.
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

/// Where the weights go.
enum class DataPlacement {
  /// Into the model while it stays below 2 GB, else into a file beside it.
  Automatic,
  /// Into a file beside the model.
  External,
  /// Nowhere: untouched weights stay in the files that they are in.
  Reference,
};

struct ExportOptions {
  DataPlacement placement = DataPlacement::Automatic;
  /// Name of the file beside the model; chosen from the model's when empty.
  std::string dataFile;
  /// The opset to write all nodes in; the model's own when not set.
  std::optional<int64_t> opset;
  /// Write down the type of every value that is known, not only those the file had.
  bool valueInfos = false;
  /// Inputs have other shapes than the file was made for, so the numbers that it declares for
  /// other values are of no use.
  bool declaredIsOutdated = false;
  /// With DataPlacement::Automatic: the most bytes of weights that go into the model.
  /// Protobuf ends at 2 GiB, and the graph itself needs some of that.
  uint64_t mostInline = (uint64_t(1) << 31) - (uint64_t(1) << 26);
  /// Find out what would be written, and write nothing.
  bool measureOnly = false;
  /// Judges the written model before it appears, by the name of a hidden file beside it;
  /// an error leaves all as it was.
  std::function<llvm::Error(llvm::StringRef path)> approve;
  /// Leave out constants that no node refers to. One that has a user here may have none in
  /// an older opset, where the same is said by an attribute.
  bool dropUnused = false;
  /// Wait until the disk has the data: survive a power failure, not only a kill.
  bool durable = false;
  /// How constants are computed while they are written.
  EvalOptions evaluation;
  /// Told what is being written and how far it is.
  Progress *progress = nullptr;
};

/// What a model holds, the graphs in its nodes and its functions included.
struct ModelContents {
  /// Nodes by operator, "Conv" or "com.example.Fancy".
  std::map<std::string, size_t> operators;
  size_t nodes = 0;
  /// Initializers, defaults of inputs and Constant nodes.
  size_t constants = 0;
  uint64_t constantBytes = 0;
};

/// The contents of a model that is as it was imported.
ModelContents getContents(mlir::ModuleOp module, const SourceMap &source);

/// What was written.
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
