// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interprets bytes as calls of the C API in any order, with valid arguments and with
// arguments that are documented as errors. Each call must succeed or return an error
// text.
#include "../unittests/Runtime/ProgramBuilder.h"
#include "invar-c/Invar.hpp"
#include <array>
#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>

using namespace invar;
using namespace invar::testing;

namespace {
/// A model that returns its inputs: a tensor, and an optional sequence.
class Echo {
public:
  Echo() {
    ProgramBuilder b;
    uint32_t tensor = b.tensor(INVAR_FLOAT32, {"N", 4});
    uint32_t list = b.optional(b.sequence(b.anyTensor(INVAR_INT64)));
    uint32_t x = b.input("x", tensor), s = b.input("s", list);
    b.output("y", tensor);
    b.output("t", list);
    b.node("echo");
    b.emit(INVAR_OP_RETURN, List{x, s});
    words = b.words();
    module = {INVAR_ABI_VERSION,
              0,
              nullptr,
              words.data(),
              words.size(),
              "fuzz",
              "",
              nullptr,
              nullptr};
  }

  rt::Session load() const {
    alignas(64) static const char constants[64] = {};
    InvarSessionOptions options = INVAR_SESSION_OPTIONS;
    options.num_threads = 1;
    InvarSession *session = nullptr;
    if (rt::Error error{invar_session_create(
            &module, constants, sizeof(constants), "echo", &options, &session)})
      std::abort();
    return rt::Session(session);
  }

private:
  List words;
  InvarModule module = {};
};

class Calls {
public:
  Calls(const uint8_t *data, size_t size, rt::Session session)
      : input(data, size), session(std::move(session)) {}

  void run() {
    while (input.remaining_bytes())
      call();
  }

private:
  void call() {
    InvarValue *made = nullptr;
    switch (input.ConsumeIntegralInRange(0, 9)) {
    case 0:
      return createTensor();
    case 1:
      return borrow();
    case 2:
      return setString();
    case 3: {
      std::vector<InvarValue *> items = someValues();
      return keep(invar_sequence_create(items.data(), items.size(), &made),
                  made);
    }
    case 4:
      return keep(invar_optional_create(
                      input.ConsumeBool() ? nullptr : any().get(), &made),
                  made);
    case 5: {
      rt::Value keys = any(), items = any();
      if (!isTensor(keys) || !isTensor(items))
        return;
      return keep(invar_map_create(keys.get(), items.get(), &made), made);
    }
    case 6:
      return runSession();
    case 7:
      return refit();
    case 8:
      return changeThreads();
    default:
      if (!values.empty())
        values.erase(values.begin() + std::ptrdiff_t(pick()));
    }
  }

  size_t pick() {
    return input.ConsumeIntegralInRange<size_t>(0, values.size() - 1);
  }
  /// Returns any value; creates a small tensor if there is none yet.
  rt::Value any() {
    if (values.empty())
      values.push_back(std::move(*rt::Value::create(INVAR_INT64, {1})));
    return values[pick()];
  }
  static bool isTensor(const rt::Value &value) {
    return value.kind() == INVAR_TYPE_TENSOR;
  }
  std::vector<InvarValue *> someValues() {
    std::vector<InvarValue *> items(input.ConsumeIntegralInRange(0, 4));
    for (InvarValue *&item : items)
      item = any().get();
    return items;
  }

  /// Whether the call failed. An error must state what was expected or what could not be
  /// done.
  static bool isError(InvarStatus *status) {
    rt::Error error(status);
    if (!error)
      return false;
    std::string_view text = error.text();
    if (error.code() == INVAR_OK || (text.find("expected") == text.npos &&
                                     text.find("cannot") == text.npos))
      std::abort();
    return true;
  }

  /// Reads all of a value and keeps it.
  void keep(InvarStatus *status, InvarValue *made) {
    if (isError(status))
      return;
    rt::Value value(made);
    look(value);
    constexpr size_t most = 16;
    if (values.size() < most)
      values.push_back(std::move(value));
  }

