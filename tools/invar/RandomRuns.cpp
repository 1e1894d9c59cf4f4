// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomRuns.h"

#include "Interrupt.h"
#include "ReadInputs.h"
#include "invar/Support/Error.h"

using namespace invar;

/// The values to try for open sizes.
static constexpr int64_t openSizes[] = {2,  3,  5,   1,   4,    8,    16,
                                        32, 64, 128, 224, 1600, 16000};

llvm::Expected<std::vector<rt::Value>> RandomRuns::draw(int64_t number,
                                                        int64_t size) {
  // The first run has numbers in [0, 1), later ones in [-1, 1).
  RandomInputs random(facts, uint64_t(seed + number), size,
                      number == 0 ? 0 : -1);
  auto inputs = readInputs(session, files, &random);
  hasOpenSizes = !random.getOpenSizes().empty();
  isDrawn = random.hasDrawn();
  return inputs;
}

llvm::Expected<RandomRuns::Run> RandomRuns::run(int64_t number) {
  llvm::Error last = llvm::Error::success();
  for (int64_t size :
       llvm::ArrayRef(openSizes).drop_front(size_t(number % 3))) {
    auto inputs = draw(number, size);
    if (!inputs)
      return llvm::joinErrors(std::move(last), inputs.takeError());
    llvm::consumeError(std::move(last));
    InvarRunOptions bounds = interrupt::getRunOptions();
    auto outputs = session.run(*inputs, &bounds);
    if (outputs)
      return Run{std::move(*inputs), std::move(*outputs), isDrawn};
    bool isOfRun = outputs.error().code() == INVAR_RUN_FAILED;
    last = toError(std::move(outputs).moveInto(*outputs));
    if (!isOfRun || !isDrawn)
      return last;
    if (!hasOpenSizes)
      break;
  }
  auto [kind, text] = describe(std::move(last));
  return llvm::make_error<InvarError>(
      kind, text + "; --shape and --dim state what inputs can be, and 'invar "
                   "verify' takes them from files, by --input");
}
