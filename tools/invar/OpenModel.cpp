// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpenModel.h"

#include "Commands.h"
#include "Options.h"
#include "invar/Pipelines/CompileCache.h"
#include "invar/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

llvm::Error invar::readOpenOptions(const llvm::opt::ArgList &arguments,
                                   OpenOptions &options) {
  if (llvm::Error error = getFacts(arguments).moveInto(options.compile.facts))
    return error;
  llvm::Expected<int64_t> threads = getInt(arguments, OPT_threads, 0);
  if (!threads)
    return threads.takeError();
  if (*threads < 0 || *threads > 1024)
    return badUsage("expected up to 1024 threads, but got " +
                    llvm::Twine(*threads));
  options.threads = options.compile.threads = unsigned(*threads);
  if (!arguments.hasArg(OPT_no_cache))
    options.cacheFolder = arguments.hasArg(OPT_cache_dir)
                              ? arguments.getLastArgValue(OPT_cache_dir).str()
                              : getCacheFolder();
  return llvm::Error::success();
}

/// By its first bytes; what cannot be read is judged by its name.
static bool isLibrary(StringRef path) {
  auto start = llvm::MemoryBuffer::getFileSlice(path, 4, 0);
  if (start && (*start)->getBufferSize() == 4)
    return (*start)->getBuffer() == "\x7f"
                                    "ELF";
  return path.ends_with(".so");
}

llvm::Expected<OpenedModel> invar::openModel(StringRef path,
                                             const OpenOptions &options) {
  auto start = std::chrono::steady_clock::now();
  InvarSessionOptions running = INVAR_SESSION_OPTIONS;
  running.num_threads = int32_t(options.threads);
  running.profile = options.profile;
  OpenedModel opened;
  opened.isLibrary = isLibrary(path);
  InvarSession *session = nullptr;
  rt::Error failed;
  if (opened.isLibrary) {
    failed =
        rt::Error(invar_session_load(path.str().c_str(), &running, &session));
  } else {
    auto library = [&] {
      Progress progress;
      return openCompiled(path, options.compile, options.cacheFolder, progress);
    }();
    if (!library)
      return library.takeError();
    if (library->compiled) {
      opened.compileSeconds = library->compiled->seconds;
      for (const std::string &warning : library->compiled->warnings)
        llvm::errs() << "warning: " << inOneLine(warning) << "\n";
    }
    failed = rt::Error(
        invar_session_load_descriptor(library->file->getDescriptor(),
                                      path.str().c_str(), &running, &session));
  }
  if (failed)
    return toError(std::move(failed));
  opened.session = rt::Session(session);
  opened.loadSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count() -
      opened.compileSeconds.value_or(0);
  return opened;
}
