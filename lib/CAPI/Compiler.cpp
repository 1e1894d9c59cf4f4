// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of invar-c/Compiler.h.
#include "invar-c/Compiler.h"

#include "invar/Files/LibraryName.h"
#include "invar/Files/Printable.h"
#include "invar/Pipelines/CompileCache.h"
#include "invar/Pipelines/Optimize.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "invar/Support/MemoryFile.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <optional>

using namespace invar;
using llvm::StringRef;

/// The name of an unnamed model in messages.
static constexpr StringRef unnamed = "model";

/// Copies the caller's options. The caller may know an older, shorter struct.
template <typename Options> static Options completed(const Options *given) {
  Options options = {};
  if (given)
    std::memcpy(&options, given, std::min(given->size, sizeof(options)));
  return options;
}

namespace {
/// Gives the pipelines a model as a path. A model in memory is written to a memory
/// file.
class ModelPath {
public:
  explicit ModelPath(const InvarModelSource &model)
      : path(model.path ? model.path : "") {
    if (model.path)
      return;
    StringRef bytes(static_cast<const char *>(model.bytes), model.size);
    llvm::Expected<MemoryFile> made = MemoryFile::create(unnamed, bytes);
    if (!made) {
      failure = made.takeError();
      return;
    }
    path = made->getPath();
    file.emplace(std::move(*made));
  }
  ~ModelPath() { llvm::consumeError(std::move(failure)); }

  const std::string &get() const { return path; }
  StringRef getName() const { return file ? unnamed : StringRef(path); }

  llvm::Error check() { return std::move(failure); }

  /// Replaces the path of a memory file in a message by the model's name. Escapes zero
  /// bytes, which names in a model may contain, because a C string ends with the first
  /// one.
  std::string rename(StringRef message) const {
    bool isUnnamed = file && message.consume_front(path);
    std::string text = isUnnamed ? unnamed.str() : "";
    for (char c : message)
      if (c)
        text += c;
      else
        text += "\\x00";
    return text;
  }

private:
  std::string path;
  std::optional<MemoryFile> file;
  llvm::Error failure = llvm::Error::success();
};
} // namespace

namespace {
/// Lets the calls in its scope be stopped as the options require. Without such options,
/// the thread's current Stop applies.
class Stopping {
public:
  template <typename Options>
  explicit Stopping(const Options *given) : Stopping(completed(given)) {}

  /// The status code of a failed call: cancellation or timeout if it was stopped.
  InvarStatusCode explain(InvarStatusCode otherwise) const {
    const Stop *current = StopScope::get();
    if (!current || !current->isStopped())
      return otherwise;
    return current->getReason() == Stop::Reason::DeadlineExceeded
               ? INVAR_DEADLINE_EXCEEDED
               : INVAR_CANCELLED;
  }

private:
  template <typename Options>
  explicit Stopping(const Options &given)
      : scope(arm(given.cancel, given.timeout_ns)) {}

  Stop *arm(InvarCancel *cancel, int64_t timeout) {
    StopConditions conditions;
    conditions.cancel = cancel;
    if (timeout)
      conditions.timeout = std::chrono::nanoseconds(timeout);
    return conditions.areAny() ? &stop.emplace(conditions) : StopScope::get();
  }

  std::optional<Stop> stop;
  StopScope scope;
};
} // namespace

static InvarStatus *toStatus(llvm::Error error, const ModelPath &model,
                             const Stopping &stopping) {
  if (!error)
    return nullptr;
  auto [kind, text] = describe(std::move(error));
  InvarStatusCode code = kind == ErrorKind::BadUsage   ? INVAR_BAD_ARGUMENT
                         : kind == ErrorKind::BadInput ? INVAR_BAD_MODEL
                                                       : INVAR_OUT_OF_MEMORY;
  return invar_status_create(stopping.explain(code),
                             model.rename(text).c_str());
}

static llvm::ArrayRef<const char *> listOf(const char *const *texts,
                                           size_t count) {
  return {texts, count};
}

