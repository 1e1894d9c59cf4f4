// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session for Python, with an interface that users of onnxruntime know.
//
// Threading: runs do not hold Python's lock, so any number of Python threads may run
// one session at the same time.
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

/// The description of an input or output.
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

  /// Releases the model. Runs that have begun finish normally.
  void close() { opened.reset(); }

  /// The required inputs, and the optional ones.
  std::vector<NodeArg> getInputs() const;
  std::vector<NodeArg> getOverridable() const;
  std::vector<NodeArg> getOutputs() const;
  std::optional<double> getCompileSeconds() const { return compileSeconds; }
  std::vector<NodeArg> getParameters() const;
  /// Replaces weights by name.
  void refit(nb::handle weights, const rt::Cancel *cancel,
             std::optional<double> timeout);
  uint64_t getFoldsRun() const { return get()->foldsRun(); }

  /// Returns the named outputs, or all. Outputs in `places` are written there.
  nb::list run(nb::handle outputNames, nb::handle inputs, nb::handle places,
               const rt::Cancel *cancel, std::optional<double> timeout,
               std::optional<int64_t> memoryLimit);

  void setProfile(bool enabled) { get()->setProfile(enabled); }
  nb::str getProfile(const std::string &format) const;

private:
  using Opened = std::shared_ptr<const rt::Session>;

  /// Fails if the session is closed.
  Opened get() const;

  /// Must outlive the session, which reports warnings during runs.
  Warnings warnings;
  Opened opened;
  std::optional<double> compileSeconds;
};

void bindSession(nb::module_ &module);

} // namespace invar::python

#endif // INVAR_PYTHON_SESSION_H
