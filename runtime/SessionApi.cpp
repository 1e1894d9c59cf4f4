// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of invar-c/Session.h.
#include "Descriptor.h"
#include "Session.h"
#include "invar/Files/Printable.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

using namespace invar::runtime;

// Loading

/// Copies the caller's options. The caller may know an older, shorter struct.
static InvarSessionOptions readOptions(const InvarSessionOptions *given) {
  InvarSessionOptions options = INVAR_SESSION_OPTIONS;
  if (given)
    std::memcpy(&options, given, std::min(given->size, sizeof(options)));
  return options;
}

/// Returns a failure to the caller. Its text is made printable, because names in it may
/// come from an untrusted model.
static InvarStatus *release(Status status, std::string_view name) {
  InvarStatus *failure = std::move(status).in(name).release();
  if (failure)
    failure->text = invar::makePrintable(failure->text);
  return failure;
}

/// Makes a session and lets `load` fill it. Failure texts begin with its name.
template <typename Load>
static InvarStatus *makeSession(const char *name, const char *path,
                                const InvarSessionOptions *given,
                                InvarSession **session, Load load) {
  InvarSessionOptions options = readOptions(given);
  ThreadPoolRef own;
  if (!options.threads) {
    if (InvarStatus *status = invar_threads_create(
            options.num_threads, options.spin_us, &options.threads))
      return status;
    own.reset(options.threads);
  }
  auto made = std::make_unique<InvarSession>(name, path, options);
  if (Status status = load(*made))
    return release(std::move(status), name);
  *session = made.release();
  return nullptr;
}

static Status systemFailure(const char *what) {
  return fail(INVAR_BAD_MODEL, "cannot ", what, ": ", std::strerror(errno));
}

static Status loadLibrary(int descriptor, InvarSession &session) {
  std::unique_ptr<Library> library;
  if (Status status =
          Library::open(descriptor, session.getSurroundings(), library))
    return status;
  return session.load(std::move(library));
}

