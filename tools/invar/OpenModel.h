// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens a session for a command's argument: a library that 'invar compile' wrote, or a
// model, which is compiled first unless its library is in the cache.
#ifndef INVAR_TOOLS_INVAR_OPENMODEL_H
#define INVAR_TOOLS_INVAR_OPENMODEL_H

#include "Values.h"
#include "invar/Simplify/ShapeFacts.h"
#include "llvm/Option/ArgList.h"

namespace invar {

struct OpenOptions {
  /// Facts about inputs, parsed and as the user wrote them.
  onnx::ShapeFacts facts;
  std::vector<const char *> shapes, dims;
  /// Whether compiled models are cached, and the folder; null for the default folder.
  bool hasCache = true;
  const char *cacheFolder = nullptr;
  /// Null for the default.
  const char *winograd = nullptr;
  /// A file with the weights of a library that has none; null to search beside the
  /// library.
  const char *weights = nullptr;
  int32_t threads = 0;
  /// Whether initializers that callers may override are treated as constants.
  bool fixesDefaults = false;
  bool profile = false;
  /// Whether the file is a library, regardless of its name.
  bool isLibrary = false;
  /// Whether runs compare kernels with their meaning; and whether only the meaning is
  /// compiled.
  bool checksKernels = false, isPlain = false;
};

/// Reads --threads, --shape, --dim, --winograd, --fix-defaults, --weights, --cache-dir
/// and --no-cache. The arguments must outlive the options.
llvm::Error readOpenOptions(const llvm::opt::ArgList &arguments,
                            OpenOptions &options);

struct OpenedModel {
  rt::Session session;
  /// Whether it is a library, which is already compiled for certain shapes.
  bool isLibrary = false;
  /// None if nothing was compiled.
  std::optional<double> compileSeconds;
  /// The rest of the time: to find, check and map the library.
  double loadSeconds = 0;
};

llvm::Expected<OpenedModel> openModel(const std::string &path,
                                      const OpenOptions &options);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_OPENMODEL_H