  static void look(const rt::Value &value) {
    if (!value)
      return;
    switch (value.kind()) {
    case INVAR_TYPE_TENSOR:
      if (int64_t(value.sizes().size()) < 0 || value.count() < 0)
        std::abort();
      if (value.dataType() == INVAR_STRING)
        for (int64_t i = 0; i < value.count(); ++i) {
          const InvarString &text = value.data<InvarString>()[i];
          volatile size_t size = std::string(text.data, text.size).size();
          (void)size;
        }
      return;
    case INVAR_TYPE_SEQUENCE:
      for (size_t i = 0; i < value.size(); ++i)
        look(value[i]);
      return;
    case INVAR_TYPE_OPTIONAL:
      return look(value.element());
    case INVAR_TYPE_MAP:
      look(value.keys());
      look(value.values());
    }
  }

  std::vector<int64_t> sizes() {
    std::vector<int64_t> all(input.ConsumeIntegralInRange(0, 4));
    for (int64_t &size : all)
      size = input.ConsumeProbability<float>() < 0.1f
                 ? input.ConsumeIntegral<int64_t>()
                 : input.ConsumeIntegralInRange(-1, 9);
    return all;
  }
  InvarDataType type() {
    return InvarDataType(input.ConsumeIntegralInRange(0, 31));
  }

  void createTensor() {
    std::vector<int64_t> all = sizes();
    InvarDataType element = type();
    InvarValue *made = nullptr;
    InvarStatus *status =
        invar_tensor_create(element, all.data(), all.size(), &made);
    // New elements are uninitialized, but maps and runs read them.
    if (!status && element != INVAR_STRING)
      std::memset(invar_tensor_data(made), 0, invar_tensor_bytes(made));
    keep(status, made);
  }

  void borrow() {
    alignas(64) static std::array<char, 1 << 16> memory = {};
    std::vector<int64_t> all = sizes();
    InvarDataType element = type();
    // The caller of invar_tensor_borrow must provide enough memory.
    double bytes = double(invar_data_type_size(element));
    for (int64_t size : all)
      bytes *= double(std::max<int64_t>(size, 0));
    if (bytes > double(memory.size()))
      return;
    InvarValue *made = nullptr;
    InvarStatus *status =
        invar_tensor_borrow(element, all.data(), all.size(), memory.data(),
                            nullptr, nullptr, &made);
    keep(status, made);
  }

  void setString() {
    rt::Value tensor = any();
    if (!isTensor(tensor))
      return;
    std::string text = input.ConsumeRandomLengthString(40);
    isError(invar_tensor_set_string(
        tensor.get(), input.ConsumeIntegralInRange<int64_t>(-2, 12),
        text.data(), text.size()));
  }

  const char *name() {
    static constexpr const char *names[] = {"x", "s", "", "y", "none"};
    return input.PickValueInArray(names);
  }

  void runSession() {
    std::vector<InvarValue *> inputs = someValues();
    std::vector<const char *> names;
    for (size_t i = 0; i < inputs.size(); ++i)
      names.push_back(name());
    std::vector<InvarValue *> outputs(input.ConsumeIntegralInRange(0, 3));
    InvarStatus *status = invar_session_run(
        session.get(), input.ConsumeBool() ? names.data() : nullptr,
        inputs.data(), inputs.size(), outputs.data(), outputs.size());
    if (isError(status))
      return;
    for (InvarValue *output : outputs)
      keep(nullptr, output);
  }

  void refit() {
    std::vector<InvarValue *> items = someValues();
    std::vector<const char *> names;
    for (size_t i = 0; i < items.size(); ++i)
      names.push_back(name());
    isError(invar_session_refit(session.get(), names.data(), items.data(),
                                items.size()));
  }

  void changeThreads() {
    session.setProfile(input.ConsumeBool());
    (void)session.profile(input.ConsumeBool() ? INVAR_PROFILE_TABLE
                                              : INVAR_PROFILE_TRACE);
    InvarThreads *threads = nullptr;
    if (!isError(invar_threads_create(input.ConsumeIntegralInRange(-2, 3),
                                      input.ConsumeIntegralInRange(-2, 5),
                                      &threads)))
      invar_threads_release(threads);
  }

  FuzzedDataProvider input;
  rt::Session session;
  std::vector<rt::Value> values;
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Echo echo;
  Calls(data, size, echo.load()).run();
  return 0;
}
