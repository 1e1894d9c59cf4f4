// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any model must be optimized or rejected, and a written model must be readable.
#include "Choices.h"
#include "invar-c/Compiler.h"
#include "invar-c/Invar.hpp"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace invar;
using namespace invar::fuzz;

/// Returns a path in memory that is unique to this process: fuzzers run in parallel.
static const std::string &getOutput() {
  static const std::string path =
      "/dev/shm/invar-fuzz-" + std::to_string(getpid()) + ".onnx";
  return path;
}

static rt::Error optimize(const InvarModelSource &model,
                          const InvarOptimizeOptions &options) {
  return rt::Error(invar_optimize(&model, getOutput().c_str(), &options));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  Choices choices(bytes);
  InvarOptimizeOptions options = {};
  options.size = sizeof(options);
  options.num_threads = 1;
  options.exact_only = choices.isOneOf(4);
  options.fix_defaults = choices.isOneOf(4);
  options.max_growth = choices.among<int64_t>({0, -1, 1 << 20});
  options.opset = choices.among<int64_t>({0, 0, 0, 13, 18, 21});

  rt::Error error = optimize({nullptr, data, size}, options);
  if (error) {
    // An error must state what was expected or what could not be done.
    llvm::StringRef text = error.text();
    if (text.contains("expected") || text.contains("but got") ||
        text.contains("cannot"))
      return -1; // do not add to the corpus
    llvm::errs() << text << "\n";
    std::abort();
  }
  const char *none[] = {"none"};
  InvarOptimizeOptions reading = {};
  reading.size = sizeof(reading);
  reading.num_threads = 1;
  reading.passes = none;
  reading.num_passes = 1;
  if (rt::Error again = optimize({getOutput().c_str(), nullptr, 0}, reading)) {
    llvm::errs() << "expected to read what was written, but got: "
                 << again.text() << "\n";
    std::abort();
  }
  unlink(getOutput().c_str());
  return 0;
}
