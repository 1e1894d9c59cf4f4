// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ handles for the C API of the runtime, which release their objects automatically.
// Header only, C++17, with or without exceptions.
//
//   using namespace invar::rt;
//   Session session;
//   if (Error error = Session::load("model.so").moveInto(session))
//     return report(error.text());
//   std::vector<float> image(3 * 224 * 224);
//   Result<std::vector<Value>> outputs =
//       session.run({Value::borrow(image.data(), {1, 3, 224, 224})});
//   if (!outputs)
//     return report(outputs.error().text());
//   const float *scores = outputs->front().data<float>();
//
// Ownership and threading are as in the C headers. A Value is a reference: its copies
// refer to the same value.
#ifndef INVAR_C_INVAR_HPP
#define INVAR_C_INVAR_HPP

#include "invar-c/Session.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace invar::rt {

/// An error or success; converts to true if it is an error.
class [[nodiscard]] Error {
public:
  Error() = default;
  explicit Error(InvarStatus *status) : status(status) {}

  explicit operator bool() const { return status != nullptr; }
  InvarStatusCode code() const { return invar_status_code(status.get()); }
  const char *text() const { return invar_status_text(status.get()); }

private:
  struct Free {
    void operator()(InvarStatus *status) const { invar_status_free(status); }
  };
  std::unique_ptr<InvarStatus, Free> status;
};

/// A T, or the error that explains why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Error error) : failure(std::move(error)) {}

  explicit operator bool() const { return !failure; }
  const Error &error() const { return failure; }
  T &operator*() { return value; }
  T *operator->() { return &value; }
  /// Moves the value out, or returns the failure.
  Error moveInto(T &target) && {
    if (!failure)
      target = std::move(value);
    return std::move(failure);
  }

private:
  T value{};
  Error failure;
};

/// The InvarDataType of a C++ type.
template <typename T> struct DataTypeOf;
#define INVAR_DATA_TYPE_OF(TYPE, NUMBER)                                       \
  template <> struct DataTypeOf<TYPE> {                                        \
    static constexpr InvarDataType value = NUMBER;                             \
  };
INVAR_DATA_TYPE_OF(float, INVAR_FLOAT32)
INVAR_DATA_TYPE_OF(double, INVAR_FLOAT64)
INVAR_DATA_TYPE_OF(bool, INVAR_BOOL)
INVAR_DATA_TYPE_OF(int8_t, INVAR_INT8)
INVAR_DATA_TYPE_OF(uint8_t, INVAR_UINT8)
INVAR_DATA_TYPE_OF(int16_t, INVAR_INT16)
INVAR_DATA_TYPE_OF(uint16_t, INVAR_UINT16)
INVAR_DATA_TYPE_OF(int32_t, INVAR_INT32)
INVAR_DATA_TYPE_OF(uint32_t, INVAR_UINT32)
INVAR_DATA_TYPE_OF(int64_t, INVAR_INT64)
INVAR_DATA_TYPE_OF(uint64_t, INVAR_UINT64)
#undef INVAR_DATA_TYPE_OF

class Value {
public:
  Value() = default;
  /// Takes over the caller's reference.
  explicit Value(InvarValue *value) : value(value) {}
  Value(const Value &other) : value(other.value) { invar_value_retain(value); }
  Value(Value &&other) noexcept : value(std::exchange(other.value, nullptr)) {}
  Value &operator=(Value other) noexcept {
    std::swap(value, other.value);
    return *this;
  }
  ~Value() { invar_value_release(value); }

  static Result<Value> create(InvarDataType type,
                              const std::vector<int64_t> &sizes) {
    InvarValue *made = nullptr;
    if (Error error{
            invar_tensor_create(type, sizes.data(), sizes.size(), &made)})
      return error;
    return Value(made);
  }
  /// A tensor whose elements belong to the caller and must outlive it. Returns an empty
  /// Value if the sizes are invalid or the elements are not aligned.
  template <typename T>
  static Value borrow(T *data, const std::vector<int64_t> &sizes) {
    InvarValue *made = nullptr;
    Error error{invar_tensor_borrow(DataTypeOf<T>::value, sizes.data(),
                                    sizes.size(), data, nullptr, nullptr,
                                    &made)};
    return error ? Value() : Value(made);
  }
  static Result<Value> sequence(const std::vector<Value> &items) {
    std::vector<InvarValue *> pointers;
    for (const Value &item : items)
      pointers.push_back(item.get());
    InvarValue *made = nullptr;
    if (Error error{
            invar_sequence_create(pointers.data(), pointers.size(), &made)})
      return error;
    return Value(made);
  }
  static Result<Value> optional(const Value &item) {
    InvarValue *made = nullptr;
    if (Error error{invar_optional_create(item.get(), &made)})
      return error;
    return Value(made);
  }

  /// A map from each key to the value at the same position; see invar_map_create.
  static Result<Value> map(const Value &keys, const Value &values) {
    InvarValue *made = nullptr;
    if (Error error{invar_map_create(keys.get(), values.get(), &made)})
      return error;
    return Value(made);
  }

  explicit operator bool() const { return value != nullptr; }
  InvarValue *get() const { return value; }
  InvarValue *release() { return std::exchange(value, nullptr); }
  InvarTypeKind kind() const { return invar_value_kind(value); }

