// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Session.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <string_view>
#include <thread>
#include <unistd.h>

using namespace invar::runtime;

InvarSession::InvarSession(std::string name, std::string path,
                           const InvarSessionOptions &options)
    : name(std::move(name)),
      around{std::move(path), options.weights ? options.weights : ""},
      threads(options.threads),
      foldOptions{options.fold_cache ? options.fold_cache : "", options.warn,
                  options.warn_context},
      isProfiling(options.profile != 0) {
  invar_threads_retain(options.threads);
}

InvarSession::~InvarSession() {
  // Frames go first: their registers may hold views of constants.
  frames.clear();
}

// Loading

Status InvarSession::load(std::unique_ptr<Library> opened) {
  library = std::move(opened);
  return load(library->getModule(), library->takeStore());
}

Status InvarSession::load(const InvarModule &module, Store::Ref store) {
  kernels = module.kernels;
  if (module.checks)
    checks = std::make_unique<KernelChecks>(module);
  if (Status status =
          readProgram({module.program, module.program_words},
                      module.num_kernels, store->getSize(), program))
    return status;
  findEqualAxes();
  auto first = std::make_shared<Generation>();
  ConstantPlaces &places = first->places;
  places.stored = std::move(store);
  if (Status status = placeParameters(program, findWeights(), places))
    return status;
  if (Status status =
          folds.load(program, module, checks.get(), places, foldOptions))
    return status;
  if (Status status = first->constants.make(program, places))
    return status;
  generation = std::move(first);
  return Status::success();
}

/// The file with the weights that the library lacks: the one that the caller named, or
/// the model that the library was compiled from, if that is beside it. Empty if there
/// is none.
std::string InvarSession::findWeights() const {
  if (!around.weights.empty() || !program.source)
    return around.weights;
  std::string beside = around.findBeside(*program.source);
  return access(beside.c_str(), R_OK) == 0 ? beside : "";
}

/// Pairs every open axis of an input with the first axis of the same name.
void InvarSession::findEqualAxes() {
  std::map<std::string_view, Axis> firsts;
  for (size_t input = 0; input < program.inputs.size(); ++input) {
    const Type &type = *program.inputs[input].type;
    for (size_t axis = 0; axis < type.sizes.size(); ++axis) {
      const char *axisName = type.names[axis];
      if (!axisName || type.sizes[axis] >= 0)
        continue;
      auto [first, isNew] = firsts.try_emplace(axisName, Axis{input, axis});
      if (!isNew)
        equalAxes.push_back({first->second, {input, axis}, axisName});
    }
  }
}

// Inputs

Status InvarSession::orderInputs(const char *const *names,
                                 std::span<Value *const> inputs,
                                 std::vector<Value *> &ordered) const {
  ordered.assign(program.inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string_view wanted = names[i] ? names[i] : "";
    auto input =
        std::find_if(program.inputs.begin(), program.inputs.end(),
                     [&](const Port &port) { return *port.name == wanted; });
    if (input == program.inputs.end()) {
      std::string all;
      for (const Port &port : program.inputs)
        all.append(all.empty() ? "'" : ", '").append(*port.name).append("'");
      return fail(INVAR_BAD_ARGUMENT, "expected the name of an input, ",
                  all.empty() ? "of which there is none" : all, ", but got '",
                  wanted, "'");
    }
    Value *&place = ordered[size_t(input - program.inputs.begin())];
    if (place)
      return fail(INVAR_BAD_ARGUMENT, "expected input '", wanted,
                  "' once, but got it twice");
    place = inputs[i];
  }
  return Status::success();
}

