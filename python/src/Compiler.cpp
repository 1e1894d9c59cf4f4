// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Compiler.h"

#include "Failure.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

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
    static_cast<Warnings *>(context)->texts.emplace_back(text);
  };
  return {hear, this};
}

void Warnings::tell() const {
  // Above this is the package's own function, and above that who called it.
  for (const std::string &text : texts)
    if (PyErr_WarnEx(PyExc_UserWarning, toStr(text).c_str(), 2) != 0)
      throw nb::python_error();
}

InvarCompileOptions
invar::python::compileOptions(const Facts &facts,
                              const std::optional<std::string> &targetCpu,
                              int32_t threads, Warnings &warnings) {
  InvarCompileOptions options = {};
  options.size = sizeof(options);
  options.facts = facts.get();
  options.target_cpu = targetCpu ? targetCpu->c_str() : nullptr;
  options.num_threads = threads;
  options.warnings = warnings.get();
  return options;
}

/// Does what takes a while without Python's lock.
template <typename Work> static void work(Work work, const Warnings &warnings) {
  InvarStatus *status;
  {
    nb::gil_scoped_release released;
    status = work();
  }
  check(status);
  warnings.tell();
}

static void compile(const MaybeBytes &path, const MaybeBytes &content,
                    const nb::bytes &output, const nb::list &shapes,
                    const nb::list &dims,
                    const std::optional<std::string> &targetCpu,
                    int32_t threads) {
  Source source(path, content);
  Facts facts(shapes, dims);
  Warnings warnings;
  InvarCompileOptions options =
      compileOptions(facts, targetCpu, threads, warnings);
  std::string place = toText(output);
  work([&] { return invar_compile(source.get(), place.c_str(), &options); },
       warnings);
}

static void optimize(const MaybeBytes &path, const MaybeBytes &content,
                     const nb::bytes &output, const nb::list &shapes,
                     const nb::list &dims, const nb::list &passes,
                     const nb::list &enable, const nb::list &disable,
                     int64_t opset, int64_t maxGrowth, uint64_t memoryLimit,
                     int32_t threads, bool exactOnly, bool fixDefaults,
                     bool requireStatic, bool externalData) {
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
  std::string place = toText(output);
  work([&] { return invar_optimize(source.get(), place.c_str(), &options); },
       warnings);
}

void invar::python::bindCompiler(nb::module_ &module) {
  module.def("compile", compile, "path"_a.none(), "content"_a.none(),
             "output"_a, "shapes"_a, "dims"_a, "target_cpu"_a.none(),
             "threads"_a,
             nb::sig("def compile(path: bytes | None, content: bytes | None, "
                     "output: bytes, shapes: list[str], dims: list[str], "
                     "target_cpu: str | None, threads: int) -> None"));
  module.def(
      "optimize", optimize, "path"_a.none(), "content"_a.none(), "output"_a,
      "shapes"_a, "dims"_a, "passes"_a, "enable"_a, "disable"_a, "opset"_a,
      "max_growth"_a, "memory_limit"_a, "threads"_a, "exact_only"_a,
      "fix_defaults"_a, "require_static"_a, "external_data"_a,
      nb::sig("def optimize(path: bytes | None, content: bytes | None, "
              "output: bytes, shapes: list[str], dims: list[str], "
              "passes: list[str], enable: list[str], disable: list[str], "
              "opset: int, max_growth: int, memory_limit: int, threads: int, "
              "exact_only: bool, fix_defaults: bool, require_static: bool, "
              "external_data: bool) -> None"));
}