static llvm::Expected<onnx::ShapeFacts> readFacts(const InvarFacts &given) {
  onnx::ShapeFacts facts;
  for (StringRef text : listOf(given.shapes, given.num_shapes))
    if (llvm::Error error = addShapeFact(text, facts))
      return error;
  for (StringRef text : listOf(given.dims, given.num_dims))
    if (llvm::Error error = text.contains("..") ? addRangeFact(text, facts)
                                                : addDimFact(text, facts))
      return error;
  return facts;
}

static llvm::Error readThreads(int32_t given, unsigned &threads) {
  if (given < 0 || given > 1024)
    return badUsage("expected up to 1024 threads, but got " +
                    llvm::Twine(given));
  threads = unsigned(given);
  return llvm::Error::success();
}

static void pass(const std::vector<std::string> &warnings,
                 const ModelPath &model, const InvarWarnings &to) {
  if (to.warn)
    for (const std::string &warning : warnings)
      to.warn(to.context, makePrintable(model.rename(warning)).c_str());
}

// Compiling

static llvm::Error readOptions(const InvarCompileOptions &given,
                               CompileModelOptions &options) {
  if (llvm::Error error = readFacts(given.facts).moveInto(options.facts))
    return error;
  if (given.target_cpu)
    options.cpu = given.target_cpu;
  if (given.winograd)
    if (llvm::Error error =
            parseWinogradUse(given.winograd).moveInto(options.winograd))
      return error;
  if (given.fold_at)
    if (llvm::Error error =
            parseFoldTime(given.fold_at).moveInto(options.foldTime))
      return error;
  options.plansMemory = !given.no_memory_plan;
  if (given.link_params)
    if (llvm::Error error =
            parseWeightPlace(given.link_params).moveInto(options.weightPlace))
      return error;
  options.refits = given.refittable;
  options.fixesDefaults = given.fix_defaults;
  options.leavesIndicesUnchecked = given.unchecked_indices;
  options.compressesWeights = given.compress_weights;
  options.checksKernels = given.check_kernels;
  options.isPlain = given.plain;
  return readThreads(given.num_threads, options.threads);
}

InvarStatus *invar_compile(const InvarModelSource *model, const char *output,
                           const InvarCompileOptions *options) {
  ModelPath path(*model);
  Stopping stopping(options);
  auto run = [&]() -> llvm::Error {
    if (llvm::Error error = path.check())
      return error;
    InvarCompileOptions given = completed(options);
    CompileModelOptions compiling;
    if (llvm::Error error = readOptions(given, compiling))
      return error;
    Progress progress(given.show_progress);
    auto result =
        compile(path.get(), output, compiling, progress, llvm::nulls());
    if (!result)
      return result.takeError();
    pass(result->warnings, path, given.warnings);
    return llvm::Error::success();
  };
  return toStatus(run(), path, stopping);
}

/// Rejects a library that is opened as a model, and explains how to run its code.
static llvm::Error refuseLibrary(const ModelPath &model) {
  if (!beginsAsLibrary(model.get()))
    return llvm::Error::success();
  return badInput(
      model.getName() +
      ": expected an ONNX model, but got a library, whose code runs only where "
      "its name ends in '.so' or the caller says that it is one: 'invar run "
      "--library', Session(..., library=True), invar_session_load");
}