/// Adds the defaults of missing inputs. A wrong number of inputs is kept; checkInputs()
/// reports it.
Status InvarSession::completeInputs(std::span<Value *const> inputs,
                                    std::vector<Value *> &complete,
                                    invar::Stop *stop) {
  complete.assign(inputs.begin(), inputs.end());
  std::shared_ptr<const Generation> own = getGeneration();
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const Port &input = program.inputs[i];
    if (!input.hasDefault() || i > complete.size())
      continue;
    if (i == complete.size())
      complete.push_back(nullptr);
    if (complete[i])
      continue;
    const Constants &constants = own->constants;
    if (!constants.isVerified(input.defaultConstant))
      if (Status status =
              constants.verify(input.defaultConstant, threads.get(), stop))
        return status;
    complete[i] = constants.get(input.defaultConstant);
  }
  return Status::success();
}

Status InvarSession::checkInputs(std::span<Value *const> inputs) const {
  if (inputs.size() != program.inputs.size())
    return fail(INVAR_BAD_ARGUMENT, "expected ", program.inputs.size(),
                " inputs, but got ", inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!matches(inputs[i], *program.inputs[i].type))
      return fail(INVAR_BAD_ARGUMENT, "expected input '",
                  *program.inputs[i].name, "' to be ",
                  describe(*program.inputs[i].type), ", but got ",
                  describe(inputs[i]));
  for (const auto &[first, second, axisName] : equalAxes) {
    auto sizeOf = [&](Axis axis) {
      return static_cast<const Tensor *>(inputs[axis.input])
          ->getSize(axis.axis);
    };
    if (sizeOf(first) != sizeOf(second))
      return fail(INVAR_BAD_ARGUMENT, "expected '", axisName,
                  "' to be one size, but got ", sizeOf(first), " in input '",
                  *program.inputs[first.input].name, "' and ", sizeOf(second),
                  " in input '", *program.inputs[second.input].name, "'");
  }
  return Status::success();
}

// Running

std::unique_ptr<Frame> InvarSession::takeFrame() {
  {
    std::lock_guard guard(framesLock);
    if (!frames.empty()) {
      std::unique_ptr<Frame> frame = std::move(frames.back());
      frames.pop_back();
      return frame;
    }
  }
  Arena::Owner arena = Arena::create();
  return arena ? std::make_unique<Frame>(program, std::move(arena)) : nullptr;
}

void InvarSession::keepFrame(std::unique_ptr<Frame> frame) {
  frame->dropAll();
  frame->bound({});
  std::lock_guard guard(framesLock);
  frames.push_back(std::move(frame));
}

std::shared_ptr<const InvarSession::Generation> InvarSession::getGeneration() {
  std::lock_guard guard(generationLock);
  return generation;
}

