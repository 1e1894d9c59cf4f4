// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Folds.h"

#include "Frame.h"
#include "Interpreter.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace invar::runtime;

/// What names the results: what they come from, and what code made them.
static FoldFile::Key getKey(const Program &program, const InvarModule &module) {
  FoldFile::Key key = {};
  std::memcpy(key.data(), program.recipe.data(), sizeof(program.recipe));
  const char *features = module.features ? module.features : "";
  key[2] = invar_fold_hash(features, std::strlen(features)) ^
           uint64_t(INVAR_ABI_VERSION) << 32;
  return key;
}

Status Folds::load(const Program &given, const InvarModule &module,
                   Store &source, const FoldOptions &wanted) {
  if (given.foldedSize == 0)
    return Status::success();
  program = &given;
  kernels = module.kernels;
  options = wanted;
  source.retain();
  store.reset(&source);
  // What depends on inputs is not for others.
  bool isForAll = std::ranges::all_of(given.folds, [](const Fold &fold) {
    return fold.program.inputs.empty();
  });
  if (!options.cache.empty() && isForAll) {
    file = std::make_unique<FoldFile>(options.cache, getKey(given, module),
                                      given.foldedSize);
    folded.reset(file->open());
    if (folded)
      return Status::success();
  }
  folded.reset(Store::make(given.foldedSize));
  if (!folded)
    return fail(INVAR_OUT_OF_MEMORY, "expected ", given.foldedSize,
                " bytes of memory for folded constants, but there are not as "
                "many");
  for (const Fold &fold : given.folds)
    if (Status status =
            constants.emplace_back().make(fold.program, source, nullptr))
      return status;
  isDone.store(false, std::memory_order_relaxed);
  return Status::success();
}

namespace {
/// Tensors of the places where the outputs of a fold are to lie.
class Places {
public:
  ~Places() {
    for (Tensor *tensor : tensors)
      if (tensor)
        release(tensor, nullptr);
  }

  Status make(const Fold &fold, const Store &folded) {
    for (size_t i = 0; i < fold.offsets.size(); ++i) {
      const Type &type = *fold.program.outputs[i].type;
      char *data = const_cast<char *>(folded.getData()) + fold.offsets[i];
      tensors.push_back(Tensor::createBorrowed(
          nullptr, type.dataType, type.sizes, data, nullptr, nullptr));
      if (!tensors.back())
        return explainNoTensor(type.dataType, type.sizes);
    }
    return Status::success();
  }

  std::vector<Tensor *> tensors;
};
} // namespace

Status Folds::runOne(size_t number, ThreadPool &threads,
                     std::span<Value *const> inputs) {
  const Fold &fold = program->folds[number];
  Arena::Owner arena = Arena::create();
  if (!arena)
    return fail(INVAR_OUT_OF_MEMORY,
                "expected addresses for the memory of a fold, but there are "
                "not as many");
  Frame frame(fold.program, std::move(arena));
  for (size_t i = 0; i < fold.program.inputs.size(); ++i) {
    auto own = std::ranges::find_if(program->inputs, [&](const Port &port) {
      return *port.name == *fold.program.inputs[i].name;
    });
    frame.objects[i].borrow(inputs[size_t(own - program->inputs.begin())],
                            frame.arena.get());
  }
  Places places;
  if (Status status = places.make(fold, *folded))
    return status;
  if (!fold.program.outputIn.empty())
    frame.places = places.tensors;

  std::span<const uint32_t> returned;
  Machine machine{fold.program, kernels, constants[number].get(), threads};
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
    if (tensor != places.tensors[i] &&
        !copyElements(*tensor, 0, *places.tensors[i], 0, tensor->getCount()))
      return explainNoStrings();
  }
  numRun.fetch_add(1, std::memory_order_relaxed);
  for (const Constant &source : fold.program.constants)
    store->dropPages(source.offset, source.size);
  return Status::success();
}

/// What several threads do at once; the first failure is kept.
struct Folds::Job {
  Folds &folds;
  ThreadPool &threads;
  std::span<Value *const> inputs;
  std::mutex lock = {};
  Status failure = {};

  static void work(void *context, int64_t piece, unsigned) {
    auto &job = *static_cast<Job *>(context);
    Status status = job.folds.runOne(size_t(piece), job.threads, job.inputs);
    std::lock_guard guard(job.lock);
    if (status && !job.failure)
      job.failure = std::move(status);
  }
};

Status Folds::run(ThreadPool &threads, std::span<Value *const> inputs) {
  std::lock_guard guard(lock);
  if (areDone())
    return Status::success();
  auto *range = const_cast<char *>(folded->getData());
  if (file)
    if (Status status = file->begin(range)) {
      if (options.warn)
        options.warn(options.context,
                     std::string(status.getText())
                         .append("; constants are not kept for others")
                         .c_str());
      file.reset();
    }
  Job job{*this, threads, inputs};
  auto count = int64_t(program->folds.size());
  // A single one has the threads for its kernels.
  if (count == 1 || !threads.tryRun(count, &Job::work, &job))
    for (int64_t i = 0; i < count; ++i)
      Job::work(&job, i, 0);
  if (job.failure)
    return std::move(job.failure).in("computing constants");
  mprotect(range, folded->getSize(), PROT_READ);
  if (file)
    file->finish(range);
  isDone.store(true, std::memory_order_release);
  return Status::success();
}
