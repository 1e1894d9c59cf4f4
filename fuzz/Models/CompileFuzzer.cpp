// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any model must be compiled or rejected. A compiled model must run on any inputs or
// return an error. Models with large inputs or outputs are not run, nor are models with
// loops, which may run for an arbitrarily long time.
#include "../../tools/invar/RandomInputs.h"
#include "Choices.h"
#include "invar-c/Compiler.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace invar;
using namespace invar::fuzz;

static void check(llvm::StringRef text) {
  // An error must state what was expected or what could not be done.
  if (text.contains("expected") || text.contains("but got") ||
      text.contains("cannot"))
    return;
  llvm::errs() << text << "\n";
  std::abort();
}

/// Whether a value of the type needs little memory, if its open sizes are small.
static bool isSmall(const InvarType *type) {
  if (invar_type_kind(type) != INVAR_TYPE_TENSOR)
    return invar_type_kind(type) == INVAR_TYPE_MAP ||
           isSmall(invar_type_element(type));
  constexpr int64_t most = 1 << 16;
  int64_t count = 1;
  for (int64_t axis = 0; axis < invar_type_rank(type); ++axis) {
    int64_t size = std::max<int64_t>(invar_type_size(type, size_t(axis)), 1);
    if (size > most || (count *= size) > most)
      return false;
  }
  return true;
}

/// Writes integers that are unusual as indices, axes and sizes.
static void makeOdd(const rt::Value &value, Choices &choices) {
  if (value.kind() != INVAR_TYPE_TENSOR || !value.count())
    return;
  static constexpr int64_t odd[] = {-1, 2, 3, 7, -100, INT64_MIN, INT64_MAX};
  auto at = choices.pick(size_t(value.count()));
  int64_t number = choices.among(odd);
  if (value.dataType() == INVAR_INT64)
    value.data<int64_t>()[at] = number;
  else if (value.dataType() == INVAR_INT32)
    value.data<int32_t>()[at] =
        int32_t(std::clamp<int64_t>(number, INT32_MIN, INT32_MAX));
}

static void run(const rt::Session &session, Choices &choices) {
  onnx::ShapeFacts facts;
  RandomInputs random(facts, choices.pick(1000), int64_t(choices.pick(4)), -1);
  std::vector<rt::Value> inputs;
  for (size_t i = 0; i < session.numInputs(); ++i) {
    if (!isSmall(session.inputType(i)))
      return;
    auto value = random.draw(session.inputName(i), session.inputType(i));
    if (!value)
      return llvm::consumeError(value.takeError());
    if (choices.isOneOf(4))
      makeOdd(*value, choices);
    inputs.push_back(std::move(*value));
  }
  for (size_t i = 0; i < session.numOutputs(); ++i)
    if (!isSmall(session.outputType(i)))
      return;
  // The second run reuses the memory and the constants of the first.
  for (int i = 0; i < 2; ++i)
    if (auto outputs = session.run(inputs); !outputs)
      check(outputs.error().text());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  Choices choices(bytes);
  InvarCompileOptions options = {};
  options.size = sizeof(options);
  options.num_threads = 1;
  options.plain = choices.isOneOf(3);
  options.check_kernels = choices.isOneOf(8);
  options.no_memory_plan = choices.isOneOf(4);
  options.compress_weights = choices.isOneOf(4);
  options.refittable = choices.isOneOf(8);
  options.fold_at = choices.among<const char *>({nullptr, "run", "never"});
  options.winograd = choices.among<const char *>({nullptr, "on"});
  InvarSessionOptions running = INVAR_SESSION_OPTIONS;
  running.num_threads = 1;

  InvarModelSource model = {nullptr, data, size};
  InvarSession *made = nullptr;
  if (rt::Error error{
          invar_session_open(&model, &options, "", &running, nullptr, &made)}) {
    check(error.text());
    return -1; // do not add to the corpus
  }
  rt::Session session(made);
  if (!bytes.contains("Loop") && !bytes.contains("Scan"))
    run(session, choices);
  return 0;
}