/// Waits until no other thread computes constants, but no longer than `stop` allows.
Status InvarSession::lockFolds(FoldsGuard &guard, invar::Stop *stop) {
  if (!stop) {
    guard = FoldsGuard(foldsLock);
    return Status::success();
  }
  guard = FoldsGuard(foldsLock, std::defer_lock);
  while (!guard.try_lock()) {
    if (Status status = checkStop(stop))
      return status;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return Status::success();
}

/// Runs all folds. If another thread runs them, waits for it.
Status InvarSession::foldOnce(std::span<Value *const> inputs,
                              const Bounds &bounds) {
  FoldsGuard guard;
  if (Status status = lockFolds(guard, bounds.stop))
    return status;
  if (folds.areDone())
    return Status::success();
  return folds.run(getGeneration()->places, *threads, inputs, bounds);
}

Status InvarSession::run(std::span<Value *const> inputs,
                         std::span<Value *> outputs, const Bounds &bounds) {
  if (Status status = checkStop(bounds.stop))
    return status;
  std::vector<Value *> complete;
  if (!program.inputs.empty() && program.inputs.back().hasDefault()) {
    if (Status status = completeInputs(inputs, complete, bounds.stop))
      return status;
    inputs = complete;
  }
  if (Status status = checkInputs(inputs))
    return status;
  if (outputs.size() != program.outputs.size())
    return fail(INVAR_BAD_ARGUMENT, "expected room for ",
                program.outputs.size(), " outputs, but got ", outputs.size());
  for (;;) {
    if (!folds.areDone())
      if (Status status = foldOnce(inputs, bounds))
        return status;
    std::shared_ptr<const Generation> own = getGeneration();
    std::unique_ptr<Frame> frame = takeFrame();
    if (!frame)
      return fail(INVAR_OUT_OF_MEMORY,
                  "expected addresses for the memory of a run, but there are "
                  "not as many");
    frame->bound(bounds);
    Status status = runIn(*frame, own->constants, inputs, outputs);
    keepFrame(std::move(frame));
    // A failed run has changed nothing that another run reads, so it can be repeated.
    if (!status || !Folds::areDamaged(own->places))
      return status;
    if (Status failed = forgetFolds(own, status))
      return failed;
  }
}

/// If the folded constants of a generation are damaged, makes the next run compute them
/// again, unless another run has already done so.
Status InvarSession::forgetFolds(const std::shared_ptr<const Generation> &seen,
                                 const Status &why) {
  std::lock_guard guard(foldsLock);
  if (getGeneration() != seen)
    return Status::success();
  auto next = std::make_shared<Generation>();
  next->places = seen->places;
  Store::Ref room;
  if (Status status = folds.makeRoom(next->places, room))
    return status;
  if (Status status = next->constants.make(program, next->places))
    return status;
  folds.restart(std::move(room), why);
  std::lock_guard exchange(generationLock);
  generation = std::move(next);
  return Status::success();
}

/// Whether elements of both lie in the same memory.
static bool overlap(const Tensor &a, const Tensor &b) {
  const char *beginA = a.getData<char>(), *beginB = b.getData<char>();
  return std::less<>()(beginA, beginB + b.getBytes()) &&
         std::less<>()(beginB, beginA + a.getBytes());
}

/// Finds the caller's outputs into which the run may write directly: their memory must
/// not overlap an input or another output. The others are written at the end.
void InvarSession::findPlaces(std::span<Value *const> inputs,
                              std::span<Value *const> outputs,
                              std::vector<Tensor *> &places) const {
  places.clear();
  if (program.outputIn.empty() ||
      std::ranges::all_of(outputs, [](Value *value) { return !value; }) ||
      !std::ranges::all_of(inputs, asTensor))
    return;
  auto isFree = [&](size_t i) {
    const Tensor &place = *asTensor(outputs[i]);
    for (Value *input : inputs)
      if (overlap(place, *asTensor(input)))
        return false;
    for (size_t other = 0; other < outputs.size(); ++other)
      if (other != i && asTensor(outputs[other]) &&
          overlap(place, *asTensor(outputs[other])))
        return false;
    return true;
  };
  places.assign(outputs.size(), nullptr);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (Tensor *place = asTensor(outputs[i]))
      if (!place->isConstant && place->getType() != INVAR_STRING && isFree(i))
        places[i] = place;
}

Status InvarSession::runIn(Frame &frame, const Constants &constants,
                           std::span<Value *const> inputs,
                           std::span<Value *> outputs) {
  std::fill(frame.numbers.begin(), frame.numbers.end(), 0);
  for (size_t i = 0; i < inputs.size(); ++i)
    frame.objects[i].borrow(inputs[i], frame.arena.get());
  findPlaces(inputs, outputs, frame.places);
  bool isMeasured = isProfiling.load(std::memory_order_relaxed);
  Clock::time_point begin;
  if (isMeasured)
    begin = Clock::now();

  std::span<const uint32_t> returned;
  Machine machine{program, kernels, checks.get(), constants, *threads};
  Status status = interpret(machine, frame, isMeasured, returned);
  if (isMeasured) {
    profile.add(frame.events, begin, Clock::now() - begin);
    frame.events.clear();
  }
  return status ? std::move(status) : giveOutputs(frame, returned, outputs);
}

// Parameters

Status InvarSession::findParameters(const char *const *names,
                                    std::span<Value *const> values,
                                    std::vector<size_t> &numbers) const {
  for (size_t i = 0; i < values.size(); ++i) {
    std::string_view wanted = names[i] ? names[i] : "";
    auto found = std::ranges::find_if(
        program.parameters,
        [&](const Parameter &parameter) { return *parameter.name == wanted; });
    if (found == program.parameters.end())
      return fail(INVAR_BAD_ARGUMENT, "expected the name of one of the ",
                  program.parameters.size(),
                  " weights that can be replaced, but got '", wanted,
                  program.parameters.empty()
                      ? "'; 'invar compile --refittable' makes a library of "
                        "which weights can be replaced"
                      : "'");
    if (!matches(values[i], *found->type))
      return fail(INVAR_BAD_ARGUMENT, "expected weight '", wanted, "' to be ",
                  describe(*found->type), ", but got ", describe(values[i]));
    auto number = size_t(found - program.parameters.begin());
    if (std::ranges::find(numbers, number) != numbers.end())
      return fail(INVAR_BAD_ARGUMENT, "expected weight '", wanted,
                  "' once, but got it twice");
    numbers.push_back(number);
  }
  return Status::success();
}

Status InvarSession::refit(const char *const *names,
                           std::span<Value *const> values,
                           const Bounds &bounds) {
  std::vector<size_t> numbers;
  if (Status status = findParameters(names, values, numbers))
    return status;
  FoldsGuard guard;
  if (Status status = lockFolds(guard, bounds.stop))
    return status;
  auto next = std::make_shared<Generation>();
  next->places = getGeneration()->places;
  auto isReplaced = std::make_unique<bool[]>(program.parameters.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Tensor &value = *asTensor(values[i]);
    Store::Ref copy(Store::make(value.getBytes()));
    if (!copy)
      return explainNoTensor(value.getType(), value.getSizes());
    if (value.getBytes())
      std::memcpy(const_cast<char *>(copy->getData()), value.getData(),
                  value.getBytes());
    next->places.parameters[numbers[i]] = {std::move(copy), 0};
    isReplaced[numbers[i]] = true;
  }
  if (Status status =
          folds.replace({isReplaced.get(), program.parameters.size()},
                        next->places, *threads, bounds))
    return status;
  if (Status status = next->constants.make(program, next->places))
    return status;
  std::lock_guard exchange(generationLock);
  generation = std::move(next);
  return Status::success();
}

// Outputs

/// `place` is the caller's tensor for the output, or null.
Status InvarSession::checkOutput(size_t i, const Value *value,
                                 const Value *place) const {
  const Port &output = program.outputs[i];
  if (!matches(value, *output.type))
    return fail(INVAR_RUN_FAILED, "expected output '", *output.name, "' to be ",
                describe(*output.type), ", but got ", describe(value));
  if (!place)
    return Status::success();
  auto *tensor = asTensor(const_cast<Value *>(value));
  auto *target = asTensor(const_cast<Value *>(place));
  if (tensor && target && tensor->getType() == target->getType() &&
      std::ranges::equal(tensor->getSizes(), target->getSizes()) &&
      !target->isConstant &&
      (target->getType() != INVAR_STRING || target->ownsStrings()))
    return Status::success();
  return fail(INVAR_BAD_ARGUMENT, "expected ", describe(value),
              " that can be written for output '", *output.name, "', but got ",
              describe(place));
}

Status InvarSession::giveOutputs(Frame &frame,
                                 std::span<const uint32_t> registers,
                                 std::span<Value *> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    Value *value = frame.objects[registers[i]].get();
    if (Status status = checkOutput(i, value, outputs[i]))
      return status;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    Value *value = frame.objects[registers[i]].get();
    if (!outputs[i] || outputs[i] == value)
      continue;
    const Tensor *tensor = asTensor(value);
    if (!copyElements(*tensor, 0, *asTensor(outputs[i]), 0, tensor->getCount()))
      return explainNoStrings();
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!outputs[i]) {
      outputs[i] = frame.objects[registers[i]].get();
      retain(outputs[i]);
    }
  return Status::success();
}

std::string InvarSession::writeProfile(InvarProfileFormat format) const {
  return format == INVAR_PROFILE_TRACE ? profile.writeTrace(program, kernels)
                                       : profile.writeTable(program, kernels);
}
