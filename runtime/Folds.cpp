// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Folds.h"

#include "Checksum.h"
#include "Frame.h"
#include "Interpreter.h"
#include "invar/Files/Printable.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

using namespace invar::runtime;

/// The name of the results' file: a hash of the sources and of the code that computes
/// them. Parameters that are not in the store count by their content.
static FoldFile::Key getKey(const Program &program, const InvarModule &module,
                            const ConstantPlaces &places) {
  FoldFile::Key key = {};
  std::memcpy(key.data(), program.recipe.data(), sizeof(program.recipe));
  const char *features = module.features ? module.features : "";
  key[2] = computeChecksum(features, std::strlen(features)) ^
           uint64_t(INVAR_ABI_VERSION) << 32;
  std::vector<uint64_t> brought;
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    const auto &[name, type, offset, size] = program.parameters[i];
    if (offset)
      continue;
    const Place &place = places.parameters[i];
    brought.push_back(computeChecksum(place.getData(), size));
    place.store->dropPages(place.offset, size);
  }
  if (!brought.empty())
    key[0] ^=
        computeChecksum(brought.data(), brought.size() * sizeof(uint64_t));
  return key;
}

static constexpr const char *notKept = "; constants are not kept for others";

void Folds::warn(const Status &status, const char *consequence) const {
  if (options.warn)
    options.warn(
        options.context,
        makePrintable(std::string(status.getText()) + consequence).c_str());
}

/// Sets the places of all results, present or future, to a store.
static void placeResults(const Program &program, const Store::Ref &store,
                         ConstantPlaces &places) {
  for (const Fold &fold : program.folds)
    for (uint64_t offset : fold.offsets)
      places.folded[offset] = {store, offset};
}

Status Folds::makeRoom(ConstantPlaces &places, Store::Ref &room) const {
  room = Store::Ref(Store::make(program->foldedSize));
  if (!room)
    return fail(INVAR_OUT_OF_MEMORY, "expected ", program->foldedSize,
                " bytes of memory for folded constants, but there are not as "
                "many");
  placeResults(*program, room, places);
  return Status::success();
}

Status Folds::load(const Program &given, const InvarModule &module,
                   KernelChecks *kernelChecks, ConstantPlaces &places,
                   const FoldOptions &wanted) {
  if (given.folds.empty())
    return Status::success();
  program = &given;
  kernels = module.kernels;
  checks = kernelChecks;
  options = wanted;
  // Results that depend on inputs are not shared with other processes.
  bool isForAll = std::ranges::all_of(given.folds, [](const Fold &fold) {
    return fold.program.inputs.empty();
  });
  if (!options.cache.empty() && isForAll && given.foldedSize) {
    file = std::make_unique<FoldFile>(
        options.cache, getKey(given, module, places), given.foldedSize);
    if (Status status = file->checkFolder()) {
      warn(status, notKept);
      file.reset();
    } else if (Status status = file->open(folded)) {
      warn(status, "; constants are computed again");
    }
  }
  if (folded) {
    placeResults(given, folded, places);
    return Status::success();
  }
  isDone.store(false, std::memory_order_relaxed);
  return makeRoom(places, folded);
}

namespace {
/// Tensors that refer to the final memory of a fold's outputs.
class Results {
public:
  ~Results() {
    for (Tensor *tensor : tensors)
      if (tensor)
        release(tensor, nullptr);
  }

  Status make(const Fold &fold, const ConstantPlaces &places) {
    for (size_t i = 0; i < fold.offsets.size(); ++i) {
      const Type &type = *fold.program.outputs[i].type;
      const char *data = places.folded.at(fold.offsets[i]).getData();
      tensors.push_back(
          Tensor::createBorrowed(nullptr, type.dataType, type.sizes,
                                 const_cast<char *>(data), nullptr, nullptr));
      if (!tensors.back())
        return explainNoTensor(type.dataType, type.sizes);
    }
    return Status::success();
  }

  std::vector<Tensor *> tensors;
};
} // namespace

Status Folds::runOne(const Fold &fold, const ConstantPlaces &places,
                     ThreadPool &threads, std::span<Value *const> inputs,
                     const Bounds &bounds) {
  Arena::Owner arena = Arena::create();
  if (!arena)
    return fail(INVAR_OUT_OF_MEMORY,
                "expected addresses for the memory of a fold, but there are "
                "not as many");
  Constants constants;
  if (Status status = constants.make(fold.program, places))
    return status;
  Frame frame(fold.program, std::move(arena));
  frame.bound(bounds);
  for (size_t i = 0; i < fold.program.inputs.size(); ++i) {
    auto own = std::ranges::find_if(program->inputs, [&](const Port &port) {
      return *port.name == *fold.program.inputs[i].name;
    });
    frame.objects[i].borrow(inputs[size_t(own - program->inputs.begin())],
                            frame.arena.get());
  }
  Results results;
  if (Status status = results.make(fold, places))
    return status;
  if (!fold.program.outputIn.empty())
    frame.places = results.tensors;

  std::span<const uint32_t> returned;
  Machine machine{fold.program, kernels, checks, constants, threads};
  if (Status status = interpret(machine, frame, /*profile=*/false, returned))
    return status;
  for (size_t i = 0; i < returned.size(); ++i) {
    const Value *value = frame.objects[returned[i]].get();
    const Port &output = fold.program.outputs[i];
    if (!matches(value, *output.type))
      return fail(INVAR_RUN_FAILED, "expected constant '", *output.name,
                  "' to be ", describe(*output.type), ", but got ",
                  describe(value));
    const auto *tensor = static_cast<const Tensor *>(value);
    if (tensor != results.tensors[i] &&
        !copyElements(*tensor, 0, *results.tensors[i], 0, tensor->getCount()))
      return explainNoStrings();
  }
  numRun.fetch_add(1, std::memory_order_relaxed);
  for (const Constant &source : fold.program.constants) {
    Place place = places.get(source);
    place.store->dropPages(place.offset, source.size);
  }
  return Status::success();
}

