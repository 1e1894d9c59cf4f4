// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in a model: the numbers behind `invar inspect`.
#ifndef INVAR_PIPELINES_INSPECT_H
#define INVAR_PIPELINES_INSPECT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace invar {

/// An input or output, with its type as people write it: "float[batch, 3, 224, 224]".
struct ValueSummary {
  std::string name;
  std::string type;
};

struct OperatorSummary {
  std::string domain;
  std::string name;
  size_t count = 0;
  /// How many of them Invar passes through untouched, and the first reason given.
  size_t opaque = 0;
  std::string reason;
};

struct ConstantSummary {
  std::string name;
  std::string type;
  uint64_t bytes = 0;
  /// "initializer", "input default" or "Constant".
  std::string kind;
  /// The file that holds the bytes if it is not the model.
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
};

llvm::Expected<ModelSummary> inspect(llvm::StringRef path);

/// The model as MLIR has it after import, constants of more than a few elements left out.
llvm::Error printIR(llvm::StringRef path, llvm::raw_ostream &os);

llvm::json::Value toJson(const ModelSummary &summary);

/// A table for people; at most `mostConstants` constants are listed.
void print(const ModelSummary &summary, size_t mostConstants,
           llvm::raw_ostream &os);

/// "1.5 MB", "312 B".
std::string formatBytes(uint64_t bytes);

} // namespace invar

#endif // INVAR_PIPELINES_INSPECT_H
