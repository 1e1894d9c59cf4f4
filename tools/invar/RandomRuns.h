// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a model on random inputs, or on inputs from files. A model does not declare
// which values its open sizes can take, so several are tried until it runs.
#ifndef INVAR_TOOLS_INVAR_RANDOMRUNS_H
#define INVAR_TOOLS_INVAR_RANDOMRUNS_H

#include "Values.h"
#include "invar/Simplify/ShapeFacts.h"

namespace invar {

class RandomRuns {
public:
  /// `session` and `facts`, which states sizes, must outlive this object. `files` are
  /// as for readInputs().
  RandomRuns(rt::Session &session, const onnx::ShapeFacts &facts, int64_t seed,
             std::vector<std::string> files = {})
      : session(session), facts(facts), seed(seed), files(std::move(files)) {}

  struct Run {
    /// One value for each input of the session; empty for an input with a default and
    /// no file.
    std::vector<rt::Value> inputs;
    std::vector<rt::Value> outputs;
    /// Whether inputs depend on the number of the run.
    bool isDrawn = false;
  };
  /// Makes the run of this number. Other numbers have other inputs and begin with other
  /// sizes.
  llvm::Expected<Run> run(int64_t number);

private:
  llvm::Expected<std::vector<rt::Value>> draw(int64_t number, int64_t size);

  rt::Session &session;
  const onnx::ShapeFacts &facts;
  int64_t seed;
  std::vector<std::string> files;
  bool hasOpenSizes = false, isDrawn = false;
};

} // namespace invar

#endif // INVAR_TOOLS_INVAR_RANDOMRUNS_H
