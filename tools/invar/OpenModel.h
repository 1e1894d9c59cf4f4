// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session of what a command was given: a library that 'invar compile' made, or a model,
// which is compiled first unless its library is kept from an earlier time.
#ifndef INVAR_TOOLS_INVAR_OPENMODEL_H
#define INVAR_TOOLS_INVAR_OPENMODEL_H

#include "Values.h"
#include "invar/Simplify/ShapeFacts.h"
#include "llvm/Option/ArgList.h"

namespace invar {

struct OpenOptions {
  /// What is stated of inputs, as it was read and as it was written.
  onnx::ShapeFacts facts;
  std::vector<const char *> shapes, dims;
  /// Whether libraries of models are kept, and where; null is where they usually are.
  bool hasCache = true;
  const char *cacheFolder = nullptr;
  /// Null for what is usual.
  const char *winograd = nullptr;
  /// A file with the weights of a library that has none; null for what lies beside it.
  const char *weights = nullptr;
  int32_t threads = 0;
  /// Whether initializers that callers may override are constants all the same.
  bool fixesDefaults = false;
  bool profile = false;
  /// Whether it is a library, whatever its name.
  bool isLibrary = false;
  /// Whether runs compare kernels with their meaning, and whether that alone is compiled.
  bool checksKernels = false, isPlain = false;
};

/// What --threads, --shape, --dim, --winograd, --fix-defaults, --weights, --cache-dir and
/// --no-cache say. The arguments outlive the options.
llvm::Error readOpenOptions(const llvm::opt::ArgList &arguments,
                            OpenOptions &options);

struct OpenedModel {
  rt::Session session;
  /// Whether it is a library, which was compiled for what it was.
  bool isLibrary = false;
  /// None where there was no need to compile.
  std::optional<double> compileSeconds;
  /// All the rest: to find, check and map the library.
  double loadSeconds = 0;
};

llvm::Expected<OpenedModel> openModel(const std::string &path,
                                      const OpenOptions &options);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_OPENMODEL_H