InvarStatus *invar_session_open(const InvarModelSource *model,
                                const InvarCompileOptions *options,
                                const char *cache,
                                const InvarSessionOptions *running,
                                InvarOpening *opening, InvarSession **session) {
  InvarOpening opened = {sizeof(InvarOpening), 0, -1};
  ModelPath path(*model);
  Stopping stopping(options);
  InvarStatus *status = nullptr;
  auto open = [&]() -> llvm::Error {
    if (llvm::Error error = path.check())
      return error;
    opened.is_library = model->path && isLibraryName(model->path);
    if (opened.is_library) {
      status = invar_session_load(model->path, running, session);
      return llvm::Error::success();
    }
    if (llvm::Error error = refuseLibrary(path))
      return error;
    InvarCompileOptions given = completed(options);
    CompileModelOptions compiling;
    if (llvm::Error error = readOptions(given, compiling))
      return error;
    // A cached model is a single file, so the weights must be embedded.
    compiling.weightPlace = WeightPlace::Embed;
    Progress progress(given.show_progress);
    auto library =
        openCompiled(path.get(), compiling,
                     cache ? std::string(cache) : getCacheFolder(), progress);
    if (!library)
      return library.takeError();
    if (library->compiled) {
      opened.compile_seconds = library->compiled->seconds;
      pass(library->compiled->warnings, path, given.warnings);
    }
    status = invar_session_load_descriptor(library->file->getDescriptor(),
                                           path.getName().str().c_str(),
                                           running, session);
    return llvm::Error::success();
  };
  if (InvarStatus *failed = toStatus(open(), path, stopping))
    return failed;
  if (opening && !status) {
    size_t known = std::min(opening->size, sizeof(opened));
    std::memcpy(opening, &opened, known);
    opening->size = known;
  }
  return status;
}

// Optimizing

static llvm::Error readRules(const char *const *given, size_t count,
                             llvm::StringSet<> &names) {
  for (StringRef name : listOf(given, count)) {
    if (llvm::none_of(getRules(),
                      [&](const Rule &rule) { return rule.name == name; }))
      return badUsage("expected a rule, but got '" + name + "'");
    names.insert(name);
  }
  return llvm::Error::success();
}

static llvm::Error readPasses(const InvarOptimizeOptions &given,
                              std::vector<std::string> &passes) {
  for (StringRef name : listOf(given.passes, given.num_passes)) {
    if (!llvm::is_contained(getPassNames(), name))
      return badUsage("expected passes among '" +
                      llvm::join(getPassNames(), "', '") + "', but got '" +
                      name + "'");
    passes.push_back(name.str());
  }
  if (passes.empty())
    passes.push_back("simplify");
  return llvm::Error::success();
}

static llvm::Error readOptions(const InvarOptimizeOptions &given,
                               OptimizeOptions &options) {
  if (llvm::Error error = readPasses(given, options.passes))
    return error;
  RuleOptions &rules = options.simplify.rules;
  if (llvm::Error error = readFacts(given.facts).moveInto(options.facts))
    return error;
  if (llvm::Error error =
          readRules(given.enable, given.num_enable, rules.enabled))
    return error;
  if (llvm::Error error =
          readRules(given.disable, given.num_disable, rules.disabled))
    return error;
  if (llvm::Error error = readThreads(given.num_threads, options.threads))
    return error;
  if (given.opset)
    options.output.opset = given.opset;
  if (given.external_data)
    options.output.placement = DataPlacement::External;
  if (given.max_growth)
    options.simplify.growth.bytes =
        uint64_t(std::max<int64_t>(given.max_growth, 0));
  if (given.memory_limit)
    options.memoryLimit = given.memory_limit;
  options.simplify.fold->exactOnly = given.exact_only;
  rules.fuse = rules.recompose = !given.exact_only;
  options.cut.fixDefaults = given.fix_defaults;
  options.requireStatic = given.require_static;
  return llvm::Error::success();
}

InvarStatus *invar_optimize(const InvarModelSource *model, const char *output,
                            const InvarOptimizeOptions *options) {
  ModelPath path(*model);
  Stopping stopping(options);
  auto run = [&]() -> llvm::Error {
    if (llvm::Error error = path.check())
      return error;
    InvarOptimizeOptions given = completed(options);
    OptimizeOptions optimizing;
    if (llvm::Error error = readOptions(given, optimizing))
      return error;
    Progress progress(given.show_progress);
    auto result = optimize(path.get(), output, optimizing, progress);
    if (!result)
      return result.takeError();
    pass(result->warnings, path, given.warnings);
    return llvm::Error::success();
  };
  return toStatus(run(), path, stopping);
}