InvarStatus *invar_session_load(const char *path,
                                const InvarSessionOptions *options,
                                InvarSession **session) {
  return makeSession(path, path, options, session, [&](InvarSession &made) {
    // Non-blocking, so that opening a pipe does not wait for a writer.
    Descriptor file(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    return file ? loadLibrary(file.get(), made) : systemFailure("open");
  });
}

InvarStatus *invar_session_load_descriptor(int descriptor, const char *name,
                                           const InvarSessionOptions *options,
                                           InvarSession **session) {
  return makeSession(name, "", options, session, [&](InvarSession &made) {
    return loadLibrary(descriptor, made);
  });
}

InvarStatus *invar_session_load_bytes(const void *bytes, size_t size,
                                      const char *name,
                                      const InvarSessionOptions *options,
                                      InvarSession **session) {
  return makeSession(name, "", options, session, [&](InvarSession &made) {
    Descriptor file(memfd_create("invar", MFD_CLOEXEC));
    if (!file || !writeAt(file.get(), 0, bytes, size))
      return systemFailure("keep in memory");
    return loadLibrary(file.get(), made);
  });
}

InvarStatus *invar_session_create(const InvarModule *module,
                                  const void *constants, size_t constants_size,
                                  const char *name,
                                  const InvarSessionOptions *options,
                                  InvarSession **session) {
  return makeSession(name, "", options, session, [&](InvarSession &made) {
    if (Status status = chooseModule(module))
      return status;
    if (reinterpret_cast<uintptr_t>(constants) % Arena::alignment != 0)
      return fail(INVAR_BAD_ARGUMENT, "expected constants aligned to ",
                  Arena::alignment, " bytes, but got an address that is ",
                  reinterpret_cast<uintptr_t>(constants) % Arena::alignment,
                  " behind");
    Store::Ref store(
        new Store(static_cast<const char *>(constants), constants_size));
    return made.load(*module, std::move(store));
  });
}

void invar_session_free(InvarSession *session) { delete session; }

// Types

InvarTypeKind invar_type_kind(const InvarType *type) { return type->kind; }
InvarDataType invar_type_data_type(const InvarType *type) {
  return type->dataType;
}
int64_t invar_type_rank(const InvarType *type) {
  return type->isRanked ? int64_t(type->sizes.size()) : -1;
}
int64_t invar_type_size(const InvarType *type, size_t axis) {
  return type->sizes[axis];
}
const char *invar_type_size_name(const InvarType *type, size_t axis) {
  return type->names[axis];
}
InvarDataType invar_type_key(const InvarType *type) { return type->keyType; }
const InvarType *invar_type_element(const InvarType *type) {
  return type->element;
}

// Inputs and outputs

size_t invar_session_num_inputs(const InvarSession *session) {
  return session->getProgram().inputs.size();
}
const char *invar_session_input_name(const InvarSession *session,
                                     size_t index) {
  return session->getProgram().inputs[index].name->c_str();
}
const InvarType *invar_session_input_type(const InvarSession *session,
                                          size_t index) {
  return session->getProgram().inputs[index].type;
}
int32_t invar_session_input_has_default(const InvarSession *session,
                                        size_t index) {
  return session->getProgram().inputs[index].hasDefault();
}
size_t invar_session_num_outputs(const InvarSession *session) {
  return session->getProgram().outputs.size();
}
const char *invar_session_output_name(const InvarSession *session,
                                      size_t index) {
  return session->getProgram().outputs[index].name->c_str();
}
const InvarType *invar_session_output_type(const InvarSession *session,
                                           size_t index) {
  return session->getProgram().outputs[index].type;
}

// Running

namespace {
/// Copies the caller's bounds. The caller may know an older, shorter struct.
class GivenBounds {
public:
  explicit GivenBounds(const InvarRunOptions *given) {
    if (!given)
      return;
    std::memcpy(&options, given, std::min(given->size, sizeof(options)));
    invar::StopConditions conditions;
    conditions.cancel = options.cancel;
    if (options.timeout_ns)
      conditions.timeout = std::chrono::nanoseconds(options.timeout_ns);
    if (options.poll) {
      conditions.ask = [](void *context) {
        auto &own = static_cast<GivenBounds *>(context)->options;
        return own.poll(own.poll_context) != 0;
      };
      conditions.context = this;
    }
    if (conditions.areAny())
      bounds.stop = &stop.emplace(conditions);
    if (options.memory_limit)
      bounds.memory = options.memory_limit;
  }
  GivenBounds(const GivenBounds &) = delete;
  GivenBounds &operator=(const GivenBounds &) = delete;

  const Bounds &get() const { return bounds; }

private:
  InvarRunOptions options = INVAR_RUN_OPTIONS;
  std::optional<invar::Stop> stop;
  Bounds bounds;
};
} // namespace

InvarStatus *invar_session_run(InvarSession *session,
                               const char *const *input_names,
                               InvarValue *const *inputs, size_t num_inputs,
                               InvarValue **outputs, size_t num_outputs) {
  return invar_session_run_with(session, nullptr, input_names, inputs,
                                num_inputs, outputs, num_outputs);
}

InvarStatus *invar_session_run_with(InvarSession *session,
                                    const InvarRunOptions *options,
                                    const char *const *input_names,
                                    InvarValue *const *inputs,
                                    size_t num_inputs, InvarValue **outputs,
                                    size_t num_outputs) {
  GivenBounds bounds(options);
  auto runWith = [&](std::span<InvarValue *const> ordered) {
    return session->run(ordered, {outputs, num_outputs}, bounds.get());
  };
  Status status;
  if (input_names) {
    std::vector<InvarValue *> ordered;
    status = session->orderInputs(input_names, {inputs, num_inputs}, ordered);
    if (!status)
      status = runWith(ordered);
  } else {
    status = runWith({inputs, num_inputs});
  }
  return release(std::move(status), session->getName());
}

// Constants

size_t invar_session_kernels_checked(const InvarSession *session) {
  return session->countCheckedKernels();
}
uint64_t invar_session_folds_run(const InvarSession *session) {
  return session->countFolds();
}
size_t invar_session_num_parameters(const InvarSession *session) {
  return session->getProgram().parameters.size();
}
const char *invar_session_parameter_name(const InvarSession *session,
                                         size_t index) {
  return session->getProgram().parameters[index].name->c_str();
}
const InvarType *invar_session_parameter_type(const InvarSession *session,
                                              size_t index) {
  return session->getProgram().parameters[index].type;
}

InvarStatus *invar_session_refit(InvarSession *session,
                                 const char *const *names,
                                 InvarValue *const *values, size_t count) {
  return invar_session_refit_with(session, nullptr, names, values, count);
}

InvarStatus *invar_session_refit_with(InvarSession *session,
                                      const InvarRunOptions *options,
                                      const char *const *names,
                                      InvarValue *const *values, size_t count) {
  GivenBounds bounds(options);
  Status status = session->refit(names, {values, count}, bounds.get());
  return release(std::move(status), session->getName());
}

// Profile

void invar_session_set_profile(InvarSession *session, int enabled) {
  session->setProfile(enabled != 0);
}

void invar_session_get_profile(InvarSession *session, InvarProfileFormat format,
                               void (*write)(void *, const char *, size_t),
                               void *context) {
  std::string text = session->writeProfile(format);
  write(context, text.data(), text.size());
}