  // Only for tensors.
  InvarDataType dataType() const { return invar_tensor_data_type(value); }
  std::vector<int64_t> sizes() const {
    const int64_t *first = invar_tensor_sizes(value);
    return {first, first + invar_tensor_rank(value)};
  }
  int64_t count() const { return invar_tensor_count(value); }
  template <typename T> T *data() const {
    return static_cast<T *>(invar_tensor_data(value));
  }

  // Only for sequences.
  size_t size() const { return invar_sequence_size(value); }
  Value operator[](size_t index) const {
    return share(invar_sequence_at(value, index));
  }

  /// Only for optionals. Empty if the optional is empty.
  Value element() const { return share(invar_optional_get(value)); }

  // Only for maps: tensors of rank 1, in ascending order of the keys.
  Value keys() const { return share(invar_map_keys(value)); }
  Value values() const { return share(invar_map_values(value)); }

private:
  static Value share(InvarValue *item) {
    invar_value_retain(item);
    return Value(item);
  }

  InvarValue *value = nullptr;
};

/// A token that stops the calls that use it; see invar-c/Cancel.h. Copies share one
/// token.
class Cancel {
public:
  Cancel() : token(invar_cancel_create(), &invar_cancel_release) {}

  InvarCancel *get() const { return token.get(); }
  void trigger() const { invar_cancel_trigger(get()); }
  void reset() const { invar_cancel_reset(get()); }
  bool isTriggered() const { return invar_cancel_is_triggered(get()) != 0; }

private:
  std::shared_ptr<InvarCancel> token;
};

class Session {
public:
  Session() = default;
  explicit Session(InvarSession *session) : session(session) {}

  static Result<Session> load(const char *path,
                              const InvarSessionOptions *options = nullptr) {
    InvarSession *made = nullptr;
    if (Error error{invar_session_load(path, options, &made)})
      return error;
    return Session(made);
  }

  explicit operator bool() const { return session != nullptr; }
  InvarSession *get() const { return session.get(); }

  size_t numInputs() const { return invar_session_num_inputs(get()); }
  size_t numOutputs() const { return invar_session_num_outputs(get()); }
  const char *inputName(size_t i) const {
    return invar_session_input_name(get(), i);
  }
  const char *outputName(size_t i) const {
    return invar_session_output_name(get(), i);
  }
  const InvarType *inputType(size_t i) const {
    return invar_session_input_type(get(), i);
  }
  /// Whether a run may omit the input; see invar_session_input_has_default.
  bool hasDefault(size_t i) const {
    return invar_session_input_has_default(get(), i) != 0;
  }
  /// The number of inputs that a run must provide. They come first.
  size_t numRequired() const {
    size_t count = numInputs();
    while (count > 0 && hasDefault(count - 1))
      --count;
    return count;
  }
  const InvarType *outputType(size_t i) const {
    return invar_session_output_type(get(), i);
  }

  /// Runs the model on inputs in the session's order, and creates the outputs. Options
  /// bound the time and the memory of the run.
  Result<std::vector<Value>>
  run(const std::vector<Value> &inputs,
      const InvarRunOptions *options = nullptr) const {
    std::vector<Value> outputs(numOutputs());
    if (Error error = runInto(inputs, outputs, options))
      return error;
    return outputs;
  }
  /// The same, but writes into each element of `outputs` that is not empty.
  Error runInto(const std::vector<Value> &inputs,
                std::vector<Value> &outputs,
                const InvarRunOptions *options = nullptr) const {
    std::vector<InvarValue *> in, out;
    for (const Value &input : inputs)
      in.push_back(input.get());
    for (const Value &output : outputs)
      out.push_back(output.get());
    Error error{invar_session_run_with(get(), options, nullptr, in.data(),
                                       in.size(), out.data(), out.size())};
    if (!error)
      for (size_t i = 0; i < out.size(); ++i)
        if (!outputs[i])
          outputs[i] = Value(out[i]);
    return error;
  }

  void setProfile(bool enabled) const {
    invar_session_set_profile(get(), enabled);
  }
  size_t numParameters() const { return invar_session_num_parameters(get()); }
  const char *parameterName(size_t index) const {
    return invar_session_parameter_name(get(), index);
  }
  const InvarType *parameterType(size_t index) const {
    return invar_session_parameter_type(get(), index);
  }
  /// Replaces weights, all or none; see invar_session_refit.
  Error refit(const std::vector<std::pair<std::string, Value>> &weights,
              const InvarRunOptions *options = nullptr) const {
    std::vector<const char *> names;
    std::vector<InvarValue *> values;
    for (const auto &[name, value] : weights) {
      names.push_back(name.c_str());
      values.push_back(value.get());
    }
    return Error{invar_session_refit_with(get(), options, names.data(),
                                          values.data(), names.size())};
  }
  /// See invar_session_kernels_checked.
  size_t kernelsChecked() const { return invar_session_kernels_checked(get()); }
  /// See invar_session_folds_run.
  uint64_t foldsRun() const { return invar_session_folds_run(get()); }

  std::string profile(InvarProfileFormat format) const {
    std::string text;
    auto write = [](void *context, const char *piece, size_t size) {
      static_cast<std::string *>(context)->append(piece, size);
    };
    invar_session_get_profile(get(), format, write, &text);
    return text;
  }

private:
  struct Free {
    void operator()(InvarSession *session) const {
      invar_session_free(session);
    }
  };
  std::unique_ptr<InvarSession, Free> session;
};

} // namespace invar::rt

#endif // INVAR_C_INVAR_HPP
