// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of Python's as the structs of invar-c/Compiler.h, which only point to them.
#ifndef INVAR_PYTHON_COMPILER_H
#define INVAR_PYTHON_COMPILER_H

#include "invar-c/Compiler.h"

#include <nanobind/nanobind.h>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace invar::python {

namespace nb = nanobind;

/// A list of texts.
class Texts {
public:
  explicit Texts(const nb::list &list);
  const char *const *data() const { return pointers.data(); }
  size_t size() const { return pointers.size(); }

private:
  std::vector<std::string> texts;
  std::vector<const char *> pointers;
};

/// A path or bytes of a model, as Python has them.
using MaybeBytes = std::optional<nb::bytes>;

/// A model: the path of its file, or else its bytes.
class Source {
public:
  Source(const MaybeBytes &path, const MaybeBytes &content);
  const InvarModelSource *get() const { return &source; }

private:
  std::string path;
  MaybeBytes content;
  InvarModelSource source;
};

/// What is stated of a model.
class Facts {
public:
  Facts(const nb::list &shapes, const nb::list &dims)
      : shapes(shapes), dims(dims) {}
  InvarFacts get() const {
    return {shapes.data(), shapes.size(), dims.data(), dims.size()};
  }
  bool empty() const { return shapes.size() + dims.size() == 0; }

private:
  Texts shapes, dims;
};

/// How a model is compiled, and what is known of it.
class CompileOptions {
public:
  CompileOptions(const nb::list &shapes, const nb::list &dims,
                 std::optional<std::string> targetCpu, std::string foldAt,
                 std::string winograd, bool plansMemory, std::string linkParams,
                 bool refittable, bool fixDefaults, bool compressWeights,
                 bool uncheckedIndices, int32_t threads);

  /// Points to the texts of this.
  InvarCompileOptions get() const;
  int32_t getThreads() const { return threads; }
  /// Whether anything is asked for that must be known when a model is compiled.
  bool areOfModels() const;

private:
  Facts facts;
  std::optional<std::string> targetCpu;
  std::string foldAt, winograd, linkParams;
  bool plansMemory, refittable, fixDefaults, compressWeights, uncheckedIndices;
  int32_t threads;
};

/// What goes wrong but does not matter to results: heard without Python's lock, from any
/// thread, and told with it.
class Warnings {
public:
  InvarWarnings get();
  /// As Python's warnings, each once, about the line so many calls above the extension.
  void tell(int depth);

private:
  std::mutex lock;
  std::vector<std::string> texts;
};

void bindCompiler(nb::module_ &module);

} // namespace invar::python

#endif // INVAR_PYTHON_COMPILER_H
