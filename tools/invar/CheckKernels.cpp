// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckKernels.h"

#include "RandomRuns.h"
#include "invar/Pipelines/CompileCache.h"

using namespace invar;

llvm::Expected<CheckedKernels>
invar::checkKernels(llvm::StringRef input, CompileModelOptions options) {
  options.checksKernels = true;
  // The weights are available here.
  options.weightPlace = WeightPlace::Embed;
  Progress progress;
  auto library = openCompiled(input, options, /*folder=*/"", progress);
  if (!library)
    return library.takeError();
  progress.begin("checking kernels");
  InvarSessionOptions running = INVAR_SESSION_OPTIONS;
  running.num_threads = int32_t(options.threads);
  InvarSession *loaded = nullptr;
  if (rt::Error error{invar_session_load_descriptor(
          library->file->getDescriptor(), input.str().c_str(), &running,
          &loaded)})
    return toError(std::move(error));
  rt::Session session(loaded);
  // Later runs have other sizes, if any are open, and numbers of both signs.
  RandomRuns runs(session, options.facts, /*seed=*/0);
  for (int64_t number : {0, 1, 2})
    if (auto run = runs.run(number); !run)
      return run.takeError();
  return CheckedKernels{library->compiled->kernels, session.kernelsChecked()};
}
