// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Invoke.h"

#include "CallContext.h"

#include <numeric>

using namespace invar::runtime;

Status invar::runtime::invoke(const Invocation &invocation, ThreadPool &threads,
                              Stop *stop, std::vector<Value *> &results) {
  size_t numOperands = invocation.operands.size(),
         numResults = invocation.results.size();
  const CallFunction *function = findCall(invocation.function);
  if (!function || !function->operands.fits(numOperands) ||
      !function->results.fits(numResults))
    return fail(INVAR_RUN_FAILED, "expected a function '", invocation.function,
                "' of ", numOperands, " operands and ", numResults,
                " results, but there is none");

  // A frame of one register for each operand, and then for each result.
  Program program;
  program.numObjects = uint32_t(numOperands + numResults);
  Frame frame(program, /*owner=*/nullptr);
  frame.stop = stop;
  std::vector<uint32_t> registers(program.numObjects);
  std::iota(registers.begin(), registers.end(), 0);
  for (size_t i = 0; i < numOperands; ++i) {
    if (Value *operand = invocation.operands[i])
      frame.objects[i].borrow(operand, nullptr);
    else
      registers[i] = INVAR_NONE;
  }

  std::string name(invocation.function);
  CallSite site;
  site.function = function;
  site.name = &name;
  site.attributes = &invocation.attributes;
  site.isLastUse.assign(numOperands, false);
  site.resultTypes.assign(invocation.results.begin(), invocation.results.end());
  for (size_t i = 0; i < numResults; ++i)
    if (!invocation.results[i])
      registers[numOperands + i] = INVAR_NONE;
  frame.places.assign(invocation.places.begin(), invocation.places.end());
  frame.places.resize(numResults);
  site.outputs.resize(numResults);
  std::iota(site.outputs.begin(), site.outputs.end(), 0);

  std::span<const uint32_t> all(registers);
  CallContext call(site, frame, threads, all.first(numOperands),
                   all.subspan(numOperands));
  if (Status status = call.run())
    return status;
  results.clear();
  for (size_t i = 0; i < numResults; ++i) {
    Value *result = frame.objects[numOperands + i].get();
    if (result)
      retain(result);
    results.push_back(result);
  }
  return Status::success();
}
