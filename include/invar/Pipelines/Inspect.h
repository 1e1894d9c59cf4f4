// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the contents of a model, for `invar inspect`.
#ifndef INVAR_PIPELINES_INSPECT_H
#define INVAR_PIPELINES_INSPECT_H

#include "invar/Pipelines/Optimize.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace invar {

/// An input or output, with its type in readable form: "float[batch, 3, 224, 224]".
struct ValueSummary {
  std::string name;
  std::string type;
};

struct NodeSummary {
  std::string name;
  std::string type;
  /// The number of graphs around its graph.
  size_t depth = 0;
  std::vector<ValueSummary> outputs;
};

struct OperatorSummary {
  std::string domain;
  std::string name;
  size_t count = 0;
  /// The number of these nodes that Invar passes through unchanged, and the first reason
  /// given.
  size_t opaque = 0;
  std::string reason;
};

struct ConstantSummary {
  std::string name;
  std::string type;
  uint64_t bytes = 0;
  /// "initializer", "input default" or "Constant".
  std::string kind;
  /// The file that contains the bytes, if it is not the model.
  std::string file;
};

struct ModelSummary {
  std::string path;
  uint64_t fileBytes = 0;
  int64_t irVersion = 0;
  std::string producer;
  std::string graphName;
  std::vector<std::pair<std::string, int64_t>> opsets;
  std::vector<ValueSummary> inputs, outputs;
  /// Most frequent first.
  std::vector<OperatorSummary> operators;
  /// Largest first.
  std::vector<ConstantSummary> constants;
  size_t nodes = 0;
  size_t subgraphs = 0;
  size_t functions = 0;
  uint64_t constantBytes = 0;
  /// Every node, in the order of the program.
  std::vector<NodeSummary> listing;
  /// The numbers of node results with known, symbolic and unknown shapes.
  ShapeSummary shapes;
  /// Why shapes could not be inferred, and which shapes the model declares wrongly.
  std::string shapeError;
  std::vector<std::string> shapeWarnings;
};

struct InspectOptions {
  /// Given facts about the shapes of the inputs.
  onnx::ShapeFacts facts;
  /// Fail if shapes contradict each other.
  bool needsShapes = false;
  /// Print all elements of constants in printIR(), so that invar-opt can read the result.
  bool wholeConstants = false;
};

llvm::Expected<ModelSummary> inspect(llvm::StringRef path,
                                     const InspectOptions &options = {});

/// Prints the model as MLIR after import. Constants of more than a few elements are elided,
/// unless `options` ask for them.
llvm::Error printIR(llvm::StringRef path, const InspectOptions &options,
                    llvm::raw_ostream &os);

llvm::json::Value toJson(const ModelSummary &summary);

/// Prints a readable table with at most `mostConstants` constants.
void print(const ModelSummary &summary, size_t mostConstants,
           llvm::raw_ostream &os);

/// Prints every node with the types of its results.
void printListing(const ModelSummary &summary, llvm::raw_ostream &os);

/// "1.5 MB", "312 B".
std::string formatBytes(uint64_t bytes);

} // namespace invar

#endif // INVAR_PIPELINES_INSPECT_H
