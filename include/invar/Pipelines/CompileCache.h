// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a model to run it now, and keeps the library for the next time. The library is
// found by a hash of everything that it depends on: the content of the model and of the
// files beside it, the options, the processor, and the exact build of this program. So a
// library that is found is never out of date.
//
//   auto library = openCompiled("model.onnx", {}, getCacheFolder(), progress);
//   if (!library)
//     return library.takeError();
//   invar_session_load_descriptor(library->file->getDescriptor(), …);
//
// A library appears in the folder completely or not at all, so programs may share a
// folder. Since its code is executed, no other user may be able to write it or its folder
// (invar/Files/PrivateFolder.h). The library contains its key, so a copy of another
// library is not mistaken for it. Libraries that were not used for 30 days are deleted,
// and the oldest ones if the folder takes more than a tenth of the free space of the
// disk. If nothing can be kept, the library is in memory.
#ifndef INVAR_PIPELINES_COMPILECACHE_H
#define INVAR_PIPELINES_COMPILECACHE_H

#include "invar/Pipelines/Compile.h"
#include "invar/Support/MappedFile.h"
#include <optional>

namespace invar {

/// $XDG_CACHE_HOME/invar or ~/.cache/invar; empty if there is neither.
std::string getCacheFolder();

/// The name of a library in the folder, derived from its key.
std::string getCachedName(const CacheKey &key);

struct CompiledLibrary {
  std::shared_ptr<const MappedFile> file;
  /// None if the library was in the cache.
  std::optional<CompileResult> compiled;
};

/// Returns the library of the model at `input`, from `folder` if it is kept there. If
/// `folder` is empty, nothing is kept.
llvm::Expected<CompiledLibrary> openCompiled(llvm::StringRef input,
                                             const CompileModelOptions &options,
                                             llvm::StringRef folder,
                                             Progress &progress);

} // namespace invar

#endif // INVAR_PIPELINES_COMPILECACHE_H
