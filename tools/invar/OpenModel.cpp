// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpenModel.h"

#include "Commands.h"
#include "Options.h"
#include "invar-c/Compiler.h"
#include "invar/Pipelines/CompileCache.h"
#include "invar/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

llvm::Error invar::readOpenOptions(const llvm::opt::ArgList &arguments,
                                   OpenOptions &options) {
  if (llvm::Error error = getFacts(arguments).moveInto(options.facts))
    return error;
  // The argument list owns the strings.
  for (const llvm::opt::Arg *shape : arguments.filtered(OPT_shape))
    options.shapes.push_back(shape->getValue());
  for (const llvm::opt::Arg *dim : arguments.filtered(OPT_dim, OPT_dim_range))
    options.dims.push_back(dim->getValue());
  llvm::Expected<int64_t> threads = getInt(arguments, OPT_threads, 0);
  if (!threads)
    return threads.takeError();
  if (*threads < 0 || *threads > 1024)
    return badUsage("expected up to 1024 threads, but got " +
                    llvm::Twine(*threads));
  options.threads = int32_t(*threads);
  if (const llvm::opt::Arg *winograd = arguments.getLastArg(OPT_winograd))
    options.winograd = winograd->getValue();
  if (const llvm::opt::Arg *weights = arguments.getLastArg(OPT_weights))
    options.weights = weights->getValue();
  options.fixesDefaults = arguments.hasArg(OPT_fix_defaults);
  options.hasCache = !arguments.hasArg(OPT_no_cache);
  if (const llvm::opt::Arg *folder = arguments.getLastArg(OPT_cache_dir))
    options.cacheFolder = folder->getValue();
  return llvm::Error::success();
}

llvm::Expected<OpenedModel> invar::openModel(const std::string &path,
                                             const OpenOptions &options) {
  auto start = std::chrono::steady_clock::now();
  InvarCompileOptions compiling = {};
  compiling.size = sizeof(compiling);
  compiling.facts = {options.shapes.data(), options.shapes.size(),
                     options.dims.data(), options.dims.size()};
  compiling.num_threads = options.threads;
  compiling.show_progress = true;
  compiling.winograd = options.winograd;
  compiling.check_kernels = options.checksKernels;
  compiling.plain = options.isPlain;
  compiling.fix_defaults = options.fixesDefaults;
  compiling.warnings.warn = [](void *, const char *text) {
    llvm::errs() << "warning: " << inOneLine(text) << "\n";
  };
  InvarSessionOptions running = INVAR_SESSION_OPTIONS;
  running.num_threads = options.threads;
  running.profile = options.profile;
  std::string folds =
      options.cacheFolder ? options.cacheFolder : getCacheFolder();
  if (options.hasCache && !folds.empty())
    running.fold_cache = folds.c_str();
  running.weights = options.weights;
  running.warn = compiling.warnings.warn;
  InvarModelSource model = {path.c_str(), nullptr, 0};
  InvarOpening opening = {sizeof(opening), 0, -1};
  InvarSession *session = nullptr;
  rt::Error error{
      options.isLibrary
          ? invar_session_load(path.c_str(), &running, &session)
          : invar_session_open(&model, &compiling,
                               options.hasCache ? options.cacheFolder : "",
                               &running, &opening, &session)};
  if (error)
    return toError(std::move(error));
  OpenedModel opened{rt::Session(session),
                     options.isLibrary || opening.is_library};
  if (opening.compile_seconds >= 0)
    opened.compileSeconds = opening.compile_seconds;
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  opened.loadSeconds = took.count() - opened.compileSeconds.value_or(0);
  return opened;
}
