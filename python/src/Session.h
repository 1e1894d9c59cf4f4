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

#include <memory>
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
          const MaybeBytes &foldCache, const MaybeBytes &weights,
          bool isLibrary, bool profile, const rt::Cancel *cancel,
          std::optional<double> timeout);

  /// Lets go of the model; runs that have begun end as they would have.
  void close() { opened.reset(); }

  /// Those that a run must bring, and those that it may.
  std::vector<NodeArg> getInputs() const;
  std::vector<NodeArg> getOverridable() const;
  std::vector<NodeArg> getOutputs() const;
  std::optional<double> getCompileSeconds() const { return compileSeconds; }
  std::vector<NodeArg> getParameters() const;
  /// Replaces weights by their names.
  void refit(nb::handle weights, const rt::Cancel *cancel,
             std::optional<double> timeout);
  uint64_t getFoldsRun() const { return get()->foldsRun(); }

  /// Outputs by their names, or all; those in `places` are written there.
  nb::list run(nb::handle outputNames, nb::handle inputs, nb::handle places,
               const rt::Cancel *cancel, std::optional<double> timeout,
               std::optional<int64_t> memoryLimit);

  void setProfile(bool enabled) { get()->setProfile(enabled); }
  nb::str getProfile(const std::string &format) const;

private:
  using Opened = std::shared_ptr<const rt::Session>;

  /// Fails where it is closed.
  Opened get() const;

  /// Outlives the session, which tells of what it finds in runs.
  Warnings warnings;
  Opened opened;
  std::optional<double> compileSeconds;
};

void bindSession(nb::module_ &module);

} // namespace invar::python

#endif // INVAR_PYTHON_SESSION_H
