// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens, runs and closes many sessions of many models by many threads in random order.
//
//   invar-sessions COUNT THREADS SEED MODEL.so…
//
// Beside each MODEL.so is MODEL.so.expected: the concatenated bytes of its outputs for
// the inputs of makeInput(). So the expected results do not come from the tested process.
// Each thread keeps a few sessions. In each of its COUNT steps it opens one in a random
// slot, which closes the previous one there, or runs one again. With a COUNT of 0 the
// outputs of the first model are written to stdout. If there is a folder MODEL.so.folds,
// run-once constants are stored there.
//
// The exit code is 0 if all outputs are right, 3 if a model is rejected, with the reason
// as the only line on stderr, and 1 if outputs are wrong. Warnings are lines on stderr,
// too.
#include "invar-c/Invar.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>

namespace rt = invar::rt;
using Values = std::vector<rt::Value>;

namespace {
enum ExitCode { Wrong = 1, Refused = 3 };

struct Model {
  std::string path, expected;
};

/// A session and its inputs.
struct Opened {
  const Model *model;
  rt::Session session;
  Values inputs;
};
} // namespace

[[noreturn]] static void die(ExitCode code, const std::string &why) {
  // One line, even if several threads fail.
  static std::mutex once;
  once.lock();
  std::fprintf(stderr, "%s\n", why.c_str());
  std::_Exit(code);
}

/// Multiples of 1/8, so that sums and products of small numbers are exact.
static rt::Value makeInput(const InvarType *type) {
  std::vector<int64_t> sizes;
  for (int64_t axis = 0; axis < invar_type_rank(type); ++axis)
    sizes.push_back(std::max<int64_t>(invar_type_size(type, size_t(axis)), 1));
  rt::Value value;
  if (rt::Error error =
          rt::Value::create(invar_type_data_type(type), sizes).moveInto(value))
    die(Refused, error.text());
  std::memset(value.data<void>(), 0, invar_tensor_bytes(value.get()));
  if (value.dataType() == rt::DataTypeOf<float>::value)
    for (int64_t i = 0; i < value.count(); ++i)
      value.data<float>()[i] = float(i % 17 - 8) / 8;
  return value;
}

static Opened open(const Model &model) {
  InvarSessionOptions options = INVAR_SESSION_OPTIONS;
  options.num_threads = 1;
  std::string folds = model.path + ".folds";
  if (std::filesystem::is_directory(folds))
    options.fold_cache = folds.c_str();
  options.warn = [](void *, const char *text) {
    std::fprintf(stderr, "%s\n", text);
  };
  Opened opened{&model, {}, {}};
  if (rt::Error error = rt::Session::load(model.path.c_str(), &options)
                            .moveInto(opened.session))
    die(Refused, error.text());
  for (size_t i = 0; i < opened.session.numInputs(); ++i)
    opened.inputs.push_back(makeInput(opened.session.inputType(i)));
  return opened;
}

static std::string run(const Opened &opened) {
  Values outputs;
  if (rt::Error error = opened.session.run(opened.inputs).moveInto(outputs))
    die(Refused, error.text());
  std::string bytes;
  for (const rt::Value &output : outputs)
    bytes.append(output.data<char>(), invar_tensor_bytes(output.get()));
  return bytes;
}

static void work(const std::vector<Model> &models, int64_t steps,
                 uint32_t seed) {
  std::mt19937 random(seed);
  std::optional<Opened> places[4];
  for (int64_t step = 0; step < steps; ++step) {
    std::optional<Opened> &place = places[random() % std::size(places)];
    if (!place || random() % 4) {
      const Model &model = models[random() % models.size()];
      // The new session is opened before or after the old one is closed.
      if (random() % 2)
        place.reset();
      place = open(model);
    }
    if (run(*place) != place->model->expected)
      die(Wrong, place->model->path + ": expected other outputs");
  }
}

int main(int count, char **arguments) {
  if (count < 5)
    die(Wrong, "expected COUNT THREADS SEED MODEL.so…");
  int64_t steps = std::atoll(arguments[1]);
  int threads = std::atoi(arguments[2]);
  auto seed = uint32_t(std::atoll(arguments[3]));
  std::vector<Model> models;
  for (int i = 4; i < count; ++i) {
    std::string path = arguments[i];
    std::ifstream file(path + ".expected", std::ios::binary);
    models.push_back({path, std::string(std::istreambuf_iterator(file), {})});
  }
  if (steps == 0) {
    std::string bytes = run(open(models.front()));
    return std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size();
  }
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([&, i] {
      work(models, (steps + threads - 1) / threads, seed + uint32_t(i));
    });
  for (std::thread &worker : workers)
    worker.join();
  return 0;
}
