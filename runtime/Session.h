// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that is ready to run: the program, its kernels and constants, and the state
// that its runs share.
#ifndef INVAR_RUNTIME_SESSION_H
#define INVAR_RUNTIME_SESSION_H

#include "Constants.h"
#include "Folds.h"
#include "Frame.h"
#include "Interpreter.h"
#include "Library.h"
#include "Profile.h"
#include "Program.h"
#include "ThreadPool.h"
#include "Weights.h"
#include "invar-c/Session.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct InvarSession {
public:
  using Status = invar::runtime::Status;
  using Value = invar::runtime::Value;
  using Bounds = invar::runtime::Bounds;

  /// `path` is the file that it was loaded from; empty if there is none.
  InvarSession(std::string name, std::string path,
               const InvarSessionOptions &options);
  ~InvarSession();
  InvarSession(const InvarSession &) = delete;
  InvarSession &operator=(const InvarSession &) = delete;

  Status load(std::unique_ptr<invar::runtime::Library> library);
  Status load(const InvarModule &module, invar::runtime::Store::Ref store);

  const std::string &getName() const { return name; }
  const invar::runtime::Surroundings &getSurroundings() const { return around; }
  const invar::runtime::Program &getProgram() const { return program; }
  /// The number of folds that have been run.
  uint64_t countFolds() const { return folds.count(); }
  /// How many kernels have been checked; 0 if the library does not check them.
  size_t countCheckedKernels() const {
    return checks ? checks->countDone() : 0;
  }
  /// As invar_session_refit_with.
  Status refit(const char *const *names, std::span<Value *const> values,
               const Bounds &bounds);

  /// As invar_session_run_with; inputs are in the session's order.
  Status run(std::span<Value *const> inputs, std::span<Value *> outputs,
             const Bounds &bounds);
  /// Puts inputs that are given by name, in any order, into the session's order.
  Status orderInputs(const char *const *names, std::span<Value *const> inputs,
                     std::vector<Value *> &ordered) const;

  void setProfile(bool enabled) {
    isProfiling.store(enabled, std::memory_order_relaxed);
  }
  std::string writeProfile(InvarProfileFormat format) const;

private:
  struct Axis {
    size_t input, axis;
  };
  /// Two axes with the same name.
  struct EqualAxes {
    Axis first, second;
    const char *name;
  };

  std::string findWeights() const;
  void findEqualAxes();
  Status completeInputs(std::span<Value *const> inputs,
                        std::vector<Value *> &complete, invar::Stop *stop);
  Status checkInputs(std::span<Value *const> inputs) const;
  Status checkOutput(size_t i, const Value *value, const Value *place) const;
  void findPlaces(std::span<Value *const> inputs,
                  std::span<Value *const> outputs,
                  std::vector<invar::runtime::Tensor *> &places) const;
  Status runIn(invar::runtime::Frame &frame,
               const invar::runtime::Constants &constants,
               std::span<Value *const> inputs, std::span<Value *> outputs);
  Status giveOutputs(invar::runtime::Frame &frame,
                     std::span<const uint32_t> registers,
                     std::span<Value *> outputs);

  /// The constants that a run reads. A run uses one generation from its beginning to
  /// its end. Replacing parameters creates a new generation.
  struct Generation {
    invar::runtime::ConstantPlaces places;
    invar::runtime::Constants constants;
  };
  std::shared_ptr<const Generation> getGeneration();
  using FoldsGuard = std::unique_lock<std::mutex>;
  Status lockFolds(FoldsGuard &guard, invar::Stop *stop);
  Status foldOnce(std::span<Value *const> inputs, const Bounds &bounds);
  Status forgetFolds(const std::shared_ptr<const Generation> &seen,
                     const Status &why);
  Status findParameters(const char *const *names,
                        std::span<Value *const> values,
                        std::vector<size_t> &numbers) const;

  std::unique_ptr<invar::runtime::Frame> takeFrame();
  void keepFrame(std::unique_ptr<invar::runtime::Frame> frame);

  std::string name;
  invar::runtime::Surroundings around;
  std::unique_ptr<invar::runtime::Library> library;
  invar::runtime::Program program;
  const InvarKernel *kernels = nullptr;
  std::unique_ptr<invar::runtime::KernelChecks> checks;
  /// Held while constants are computed, at the first run or for another generation.
  std::mutex foldsLock;
  invar::runtime::Folds folds;
  std::mutex generationLock;
  std::shared_ptr<const Generation> generation;
  invar::runtime::ThreadPoolRef threads;
  invar::runtime::FoldOptions foldOptions;
  std::vector<EqualAxes> equalAxes;

  std::mutex framesLock;
  std::vector<std::unique_ptr<invar::runtime::Frame>> frames;

  std::atomic<bool> isProfiling;
  invar::runtime::Profile profile;
};

#endif // INVAR_RUNTIME_SESSION_H
