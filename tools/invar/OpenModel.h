// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session of what a command was given: a library that 'invar compile' made, or a model,
// which is compiled first unless its library is kept from an earlier time.
#ifndef INVAR_TOOLS_INVAR_OPENMODEL_H
#define INVAR_TOOLS_INVAR_OPENMODEL_H

#include "Values.h"
#include "invar/Pipelines/Compile.h"
#include "llvm/Option/ArgList.h"

namespace invar {

struct OpenOptions {
  CompileModelOptions compile;
  /// Where libraries of models are kept; nowhere if it is empty.
  std::string cacheFolder;
  unsigned threads = 0;
  bool profile = false;
};

/// What --threads, --shape, --dim, --cache-dir and --no-cache say.
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

llvm::Expected<OpenedModel> openModel(llvm::StringRef path,
                                      const OpenOptions &options);

} // namespace invar

#endif // INVAR_TOOLS_INVAR_OPENMODEL_H
