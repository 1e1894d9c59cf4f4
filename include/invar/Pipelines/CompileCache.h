// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a model for who wants to run it now, and keeps the library for the next time.
// It is found again by a hash of all that it depends on: the content of the model and of
// the files beside it, what is stated of the inputs, the processor, and the very build of
// this program. So what is found cannot be out of date.
//
//   auto library = openCompiled("model.onnx", {}, getCacheFolder(), progress);
//   if (!library)
//     return library.takeError();
//   invar_session_load_descriptor(library->file->getDescriptor(), …);
//
// A library appears in the folder whole or not at all, so programs may share one. Its code is
// run, so nobody else may have written it or its folder (invar/Files/PrivateFolder.h), and it
// says itself which key it is of: a copy of another one is not taken for it. What was
// not looked at for 30 days goes, and the oldest where the folder would take more than a
// tenth of what the disk has left. Where nothing can be kept, the library lies in memory.
#ifndef INVAR_PIPELINES_COMPILECACHE_H
#define INVAR_PIPELINES_COMPILECACHE_H

#include "invar/Pipelines/Compile.h"
#include "invar/Support/MappedFile.h"
#include <optional>

namespace invar {

/// $XDG_CACHE_HOME/invar or ~/.cache/invar; empty where there is neither.
std::string getCacheFolder();

/// The name that a library has in the folder, by what it says that it was made from.
std::string getCachedName(const CacheKey &key);

struct CompiledLibrary {
  std::shared_ptr<const MappedFile> file;
  /// None where the library was kept from an earlier time.
  std::optional<CompileResult> compiled;
};

/// The library of the model at `input`, from `folder` if it is kept there. Nothing is kept
/// where `folder` is empty.
llvm::Expected<CompiledLibrary> openCompiled(llvm::StringRef input,
                                             const CompileModelOptions &options,
                                             llvm::StringRef folder,
                                             Progress &progress);

} // namespace invar

#endif // INVAR_PIPELINES_COMPILECACHE_H
