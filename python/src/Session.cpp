// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Session.h"

#include "DataTypes.h"
#include "Failure.h"
#include "Values.h"
#include "Waiting.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

using namespace invar;
using namespace invar::python;
using namespace nb::literals;

// Opening

/// Loads a library from a path or from memory.
static InvarStatus *loadLibrary(const InvarModelSource &source,
                                const InvarSessionOptions &running,
                                InvarSession **made) {
  return source.path ? invar_session_load(source.path, &running, made)
                     : invar_session_load_bytes(source.bytes, source.size,
                                                "model", &running, made);
}

Session::Session(const MaybeBytes &path, const MaybeBytes &content,
                 const CompileOptions &options, const MaybeBytes &cache,
                 const MaybeBytes &foldCache, const MaybeBytes &weights,
                 bool isLibrary, bool profile, const rt::Cancel *cancel,
                 std::optional<double> timeout) {
  Limits limits{cancel, timeout};
  Source source(path, content);
  InvarCompileOptions compiling = options.get();
  compiling.warnings = warnings.get();
  InvarSessionOptions running = INVAR_SESSION_OPTIONS;
  running.num_threads = options.getThreads();
  running.profile = profile;
  std::string folds = foldCache ? toText(*foldCache) : "";
  running.fold_cache = foldCache ? folds.c_str() : nullptr;
  std::string file = weights ? toText(*weights) : "";
  running.weights = weights ? file.c_str() : nullptr;
  running.warn = compiling.warnings.warn;
  running.warn_context = compiling.warnings.context;
  InvarOpening opening = {sizeof(InvarOpening), 0, -1};
  compiling.timeout_ns = limits.getTimeout();
  const char *folder = cache ? cache->c_str() : nullptr;
  waitForWork(limits, [&](InvarCancel *token) {
    compiling.cancel = token;
    InvarSession *made = nullptr;
    InvarStatus *status =
        isLibrary ? loadLibrary(*source.get(), running, &made)
                  : invar_session_open(source.get(), &compiling, folder,
                                       &running, &opening, &made);
    if (!status)
      opened = std::make_shared<const rt::Session>(made);
    return status;
  });
  if ((isLibrary || opening.is_library) && options.areOfModels())
    reject("a model for options of compiling", "a library");
  if (opening.compile_seconds >= 0)
    compileSeconds = opening.compile_seconds;
  // The caller is two levels up: above the package's class.
  warnings.tell(2);
}

Session::Opened Session::get() const {
  if (!opened)
    reject("a session that is open", "one that is closed");
  return opened;
}

// Inputs and outputs

static NodeArg makeNodeArg(const char *name, const InvarType *type) {
  return {toStr(name), toStr(describe(type)), getShape(type)};
}

static std::vector<NodeArg> listInputs(const rt::Session &session,
                                       bool haveDefaults) {
  std::vector<NodeArg> inputs;
  for (size_t i = 0; i < session.numInputs(); ++i)
    if (session.hasDefault(i) == haveDefaults)
      inputs.push_back(makeNodeArg(session.inputName(i), session.inputType(i)));
  return inputs;
}

std::vector<NodeArg> Session::getInputs() const {
  return listInputs(*get(), false);
}

std::vector<NodeArg> Session::getOverridable() const {
  return listInputs(*get(), true);
}

std::vector<NodeArg> Session::getOutputs() const {
  Opened session = get();
  std::vector<NodeArg> outputs;
  for (size_t i = 0; i < session->numOutputs(); ++i)
    outputs.push_back(
        makeNodeArg(session->outputName(i), session->outputType(i)));
  return outputs;
}

std::vector<NodeArg> Session::getParameters() const {
  Opened session = get();
  std::vector<NodeArg> parameters;
  for (size_t i = 0; i < session->numParameters(); ++i)
    parameters.push_back(
        makeNodeArg(session->parameterName(i), session->parameterType(i)));
  return parameters;
}

static size_t findOutput(const rt::Session &session, nb::handle name) {
  std::string wanted = toText(name), all;
  for (size_t i = 0; i < session.numOutputs(); ++i) {
    if (wanted == session.outputName(i))
      return i;
    all.append(i ? ", '" : "'").append(session.outputName(i)).append("'");
  }
  reject("the name of an output, " + all, "'" + wanted + "'");
}

// Running

namespace {
/// Values by name, in the order in which they were given.
struct Feeds {
  std::vector<std::string> names;
  std::vector<rt::Value> values;

  std::vector<const char *> getNames() const {
    std::vector<const char *> all;
    for (const std::string &name : names)
      all.push_back(name.c_str());
    return all;
  }
  std::vector<InvarValue *> getValues() const {
    std::vector<InvarValue *> all;
    for (const rt::Value &value : values)
      all.push_back(value.get());
    return all;
  }
};
} // namespace

static std::string quoted(const char *what, const std::string &name) {
  return std::string(what) + " '" + name + "'";
}

