// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of a model on inputs that are drawn, or that files bring. A model does not say which
// sizes it can take where they are open, so some are tried, one after another, until it runs.
#ifndef INVAR_TOOLS_INVAR_RANDOMRUNS_H
#define INVAR_TOOLS_INVAR_RANDOMRUNS_H

#include "Values.h"
#include "invar/Simplify/ShapeFacts.h"

namespace invar {

class RandomRuns {
public:
  /// `session` and `facts`, which state sizes, must live as long. `files` are as readInputs()
  /// takes them.
  RandomRuns(rt::Session &session, const onnx::ShapeFacts &facts, int64_t seed,
             std::vector<std::string> files = {})
      : session(session), facts(facts), seed(seed), files(std::move(files)) {}

  struct Run {
    /// For each input of the session; nothing for one that has a default and no file.
    std::vector<rt::Value> inputs;
    std::vector<rt::Value> outputs;
    /// Whether another number would have other inputs.
    bool isDrawn = false;
  };
  /// The run of a number: others have other inputs and begin with other sizes.
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
