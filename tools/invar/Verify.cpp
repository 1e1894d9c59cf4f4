// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Commands.h"
#include "CompareValues.h"
#include "Interrupt.h"
#include "OpenModel.h"
#include "Options.h"
#include "RandomRuns.h"
#include "invar/Files/LibraryName.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <map>

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

namespace {
struct Verdict {
  std::string name;
  ValueDifference difference;
  /// Two runs of the first model differ by more than the tolerance, so no verdict is
  /// possible.
  bool isRandom = false;
};

class Verifying {
public:
  /// Without a second model, the first is compared with its own meaning.
  Verifying(const llvm::opt::InputArgList &arguments,
            llvm::ArrayRef<std::string> models)
      : arguments(arguments), first(models.front()), second(models.back()),
        isAlone(models.size() == 1) {}

  llvm::Error run() {
    if (llvm::Error error = readOptions())
      return error;
    if (llvm::Error error = checkLibraries())
      return error;
    options.isPlain = isAlone;
    if (llvm::Error error = openModel(first, options).moveInto(original))
      return error;
    options.isPlain = false;
    options.checksKernels = isAlone;
    if (llvm::Error error = openModel(second, options).moveInto(other))
      return error;
    if (llvm::Error error = matchNames())
      return error;
    RandomRuns inputs(original.session, options.facts, seed,
                      arguments.getAllArgValues(OPT_input));
    for (int64_t i = 0; i < runs; ++i)
      if (llvm::Error error = compareOnce(inputs, i))
        return error;
    return tell();
  }

private:
  llvm::Error readOptions() {
    if (llvm::Error error = readOpenOptions(arguments, options))
      return error;
    if (llvm::Error error = getInt(arguments, OPT_runs, 3).moveInto(runs))
      return error;
    if (runs < 1)
      return badUsage("expected a number from 1 for '--runs', but got " +
                      llvm::Twine(runs));
    if (llvm::Error error = getInt(arguments, OPT_seed, 0).moveInto(seed))
      return error;
    for (auto [option, limit] : {std::pair(OPT_rtol, &tolerance.relative),
                                 std::pair(OPT_atol, &tolerance.absolute)}) {
      if (!arguments.hasArg(option))
        continue;
      StringRef text = arguments.getLastArgValue(option);
      double number = 0;
      if (text.getAsDouble(number) || !(number >= 0))
        return badUsage("expected a number from 0 for '" +
                        arguments.getLastArg(option)->getSpelling().rtrim('=') +
                        "', but got '" + text + "'");
      *limit = number;
    }
    return llvm::Error::success();
  }

  /// Comparing a library runs its code, which may be untrusted. So --library must be
  /// given explicitly.
  llvm::Error checkLibraries() const {
    for (const std::string &path : {first, second}) {
      if (!isLibraryName(path))
        continue;
      if (isAlone)
        return badUsage("expected a model, whose meaning is known, but got the "
                        "library '" +
                        path + "'; name a second model to compare it with");
      if (!arguments.hasArg(OPT_library))
        return badUsage("expected models, but got the library '" + path +
                        "', whose code would be run to compare it: state "
                        "'--library' if you trust it");
    }
    return llvm::Error::success();
  }

  /// Matches inputs and outputs by name, in any order; both models must have the same.
  /// An input with a default may be missing: without a file for it, each model uses its
  /// own default.
  llvm::Error matchNames() {
    auto match = [&](StringRef what, size_t count, auto nameOf,
                     size_t otherCount, auto otherNameOf,
                     std::vector<size_t> &places) -> llvm::Error {
      std::map<StringRef, size_t> known;
      for (size_t i = 0; i < count; ++i)
        known[nameOf(i)] = i;
      std::vector<StringRef> names;
      for (size_t i = 0; i < otherCount; ++i) {
        names.push_back(otherNameOf(i));
        auto found = known.find(otherNameOf(i));
        if (found != known.end())
          places.push_back(found->second);
      }
      if (places.size() == count && otherCount == count)
        return llvm::Error::success();
      return badInput(second + ": expected the " + what + " of '" + first +
                      "', '" +
                      llvm::join(llvm::make_first_range(known), "', '") +
                      "', but got '" + llvm::join(names, "', '") + "'");
    };
    rt::Session &a = original.session, &b = other.session;
    if (llvm::Error error = match(
            "inputs", a.numRequired(), [&](size_t i) { return a.inputName(i); },
            b.numRequired(), [&](size_t i) { return b.inputName(i); },
            inputPlaces))
      return error;
    for (size_t i = b.numRequired(); i < b.numInputs(); ++i)
      inputPlaces.push_back(findInput(a, b.inputName(i)));
    if (llvm::Error error = match(
            "outputs", a.numOutputs(),
            [&](size_t i) { return a.outputName(i); }, b.numOutputs(),
            [&](size_t i) { return b.outputName(i); }, outputPlaces))
      return error;
    for (size_t i = 0; i < b.numOutputs(); ++i)
      verdicts.push_back({b.outputName(i), {}, false});
    return llvm::Error::success();
  }