/// The entries of any mapping.
static std::vector<std::pair<nb::object, nb::object>>
listEntries(nb::handle mapping, const char *what) {
  if (!isMapping(mapping))
    throw nb::type_error((std::string("expected a mapping of ") + what +
                          ", but got " + toUtf8(nb::inst_name(mapping)))
                             .c_str());
  std::vector<std::pair<nb::object, nb::object>> entries;
  for (nb::handle entry : nb::object(mapping.attr("items")()))
    entries.emplace_back(entry[0], entry[1]);
  return entries;
}

/// An object with an unknown input name becomes an empty value, which the runtime
/// reports.
static Feeds readFeeds(const rt::Session &session, nb::handle inputs,
                       const Limits &limits) {
  Feeds feeds;
  for (const auto &[key, object] : listEntries(inputs, "inputs")) {
    std::string name = toText(key);
    rt::Value value;
    for (size_t i = 0; i < session.numInputs(); ++i)
      if (name == session.inputName(i))
        value = toValue(object, session.inputType(i), quoted("input", name),
                        limits);
    feeds.names.push_back(std::move(name));
    feeds.values.push_back(std::move(value));
  }
  return feeds;
}

/// Runs without Python's lock. Empty outputs are allocated.
static void runInto(const rt::Session &session, const Feeds &feeds,
                    std::vector<rt::Value> &outputs, const Limits &limits,
                    uint64_t memory) {
  std::vector<const char *> names = feeds.getNames();
  std::vector<InvarValue *> in = feeds.getValues(), out;
  for (const rt::Value &value : outputs)
    out.push_back(value.get());
  // A null list of names would mean the session's order, so it must not be null without
  // inputs.
  const char *none = nullptr;
  waitForRun(limits, memory, [&](const InvarRunOptions &options) {
    InvarStatus *status = invar_session_run_with(
        session.get(), &options, names.empty() ? &none : names.data(),
        in.data(), in.size(), out.data(), out.size());
    // Take ownership now: a signal handler's exception may be thrown after the run.
    if (!status)
      for (size_t i = 0; i < out.size(); ++i)
        if (!outputs[i])
          outputs[i] = rt::Value(out[i]);
    return status;
  });
}

nb::list Session::run(nb::handle outputNames, nb::handle inputs,
                      nb::handle places, const rt::Cancel *cancel,
                      std::optional<double> timeout,
                      std::optional<int64_t> memoryLimit) {
  Limits limits(cancel, timeout);
  if (memoryLimit && *memoryLimit < 0)
    reject("a memory limit of at least 0 bytes", std::to_string(*memoryLimit));
  // An own reference, so that the session stays alive if it is closed meanwhile.
  Opened own = get();
  const rt::Session &session = *own;
  std::vector<size_t> wanted;
  if (!outputNames.is_none())
    for (nb::handle name : outputNames)
      wanted.push_back(findOutput(session, name));
  // An empty list means all outputs, as in onnxruntime.
  if (wanted.empty())
    for (size_t i = 0; i < session.numOutputs(); ++i)
      wanted.push_back(i);

  Feeds feeds = readFeeds(session, inputs, limits);
  std::vector<rt::Value> outputs(session.numOutputs());
  std::vector<nb::object> given(session.numOutputs());
  if (!places.is_none())
    for (const auto &[name, array] : listEntries(places, "outputs")) {
      size_t output = findOutput(session, name);
      outputs[output] = toPlace(array, quoted("output", toUtf8(name)));
      given[output] = array;
    }
  // In the API, 0 means no limit, so use 1 byte instead.
  uint64_t memory =
      memoryLimit ? uint64_t(std::max<int64_t>(*memoryLimit, 1)) : 0;
  runInto(session, feeds, outputs, limits, memory);
  warnings.tell(1);

  Giver giver(limits);
  for (const rt::Value &value : feeds.values)
    giver.know(value);
  for (size_t output : wanted)
    if (!given[output])
      given[output] = giver.give(std::move(outputs[output]));
  nb::list results;
  for (size_t output : wanted)
    results.append(given[output]);
  return results;
}

// Weights

void Session::refit(nb::handle weights, const rt::Cancel *cancel,
                    std::optional<double> timeout) {
  Limits limits(cancel, timeout);
  Opened own = get();
  const rt::Session &session = *own;
  Feeds feeds;
  for (const auto &[key, object] : listEntries(weights, "weights")) {
    std::string name = toText(key);
    rt::Value value;
    // An object with an unknown parameter name becomes an empty value, which the
    // runtime reports.
    for (size_t i = 0; i < session.numParameters(); ++i)
      if (name == session.parameterName(i))
        value = toValue(object, session.parameterType(i),
                        quoted("weight", name), limits);
    feeds.names.push_back(std::move(name));
    feeds.values.push_back(std::move(value));
  }
  std::vector<const char *> names = feeds.getNames();
  std::vector<InvarValue *> values = feeds.getValues();
  waitForRun(limits, 0, [&](const InvarRunOptions &options) {
    return invar_session_refit_with(session.get(), &options, names.data(),
                                    values.data(), values.size());
  });
}

// Profile

