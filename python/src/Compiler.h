// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts Python arguments to the structs of invar-c/Compiler.h, which only point to
// them.
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

/// Owns a list of strings.
class Texts {
public:
  explicit Texts(const nb::list &list);
  const char *const *data() const { return pointers.data(); }
  size_t size() const { return pointers.size(); }

private:
  std::vector<std::string> texts;
  std::vector<const char *> pointers;
};

/// A path or the bytes of a model, from Python.
using MaybeBytes = std::optional<nb::bytes>;

/// A model: the path of its file, or otherwise its bytes.
class Source {
public:
  Source(const MaybeBytes &path, const MaybeBytes &content);
  const InvarModelSource *get() const { return &source; }

private:
  std::string path;
  MaybeBytes content;
  InvarModelSource source;
};

/// Facts about a model's shapes.
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

/// Options of compiling a model, and facts about it.
class CompileOptions {
public:
  CompileOptions(const nb::list &shapes, const nb::list &dims,
                 std::optional<std::string> targetCpu, std::string foldAt,
                 std::string winograd, bool plansMemory, std::string linkParams,
                 bool refittable, bool fixDefaults, bool compressWeights,
                 bool uncheckedIndices, int32_t threads);

  /// The result points to the strings of this object.
  InvarCompileOptions get() const;
  int32_t getThreads() const { return threads; }
  /// Whether any option is given that applies only when a model is compiled.
  bool areOfModels() const;

private:
  Facts facts;
  std::optional<std::string> targetCpu;
  std::string foldAt, winograd, linkParams;
  bool plansMemory, refittable, fixDefaults, compressWeights, uncheckedIndices;
  int32_t threads;
};

/// Warnings, which do not affect results. They are collected without Python's lock,
/// from any thread, and issued with it.
class Warnings {
public:
  InvarWarnings get();
  /// Issues each collected warning once as a Python warning, for the line `depth` calls
  /// above the extension.
  void tell(int depth);

private:
  std::mutex lock;
  std::vector<std::string> texts;
};

void bindCompiler(nb::module_ &module);

} // namespace invar::python

#endif // INVAR_PYTHON_COMPILER_H