  /// The position of an input by name; numInputs() if there is none.
  static size_t findInput(const rt::Session &session, StringRef name) {
    size_t i = 0;
    while (i < session.numInputs() && session.inputName(i) != name)
      ++i;
    return i;
  }

  llvm::Error compareOnce(RandomRuns &all, int64_t run) {
    auto done = all.run(run);
    if (!done)
      return done.takeError();
    const auto &[inputs, expected, isDrawn] = *done;
    // Inputs from files need only one run.
    if (!isDrawn)
      runs = 1;
    std::vector<rt::Value> reordered, again;
    for (size_t place : inputPlaces)
      reordered.push_back(place < inputs.size() ? inputs[place] : rt::Value());
    InvarRunOptions bounds = interrupt::getRunOptions();
    auto got = other.session.run(reordered, &bounds);
    if (!got)
      return toError(std::move(got).moveInto(*got));
    for (auto [i, value] : llvm::enumerate(*got)) {
      const rt::Value &wanted = expected[outputPlaces[i]];
      ValueDifference difference = compareValues(wanted, value, tolerance);
      if (!difference.agrees && again.empty()) {
        auto repeated = original.session.run(inputs, &bounds);
        if (!repeated)
          return toError(std::move(repeated).moveInto(*repeated));
        again = std::move(*repeated);
      }
      if (!difference.agrees &&
          !compareValues(wanted, again[outputPlaces[i]], tolerance).agrees)
        verdicts[i].isRandom = true;
      else
        verdicts[i].difference.add(difference);
    }
    return llvm::Error::success();
  }

  llvm::Error tell() const {
    bool agree = llvm::all_of(verdicts, [](const Verdict &verdict) {
      return verdict.difference.agrees;
    });
    if (arguments.hasArg(OPT_json)) {
      // JSON cannot represent infinity.
      auto bound = [](double number) {
        return std::min(number, std::numeric_limits<double>::max());
      };
      llvm::json::Array outputs;
      for (const Verdict &verdict : verdicts)
        outputs.push_back(
            llvm::json::Object{{"name", llvm::json::fixUTF8(verdict.name)},
                               {"absolute", bound(verdict.difference.absolute)},
                               {"relative", bound(verdict.difference.relative)},
                               {"random", verdict.isRandom},
                               {"agrees", verdict.difference.agrees}});
      llvm::outs() << llvm::json::Value(llvm::json::Object{
                          {"agree", agree},
                          {"runs", runs},
                          {"checked_kernels",
                           int64_t(other.session.kernelsChecked())},
                          {"outputs", std::move(outputs)}})
                   << "\n";
    } else {
      for (const Verdict &verdict : verdicts)
        llvm::outs() << inOneLine(verdict.name) << ": "
                     << (verdict.isRandom ? "random, so nothing can be said\n"
                         : verdict.difference.agrees ? "agrees"
                                                     : "differs")
                     << (verdict.isRandom
                             ? ""
                             : llvm::formatv(
                                   " (by {0:E1}, {1:E1} relatively)\n",
                                   verdict.difference.absolute,
                                   verdict.difference.relative)
                                   .str());
      if (isAlone)
        llvm::outs() << other.session.kernelsChecked()
                     << " kernels agree with plain loops\n";
      if (agree)
        llvm::outs() << "outputs agree on " << runs
                     << (runs == 1 ? " input\n" : " inputs\n");
    }
    if (agree)
      return llvm::Error::success();
    return badInput(second + ": expected the outputs of " +
                    (isAlone ? "plain loops" : "'" + first + "'") +
                    ", but got others");
  }

  const llvm::opt::InputArgList &arguments;
  std::string first, second;
  bool isAlone;
  OpenOptions options;
  int64_t runs = 0, seed = 0;
  Tolerance tolerance;
  OpenedModel original, other;
  /// The positions of the second model's inputs and outputs in the first model.
  std::vector<size_t> inputPlaces, outputPlaces;
  std::vector<Verdict> verdicts;
};
} // namespace

llvm::Error invar::runVerify(llvm::ArrayRef<const char *> arguments) {
  llvm::BumpPtrAllocator storage;
  llvm::StringSaver strings(storage);
  auto list = parse(VerifyOption, arguments, strings);
  if (!list)
    return list.takeError();
  if (list->hasArg(OPT_help)) {
    printHelp(VerifyOption, "invar verify A [B] [options]",
              "Runs the models A and B on the same inputs, from files or "
              "random ones, and compares their outputs. Without B, compares A "
              "as it is compiled with A as plain loops, kernel by kernel");
    return llvm::Error::success();
  }
  std::vector<std::string> models = list->getAllArgValues(OPT_INPUT);
  if (models.empty() || models.size() > 2)
    return badUsage("expected one or two models, but got " +
                    llvm::Twine(models.size()) +
                    "; 'invar verify --help' shows how");
  return Verifying(*list, models).run();
}
