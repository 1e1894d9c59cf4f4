// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The view that a runtime function (a "call") has of its invocation: operands,
// attributes, results and helpers. A function that computes an operator is in the
// folder of the operator's family, lib/Dialect/ONNX/Ops/F/FCalls.cpp; the compiler runs
// it too, to fold constants (Invoke.h). Others are in Calls/. A new one needs a line in
// Calls/Calls.def,
//
//   INVAR_CALL(NonZero, "T", "T")
//
// which names its operands and results (Signature in CallSite.h), and a function,
//
//   Status invar::runtime::callNonZero(CallContext &call) {
//     const Tensor &x = call.getTensor(0);
//     …
//     Tensor *y;
//     if (Status status = call.allocate(0, INVAR_INT64, {x.rank, count}, y))
//       return status;
//     …
//     return Status::success();
//   }
//
// The operator describes its call (include/invar/Dialect/ONNX/RuntimeCall.h). Numbers
// that inference computes (windows, sizes, axes) are operands: a call does not compute
// them again. Attributes are plain settings: a function knows neither modes by name nor
// defaults of the standard.
//
// Before the call, the number and the kinds of operands and results are checked
// against the signature. The function must check data types, ranks and values.
// Failure texts are prefixed with the model and the node automatically. After the
// call, results are checked against the types that the compiler inferred. A function
// keeps no state between calls, except through prepare().
#ifndef INVAR_RUNTIME_CALLCONTEXT_H
#define INVAR_RUNTIME_CALLCONTEXT_H

#include "CallSite.h"
#include "Frame.h"
#include "ThreadPool.h"
#include "invar/Stop/Scope.h"

#include <cassert>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

namespace invar::runtime {

class CallContext {
public:
  /// `operands` are registers, or INVAR_NONE for an operand that is left out.
  CallContext(const CallSite &site, Frame &frame, ThreadPool &threads,
              std::span<const uint32_t> operands,
              std::span<const uint32_t> results)
      : site(site), frame(frame), threads(threads), operands(operands),
        resultRegisters(results) {
    frame.results.assign(results.size(), nullptr);
  }
  ~CallContext();
  CallContext(const CallContext &) = delete;
  CallContext &operator=(const CallContext &) = delete;

  /// Calls the function and stores its results in their registers.
  Status run();

  // Operands. An operand that is left out, also at the end of the list, is null.
  size_t getNumOperands() const { return operands.size(); }
  Value *getOperand(size_t i) const {
    return i < operands.size() && operands[i] != INVAR_NONE
               ? frame.objects[operands[i]].get()
               : nullptr;
  }
  const Tensor &getTensor(size_t i) const {
    return *static_cast<const Tensor *>(getOperand(i));
  }
  const Tensor *getOptionalTensor(size_t i) const {
    return static_cast<const Tensor *>(getOperand(i));
  }
  const Sequence &getSequence(size_t i) const {
    return *static_cast<const Sequence *>(getOperand(i));
  }
  const Map &getMap(size_t i) const {
    return *static_cast<const Map *>(getOperand(i));
  }
  /// Returns the operand if this call is its last use: then the function may change
  /// it and return it as a result. Otherwise null.
  Value *getOperandToChange(size_t i) const {
    return site.isLastUse[i] && frame.objects[operands[i]].hasOnlyReference()
               ? getOperand(i)
               : nullptr;
  }

  /// Return a failure if the operand is not as expected.
  Status expectType(size_t i, InvarDataType type) const;
  Status expectRank(size_t i, size_t rank) const;
  Status expectCount(size_t i, int64_t count) const;
  /// The only element of an integer tensor.
  Status readInteger(size_t i, int64_t &number) const;
  /// Makes a negative axis count from the front; fails if it is out of range.
  Status normalizeAxis(int64_t &axis, int64_t rank) const;

  // Attributes.
  const Attribute *findAttribute(std::string_view name) const;
  /// 0, or an empty text, for one that is not given.
  int64_t getInt(std::string_view name) const;
  double getFloat(std::string_view name) const;
  std::string_view getString(std::string_view name) const;
  std::span<const int64_t> getInts(std::string_view name) const;
  std::span<const double> getFloats(std::string_view name) const;
  std::span<const std::string_view> getStrings(std::string_view name) const;