nb::str Session::getProfile(const std::string &format) const {
  if (format != "table" && format != "trace")
    reject("'table' or 'trace'", "'" + format + "'");
  return toStr(get()->profile(format == "trace" ? INVAR_PROFILE_TRACE
                                                : INVAR_PROFILE_TABLE));
}

// Binding

static nb::str represent(const NodeArg &node) {
  return nb::str("NodeArg(name={!r}, type={!r}, shape={!r})")
      .format(node.name, node.type, node.shape);
}

void invar::python::bindSession(nb::module_ &module) {
  nb::class_<NodeArg>(module, "NodeArg",
                      "What a model says of an input or output.")
      .def_ro("name", &NodeArg::name, nb::sig("def name(self) -> str"))
      .def_ro("type", &NodeArg::type, nb::sig("def type(self) -> str"),
              "In onnxruntime's words: 'tensor(float)', 'seq(tensor(float))', "
              "'map(int64,tensor(float))'.")
      .def_ro("shape", &NodeArg::shape,
              nb::sig("def shape(self) -> list[int | str | None] | None"),
              "Numbers, names of open sizes, and None for others; None where "
              "any rank will do.")
      .def("__repr__", represent);

  nb::class_<Session>(module, "Session")
      .def(nb::init<const MaybeBytes &, const MaybeBytes &,
                    const CompileOptions &, const MaybeBytes &,
                    const MaybeBytes &, const MaybeBytes &, bool, bool,
                    const rt::Cancel *, std::optional<double>>(),
           "path"_a.none(), "content"_a.none(), "options"_a, "cache"_a.none(),
           "fold_cache"_a.none(), "weights"_a.none(), "library"_a, "profile"_a,
           "cancel"_a.none(), "timeout"_a.none(),
           nb::sig("def __init__(self, path: bytes | None, "
                   "content: bytes | None, options: CompileOptions, "
                   "cache: bytes | None, fold_cache: bytes | None, "
                   "weights: bytes | None, library: bool, "
                   "profile: bool, cancel: Cancel | None, "
                   "timeout: float | None) -> None"))
      .def("close", &Session::close,
           "Lets go of the model. Runs that have begun end as they would "
           "have; nothing else can be\nasked of the session any more.")
      .def("get_inputs", &Session::getInputs,
           "The inputs that a run must bring.")
      .def("get_overridable_initializers", &Session::getOverridable,
           "The inputs that a run may bring: the model has a value of its own "
           "for them.")
      .def("get_outputs", &Session::getOutputs)
      .def_prop_ro("compile_seconds", &Session::getCompileSeconds,
                   "How long it took to compile the model; None where that "
                   "was not needed.")
      .def_prop_ro("folds_run", &Session::getFoldsRun,
                   "How many parts of the model's constants this session has "
                   "computed: all in its\nfirst run, or none where they were "
                   "computed before.")
      .def("get_parameters", &Session::getParameters,
           "The weights that refit() can replace.")
      .def("refit", &Session::refit, "weights"_a, nb::kw_only(),
           "cancel"_a.none() = nb::none(), "timeout"_a.none() = nb::none(),
           nb::sig("def refit(self, weights: collections.abc.Mapping[str, "
                   "typing.Any], *, cancel: Cancel | None = None, "
                   "timeout: float | None = None) -> None"),
           "Replaces weights by their names, all or, if it fails, none. What "
           "was computed from them,\nand only that, is computed again. Runs "
           "that have begun go on with the weights they began\nwith.")
      .def(
          "run", &Session::run, "output_names"_a.none(), "input_feed"_a,
          nb::kw_only(), "out"_a = nb::none(), "cancel"_a.none() = nb::none(),
          "timeout"_a.none() = nb::none(), "memory_limit"_a.none() = nb::none(),
          nb::sig("def run(self, output_names: "
                  "collections.abc.Sequence[str] | None, "
                  "input_feed: collections.abc.Mapping[str, typing.Any], *, "
                  "out: collections.abc.Mapping[str, typing.Any] | None = "
                  "None, cancel: Cancel | None = None, "
                  "timeout: float | None = None, "
                  "memory_limit: int | None = None) -> list[typing.Any]"),
          "Runs the model on inputs by their names, and returns the outputs "
          "of these names, or all.\n\n"
          "Arrays whose elements lie row-major are not copied, and must not "
          "change meanwhile. Outputs\nare written into the arrays that `out` "
          "has of them, and made otherwise.\n\n"
          "cancel        an invar.Cancel, by which any thread can end the run: "
          "it raises invar.Cancelled\n"
          "timeout       seconds after which it raises "
          "invar.DeadlineExceeded\n"
          "memory_limit  bytes that its tensors may take, without what the "
          "caller brings\n\n"
          "Ctrl-C ends it, too. The session can be used as before.")
      .def("set_profile", &Session::setProfile, "enabled"_a,
           "Whether runs that begin from now on are measured.")
      .def("get_profile", &Session::getProfile, "format"_a = "table",
           nb::sig("def get_profile(self, format: typing.Literal['table', "
                   "'trace'] = 'table') -> str"),
           "What was measured: a table of time by node and by kernel, or a "
           "trace in Chrome's JSON.");
}
