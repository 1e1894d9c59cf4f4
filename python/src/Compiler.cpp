// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Compiler.h"

#include "Failure.h"
#include "Waiting.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

using namespace invar;
using namespace invar::python;
using namespace nb::literals;

Texts::Texts(const nb::list &list) {
  for (nb::handle text : list)
    texts.push_back(toText(text));
  for (const std::string &text : texts)
    pointers.push_back(text.c_str());
}

Source::Source(const MaybeBytes &path, const MaybeBytes &content)
    : content(content), source{} {
  if (path) {
    this->path = toText(*path);
    source.path = this->path.c_str();
  } else if (content) {
    source.bytes = content->data();
    source.size = content->size();
  } else {
    reject("a path or bytes", "neither");
  }
}

InvarWarnings Warnings::get() {
  auto hear = [](void *context, const char *text) {
    auto *warnings = static_cast<Warnings *>(context);
    std::lock_guard guard(warnings->lock);
    warnings->texts.emplace_back(text);
  };
  return {hear, this};
}

void Warnings::tell(int depth) {
  std::vector<std::string> heard;
  {
    std::lock_guard guard(lock);
    heard.swap(texts);
  }
  for (const std::string &text : heard)
    if (PyErr_WarnEx(PyExc_UserWarning, toStr(text).c_str(), depth) != 0)
      throw nb::python_error();
}

CompileOptions::CompileOptions(const nb::list &shapes, const nb::list &dims,
                               std::optional<std::string> targetCpu,
                               std::string foldAt, std::string winograd,
                               bool plansMemory, std::string linkParams,
                               bool refittable, bool fixDefaults,
                               bool compressWeights, bool uncheckedIndices,
                               int32_t threads)
    : facts(shapes, dims), targetCpu(std::move(targetCpu)),
      foldAt(std::move(foldAt)), winograd(std::move(winograd)),
      linkParams(std::move(linkParams)), plansMemory(plansMemory),
      refittable(refittable), fixDefaults(fixDefaults),
      compressWeights(compressWeights), uncheckedIndices(uncheckedIndices),
      threads(threads) {}

InvarCompileOptions CompileOptions::get() const {
  InvarCompileOptions options = {};
  options.size = sizeof(options);
  options.facts = facts.get();
  options.target_cpu = targetCpu ? targetCpu->c_str() : nullptr;
  options.num_threads = threads;
  options.winograd = winograd.c_str();
  options.fold_at = foldAt.c_str();
  options.no_memory_plan = !plansMemory;
  options.link_params = linkParams.c_str();
  options.refittable = refittable;
  options.fix_defaults = fixDefaults;
  options.compress_weights = compressWeights;
  options.unchecked_indices = uncheckedIndices;
  return options;
}

bool CompileOptions::areOfModels() const {
  return !facts.empty() || targetCpu || foldAt != "auto" ||
         winograd != "auto" || !plansMemory || linkParams != "embed" ||
         refittable || fixDefaults || compressWeights || uncheckedIndices;
}

static void compile(const MaybeBytes &path, const MaybeBytes &content,
                    const nb::bytes &output, const CompileOptions &given,
                    const rt::Cancel *cancel, std::optional<double> timeout) {
  Source source(path, content);
  Warnings warnings;
  Limits limits{cancel, timeout};
  InvarCompileOptions options = given.get();
  options.timeout_ns = limits.getTimeout();
  options.warnings = warnings.get();
  std::string place = toText(output);
  waitForWork(limits, [&](InvarCancel *token) {
    options.cancel = token;
    return invar_compile(source.get(), place.c_str(), &options);
  });
  // The caller is two levels up: above the package's function.
  warnings.tell(2);
}

static void optimize(const MaybeBytes &path, const MaybeBytes &content,
                     const nb::bytes &output, const nb::list &shapes,
                     const nb::list &dims, const nb::list &passes,
                     const nb::list &enable, const nb::list &disable,
                     int64_t opset, int64_t maxGrowth, uint64_t memoryLimit,
                     int32_t threads, bool exactOnly, bool fixDefaults,
                     bool requireStatic, bool externalData,
                     const rt::Cancel *cancel, std::optional<double> timeout) {
  Limits limits{cancel, timeout};
  Source source(path, content);
  Facts facts(shapes, dims);
  Texts passNames(passes), enabled(enable), disabled(disable);
  Warnings warnings;
  InvarOptimizeOptions options = {};
  options.size = sizeof(options);
  options.facts = facts.get();
  options.passes = passNames.data();
  options.num_passes = passNames.size();
  options.enable = enabled.data();
  options.num_enable = enabled.size();
  options.disable = disabled.data();
  options.num_disable = disabled.size();
  options.opset = opset;
  options.max_growth = maxGrowth;
  options.memory_limit = memoryLimit;
  options.num_threads = threads;
  options.exact_only = exactOnly;
  options.fix_defaults = fixDefaults;
  options.require_static = requireStatic;
  options.external_data = externalData;
  options.warnings = warnings.get();
  options.timeout_ns = limits.getTimeout();
  std::string place = toText(output);
  waitForWork(limits, [&](InvarCancel *token) {
    options.cancel = token;
    return invar_optimize(source.get(), place.c_str(), &options);
  });
  warnings.tell(2);
}

void invar::python::bindCompiler(nb::module_ &module) {
  nb::class_<CompileOptions>(module, "CompileOptions",
                             "How a model is compiled.")
      .def(nb::init<const nb::list &, const nb::list &,
                    std::optional<std::string>, std::string, std::string, bool,
                    std::string, bool, bool, bool, bool, int32_t>(),
           nb::kw_only(), "shapes"_a, "dims"_a, "target_cpu"_a.none(),
           "fold_at"_a, "winograd"_a, "memory_plan"_a, "link_params"_a,
           "refittable"_a, "fix_defaults"_a, "compress_weights"_a,
           "unchecked_indices"_a, "threads"_a,
           nb::sig("def __init__(self, *, shapes: list[str], dims: list[str], "
                   "target_cpu: str | None, fold_at: str, winograd: str, "
                   "memory_plan: bool, link_params: str, refittable: bool, "
                   "fix_defaults: bool, compress_weights: bool, "
                   "unchecked_indices: bool, "
                   "threads: int) -> None"));
  module.def("compile", compile, "path"_a.none(), "content"_a.none(),
             "output"_a, "options"_a, "cancel"_a.none(), "timeout"_a.none(),
             nb::sig("def compile(path: bytes | None, content: bytes | None, "
                     "output: bytes, options: CompileOptions, "
                     "cancel: Cancel | None, timeout: float | None) -> None"));
  module.def(
      "optimize", optimize, "path"_a.none(), "content"_a.none(), "output"_a,
      "shapes"_a, "dims"_a, "passes"_a, "enable"_a, "disable"_a, "opset"_a,
      "max_growth"_a, "memory_limit"_a, "threads"_a, "exact_only"_a,
      "fix_defaults"_a, "require_static"_a, "external_data"_a,
      "cancel"_a.none(), "timeout"_a.none(),
      nb::sig("def optimize(path: bytes | None, content: bytes | None, "
              "output: bytes, shapes: list[str], dims: list[str], "
              "passes: list[str], enable: list[str], disable: list[str], "
              "opset: int, max_growth: int, memory_limit: int, threads: int, "
              "exact_only: bool, fix_defaults: bool, require_static: bool, "
              "external_data: bool, cancel: Cancel | None, "
              "timeout: float | None) -> None"));
}