/// Shared by the threads that run folds; keeps the first failure.
struct Folds::Job {
  Folds &owner;
  std::span<const Fold *const> folds;
  const ConstantPlaces &places;
  ThreadPool &threads;
  std::span<Value *const> inputs;
  const Bounds &bounds;
  std::mutex lock = {};
  Status failure = {};
  std::vector<const Fold *> done = {};

  static void work(void *context, int64_t piece, unsigned) {
    auto &job = *static_cast<Job *>(context);
    const Fold &fold = *job.folds[size_t(piece)];
    Status status = checkStop(job.bounds.stop);
    if (!status)
      status = job.owner.runOne(fold, job.places, job.threads, job.inputs,
                                job.bounds);
    std::lock_guard guard(job.lock);
    if (!status)
      job.done.push_back(&fold);
    else if (!job.failure)
      job.failure = std::move(status);
  }
};

Status Folds::runAll(std::span<const Fold *const> folds,
                     const ConstantPlaces &places, ThreadPool &threads,
                     std::span<Value *const> inputs, const Bounds &bounds) {
  Job job{*this, folds, places, threads, inputs, bounds};
  auto count = int64_t(folds.size());
  // A single fold uses the threads for its kernels. With a memory limit, folds run one
  // after the other, so that each may use all of it.
  if (count == 1 || bounds.limitsMemory() ||
      !threads.tryRun(count, &Job::work, &job))
    for (int64_t i = 0; i < count; ++i)
      Job::work(&job, i, 0);
  finished.insert(finished.end(), job.done.begin(), job.done.end());
  return job.failure ? std::move(job.failure).in("computing constants")
                     : Status::success();
}

Status Folds::run(const ConstantPlaces &places, ThreadPool &threads,
                  std::span<Value *const> inputs, const Bounds &bounds) {
  auto *range = const_cast<char *>(folded->getData());
  if (file)
    if (Status status = file->begin()) {
      warn(status, notKept);
      file.reset();
    }
  std::vector<const Fold *> left;
  for (const Fold &fold : program->folds)
    if (!fold.program.inputs.empty() ||
        std::ranges::find(finished, &fold) == finished.end())
      left.push_back(&fold);
  if (Status status = runAll(left, places, threads, inputs, bounds))
    return status;
  finished.clear();
  mprotect(range, folded->getSize(), PROT_READ);
  if (file)
    file->finish(range);
  isDone.store(true, std::memory_order_release);
  return Status::success();
}

bool Folds::areDamaged(const ConstantPlaces &places) {
  return std::ranges::any_of(places.folded, [](const auto &entry) {
    return entry.second.store->isDamaged();
  });
}

void Folds::restart(Store::Ref room, const Status &why) {
  warn(why, "; constants are computed again");
  folded = std::move(room);
  finished.clear();
  isDone.store(false, std::memory_order_release);
}

/// The distance in bytes from one result to the next.
static uint64_t getStride(const Type &type) {
  return (*countBytes(type) + Arena::alignment - 1) / Arena::alignment *
         Arena::alignment;
}

Status Folds::replace(std::span<const bool> isReplaced, ConstantPlaces &places,
                      ThreadPool &threads, const Bounds &bounds) {
  if (!program)
    return Status::success();
  // A file would contain the results of other parameters.
  file.reset();
  // Results that are already finished may come from other parameters.
  finished.clear();
  if (!areDone())
    return Status::success();
  std::vector<const Fold *> affected;
  uint64_t size = 0;
  for (const Fold &fold : program->folds) {
    if (std::ranges::none_of(fold.program.constants, [&](const Constant &own) {
          return own.kind == INVAR_CONSTANT_PARAMETER && isReplaced[own.offset];
        }))
      continue;
    if (!fold.program.inputs.empty())
      return fail(INVAR_BAD_ARGUMENT,
                  "expected parameters that are not "
                  "computed with together with input '",
                  *fold.program.inputs[0].name,
                  "', which is stated to stay as it was at the first run");
    affected.push_back(&fold);
    for (const Port &output : fold.program.outputs)
      size += getStride(*output.type);
  }
  if (affected.empty())
    return Status::success();
  Store::Ref own(Store::make(size));
  if (!own)
    return fail(INVAR_OUT_OF_MEMORY, "expected ", size,
                " bytes of memory for folded constants, but there are not as "
                "many");
  uint64_t next = 0;
  for (const Fold *fold : affected)
    for (size_t i = 0; i < fold->offsets.size(); ++i) {
      places.folded[fold->offsets[i]] = {own, next};
      next += getStride(*fold->program.outputs[i].type);
    }
  Status status = runAll(affected, places, threads, {}, bounds);
  finished.clear();
  return status;
}
