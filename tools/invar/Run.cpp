// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Commands.h"
#include "Interrupt.h"
#include "MapFile.h"
#include "Npy.h"
#include "OpenModel.h"
#include "Options.h"
#include "ReadInputs.h"
#include "invar/Support/Error.h"
#include "invar/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

namespace {
/// One run of the command.
class Running {
public:
  explicit Running(const llvm::opt::InputArgList &arguments)
      : arguments(arguments) {}

  llvm::Error run(const std::string &model) {
    if (llvm::Error error = readOptions())
      return error;
    if (llvm::Error error = openModel(model, options).moveInto(opened))
      return error;
    if (llvm::Error error = makeInputs())
      return error;
    if (llvm::Error error = measure())
      return error;
    if (llvm::Error error = writeOutputs())
      return error;
    if (llvm::Error error = writeProfile())
      return error;
    tell();
    return llvm::Error::success();
  }

private:
  llvm::Error readOptions() {
    if (llvm::Error error = readOpenOptions(arguments, options))
      return error;
    options.profile = wantsProfile();
    options.isLibrary = arguments.hasArg(OPT_library);
    if (llvm::Error error = getInt(arguments, OPT_repeat, 1).moveInto(repeat))
      return error;
    if (repeat < 1 || repeat > 1'000'000'000)
      return badUsage("expected a number from 1 for '--repeat', but got " +
                      llvm::Twine(repeat));
    auto timeout = getTimeout(arguments);
    if (!timeout)
      return timeout.takeError();
    // In the API, 0 means no timeout, and a negative number one that is over at once.
    if (*timeout)
      bounds.timeout_ns = (*timeout)->count() ? (*timeout)->count() : -1;
    if (arguments.hasArg(OPT_memory_limit)) {
      if (llvm::Error error =
              parseSize(arguments.getLastArgValue(OPT_memory_limit),
                        "--memory-limit")
                  .moveInto(bounds.memory_limit))
        return error;
      bounds.memory_limit = std::max<uint64_t>(bounds.memory_limit, 1);
    }
    return getInt(arguments, OPT_random_eq, 0).moveInto(seed);
  }

  bool wantsProfile() const {
    return arguments.hasArg(OPT_run_profile, OPT_run_profile_eq);
  }

  llvm::Error makeInputs() {
    bool isRandom = arguments.hasArg(OPT_random, OPT_random_eq);
    // For a model, compiling has checked the facts about sizes; for a library, check
    // them here.
    if (opened.isLibrary && isRandom)
      if (llvm::Error error = checkNames())
        return error;
    RandomInputs random(options.facts, uint64_t(seed));
    if (llvm::Error error =
            readInputs(opened.session, arguments.getAllArgValues(OPT_input),
                       isRandom ? &random : nullptr)
                .moveInto(inputs))
      return error;
    for (StringRef name : random.getOpenSizes())
      llvm::errs() << "note: size '" << inOneLine(name)
                   << "' is open and was taken to be 1; --dim and --shape "
                      "state another\n";
    return llvm::Error::success();
  }

  /// Checks that each name in the facts exists.
  llvm::Error checkNames() const {
    std::vector<StringRef> sizes, names;
    for (size_t i = 0; i < opened.session.numInputs(); ++i) {
      names.push_back(opened.session.inputName(i));
      const InvarType *type = opened.session.inputType(i);
      while (invar_type_kind(type) != INVAR_TYPE_TENSOR)
        type = invar_type_element(type);
      for (int64_t axis = 0; axis < invar_type_rank(type); ++axis)
        if (const char *name = invar_type_size_name(type, size_t(axis)))
          sizes.push_back(name);
    }
    for (const auto &shape : options.facts.shapes) {
      if (!llvm::is_contained(names, shape.input))
        return badUsage("expected an input of the model, but got '" +
                        shape.input + "'");
      llvm::append_range(sizes, shape.dims);
    }
    for (const auto &range : options.facts.ranges)
      if (!llvm::is_contained(sizes, range.name))
        return badUsage("expected an open size of an input, but got '" +
                        range.name + "'");
    return llvm::Error::success();
  }

  llvm::Error measure() {
    for (int64_t i = 0; i < repeat; ++i) {
      outputs.clear();
      auto start = std::chrono::steady_clock::now();
      auto result = opened.session.run(inputs, &bounds);
      std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      if (!result)
        return toError(std::move(result).moveInto(*result));
      times.push_back(took.count());
      for (size_t at = 0; at < result->size(); ++at)
        outputs.push_back({opened.session.outputName(at), (*result)[at]});
    }
    first = times.front();
    llvm::sort(times);
    return llvm::Error::success();
  }

  llvm::Error writeOutputs() {
    if (!arguments.hasArg(OPT_output_dir))
      return llvm::Error::success();
    StringRef folder = arguments.getLastArgValue(OPT_output_dir);
    if (std::error_code error = llvm::sys::fs::create_directories(folder))
      return systemError(folder, "make the folder", error.value());
    std::map<std::string, std::string> names;
    for (const NamedValue &output : outputs)
      for (const NamedValue &part : getParts(output.name, output.value)) {
        bool isJson = isOfMaps(part.value);
        std::string file = part.name + (isJson ? ".json" : ".npy");
        llvm::replace(file, '/', '_');
        auto [other, isNew] = names.try_emplace(file, part.name);
        // A model may list the same value twice.
        if (!isNew && other->second == part.name)
          continue;
        if (!isNew)
          return badInput(folder + ": expected a file for each output, but '" +
                          other->second + "' and '" + part.name +
                          "' would both be '" + file + "'");
        llvm::SmallString<128> path(folder);
        llvm::sys::path::append(path, file);
        if (llvm::Error error = isJson ? writeMaps(path, part.value)
                                       : writeNpy(path, part.value))
          return error;
      }
    return llvm::Error::success();
  }

  llvm::Error writeProfile() {
    StringRef path = arguments.getLastArgValue(OPT_run_profile_eq);
    if (path.empty())
      return llvm::Error::success();
    auto file = OutputFile::create(path, {.removeOnSignal = true});
    if (!file)
      return file.takeError();
    if (llvm::Error error =
            (*file)->write(opened.session.profile(INVAR_PROFILE_TRACE)))
      return error;
    return (*file)->commit();
  }

  double getMedian() const {
    size_t half = times.size() / 2;
    return times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2;
  }

  void tell() {
    bool isJson = arguments.hasArg(OPT_json);
    // With --json, standard output must have only one line.
    if (wantsProfile())
      (isJson ? llvm::errs() : llvm::outs())
          << opened.session.profile(INVAR_PROFILE_TABLE);
    if (isJson)
      return tellAsJson();
    if (!arguments.hasArg(OPT_output_dir))
      printOutputs(outputs);
    if (opened.compileSeconds)
      llvm::outs() << llvm::format("compiled in %.2f s, ",
                                   *opened.compileSeconds);
    llvm::outs() << llvm::format("loaded in %.2f ms, ran in %.3f ms",
                                 opened.loadSeconds * 1e3, getMedian());
    if (repeat > 1)
      llvm::outs() << llvm::format(" (median of %lld, least %.3f)",
                                   (long long)repeat, times.front());
    llvm::outs() << "\n";
  }

  void tellAsJson() const {
    llvm::json::Array described;
    for (const NamedValue &output : outputs)
      for (const NamedValue &part : getParts(output.name, output.value))
        described.push_back(llvm::json::Object{
            {"name", llvm::json::fixUTF8(part.name)},
            {"type", formatType(part.value)},
            {"shape", llvm::json::Array(getSizes(part.value))}});
    llvm::json::Object object{
        {"median_ms", getMedian()},
        {"min_ms", times.front()},
        {"first_ms", first},
        {"load_ms", opened.loadSeconds * 1e3},
        {"runs", repeat},
        {"outputs", std::move(described)},
        {"folds_run", int64_t(opened.session.foldsRun())}};
    if (opened.compileSeconds)
      object["compile_ms"] = *opened.compileSeconds * 1e3;
    llvm::outs() << llvm::json::Value(std::move(object)) << "\n";
  }

  const llvm::opt::InputArgList &arguments;
  OpenOptions options;
  InvarRunOptions bounds = interrupt::getRunOptions();
  int64_t repeat = 1, seed = 0;
  OpenedModel opened;
  std::vector<rt::Value> inputs;
  std::vector<NamedValue> outputs;
  /// The time of each run in milliseconds, ascending.
  std::vector<double> times;
  double first = 0;
};
} // namespace

llvm::Error invar::runRun(llvm::ArrayRef<const char *> arguments) {
  llvm::BumpPtrAllocator storage;
  llvm::StringSaver strings(storage);
  auto list = parse(RunOption, arguments, strings);
  if (!list)
    return list.takeError();
  if (list->hasArg(OPT_help)) {
    printHelp(
        RunOption, "invar run MODEL [options]",
        "Runs MODEL: a library that 'invar compile' wrote, if it is named "
        "'.so', or a model, which is compiled first");
    return llvm::Error::success();
  }
  std::vector<std::string> models = list->getAllArgValues(OPT_INPUT);
  if (models.size() != 1)
    return badUsage("expected one model, but got " +
                    llvm::Twine(models.size()) +
                    "; 'invar run --help' shows how");
  return Running(*list).run(models[0]);
}
