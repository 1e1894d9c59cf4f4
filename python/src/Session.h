// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session for Python, in the shape that users of onnxruntime know.
//
// Threading: runs do not hold Python's lock, so any number of Python's threads may run one
// session at once.
#ifndef INVAR_PYTHON_SESSION_H
#define INVAR_PYTHON_SESSION_H

#include "Compiler.h"
#include "invar-c/Invar.hpp"

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

namespace invar::python {

namespace nb = nanobind;

/// What a model says of an input or output.
struct NodeArg {
  nb::str name;
  nb::str type;
  nb::object shape;
};

class Session {
public:
  Session(const MaybeBytes &path, const MaybeBytes &content,
          const CompileOptions &options, const MaybeBytes &cache,
          const MaybeBytes &foldCache, const MaybeBytes &weights, bool profile);

  std::vector<NodeArg> getInputs() const;
  std::vector<NodeArg> getOutputs() const;
  std::optional<double> getCompileSeconds() const { return compileSeconds; }
  std::vector<NodeArg> getParameters() const;
  /// Replaces weights by their names.
  void refit(const nb::dict &weights);
  uint64_t getFoldsRun() const { return session.foldsRun(); }

  /// Outputs by their names, or all; those in `places` are written there.
  nb::list run(nb::handle outputNames, const nb::dict &inputs,
               const std::optional<nb::dict> &places);

  void setProfile(bool enabled) { session.setProfile(enabled); }
  nb::str getProfile(const std::string &format) const;

private:
  size_t findOutput(nb::handle name) const;

  /// Outlives the session, which tells of what it finds in runs.
  Warnings warnings;
  rt::Session session;
  std::optional<double> compileSeconds;
};

void bindSession(nb::module_ &module);

} // namespace invar::python

#endif // INVAR_PYTHON_SESSION_H