  /// Returns the value that `make` computes from the attributes, once for all runs: a
  /// T, which derives from Prepared. Several threads may compute it at the same time;
  /// one value is kept.
  template <typename T, typename Make> const T &prepare(Make make) {
    Prepared *prepared = site.prepared.load(std::memory_order_acquire);
    if (!prepared) {
      Prepared *made = new T(make());
      if (site.prepared.compare_exchange_strong(prepared, made,
                                                std::memory_order_acq_rel))
        prepared = made;
      else
        delete made;
    }
    return *static_cast<const T *>(prepared);
  }

  // Results.
  size_t getNumResults() const { return resultRegisters.size(); }
  /// Which result corresponds to an output of the operator. If some outputs are left
  /// out, the attribute `results` lists the others. For an output that is left out,
  /// returns a number that is not below getNumResults().
  size_t findResult(size_t output) const;
  /// Whether the result is used. The function may compute it in any case.
  bool isWanted(size_t i) const {
    return i < resultRegisters.size() && resultRegisters[i] != INVAR_NONE;
  }
  /// The type that the compiler inferred.
  const Type &getResultType(size_t i) const { return *site.resultTypes[i]; }
  /// Allocates a result. Its elements are undefined.
  Status allocate(size_t i, InvarDataType type, Sizes sizes, Tensor *&tensor);
  Status allocate(size_t i, InvarDataType type,
                  std::initializer_list<int64_t> sizes, Tensor *&tensor) {
    return allocate(i, type, Sizes(sizes.begin(), sizes.size()), tensor);
  }
  /// Makes a value, such as an operand, the result, and adds a reference to it. A
  /// tensor that shares elements with an operand must have all of them: the compiler
  /// decides by the byte counts which values cannot share memory.
  void setResult(size_t i, Value *value) {
    retain(value);
    adoptResult(i, value);
  }
  /// The same, but takes over the caller's reference.
  void adoptResult(size_t i, Value *value);

  // Memory and work.
  /// The arena for values that the function allocates itself; see Value.h.
  Arena *getArena() const { return frame.arena.get(); }
  /// Returns memory that lives until the end of the call.
  template <typename T> Status getScratch(int64_t count, std::span<T> &memory) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 64);
    void *bytes = nullptr;
    if (Status status = getScratchBytes(count, sizeof(T), bytes))
      return status;
    memory = {static_cast<T *>(bytes), size_t(count)};
    return Status::success();
  }

  /// Calls `body(from, to)` on the threads of the pool, for ranges that together
  /// cover [0, units). Ranges usually have at least `grain` units. Fails if the run
  /// is stopped meanwhile; then some ranges were not processed.
  template <typename Body>
  Status parallelFor(int64_t units, int64_t grain, Body body) {
    struct Job {
      Pieces pieces;
      Body *body;
      Stop *stop;
      int64_t grain;

      void run(int64_t from, int64_t to) const {
        StopScope scope(stop);
        stop ? stop->forRanges(from, to, grain, *body) : (*body)(from, to);
      }
    } job{Pieces(units, grain, threads.getSize(), frame.stop != nullptr), &body,
          frame.stop, grain};
    auto work = [](void *context, int64_t piece, unsigned) {
      auto &job = *static_cast<Job *>(context);
      job.run(job.pieces.begin(piece), job.pieces.begin(piece + 1));
    };
    if (job.pieces.count < 2 || !threads.tryRun(job.pieces.count, work, &job))
      job.run(0, units);
    return checkStopped();
  }
  /// The object that may end the call early, or null. A long loop on one thread must
  /// poll it.
  Stop *getStop() const { return frame.stop; }
  /// Fails if the run has been stopped.
  Status checkStopped() const {
    return frame.stop && frame.stop->isStopped() ? explainStop(*frame.stop)
                                                 : Status::success();
  }

  /// A failure of the run, whose text is made of strings and integers.
  template <typename... Parts> Status fail(const Parts &...parts) const {
    return runtime::fail(INVAR_RUN_FAILED, parts...);
  }

private:
  Tensor *findPlace(size_t i, InvarDataType type, Sizes sizes) const;
  Status getScratchBytes(int64_t count, size_t size, void *&memory);
  Status checkOperands() const;
  Status storeResults();

  const CallSite &site;
  Frame &frame;
  ThreadPool &threads;
  std::span<const uint32_t> operands, resultRegisters;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CALLCONTEXT_H
