// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/LinearAttention.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace invar;
using namespace invar::runtime;

/// Checks that operand i, a batch of lines, matches the query and has one of `sizes` as
/// its last size.
static Status expectLast(CallContext &call, size_t i, const Tensor &query,
                         std::initializer_list<int64_t> sizes) {
  const Tensor *x = call.getOptionalTensor(i);
  if (!x)
    return Status::success();
  if (Status status = call.expectRank(i, 3))
    return status;
  if (x->getSize(0) != query.getSize(0) || x->getSize(1) != query.getSize(1) ||
      std::ranges::find(sizes, x->getSize(2)) == sizes.end())
    return call.fail("expected operands whose sizes agree, but got ",
                     describe(&query), " and ", describe(x));
  return Status::success();
}

/// Reads sizes from operands and settings.
template <typename T>
static Status readAttention(CallContext &call,
                            kernels::LinearAttention<T> &attention) {
  for (size_t i : {0, 1, 2})
    if (Status status = call.expectRank(i, 3))
      return status;
  const Tensor &query = call.getTensor(0), &value = call.getTensor(2);
  const Tensor *decay = call.getOptionalTensor(4),
               *beta = call.getOptionalTensor(5);
  int64_t heads = call.getInt("heads"), queryHeads = call.getInt("query_heads");
  if ((call.getInt("decays") != 0) != bool(decay) ||
      (call.getInt("corrects") != 0) != bool(beta))
    return call.fail("expected 'decay' and 'beta' as the update rule needs "
                     "them, but got others");
  if (heads < 1 || queryHeads < heads || queryHeads % heads ||
      query.getSize(2) % queryHeads || value.getSize(2) % heads)
    return call.fail("expected whole heads, but got ", queryHeads, " and ",
                     heads, " of ", describe(&query), " and ",
                     describe(&value));
  attention.length = query.getSize(1);
  attention.queryHeads = queryHeads;
  attention.keyHeads = heads;
  int64_t keySize = attention.keySize = query.getSize(2) / queryHeads;
  attention.valueSize = value.getSize(2) / heads;
  if (Status status = expectLast(call, 1, query, {heads * keySize}))
    return status;
  if (Status status = expectLast(call, 2, query, {value.getSize(2)}))
    return status;
  if (Status status = expectLast(call, 4, query, {heads, heads * keySize}))
    return status;
  if (Status status = expectLast(call, 5, query, {heads, 1}))
    return status;
  attention.decaySize = decay && decay->getSize(2) != heads ? keySize : 1;
  attention.betaHeads = beta ? beta->getSize(2) : 1;
  double scale = call.getFloat("scale");
  attention.scale = T(scale == 0 ? 1 / std::sqrt(double(keySize)) : scale);
  return Status::success();
}

template <typename T> static Status attend(CallContext &call) {
  kernels::LinearAttention<T> attention = {};
  if (Status status = readAttention(call, attention))
    return status;
  const Tensor &query = call.getTensor(0);
  const Tensor *past = call.getOptionalTensor(3);
  int64_t batch = query.getSize(0);
  int64_t stateSizes[] = {batch, attention.keyHeads, attention.keySize,
                          attention.valueSize};
  if (past && !std::ranges::equal(past->getSizes(), stateSizes))
    return call.fail("expected a state of ",
                     describeTensor(past->getType(), stateSizes), ", but got ",
                     describe(past));
  std::span<const T> operands[6];
  for (size_t i = 0; i < std::size(operands); ++i)
    if (call.getOperand(i))
      if (Status status = readNumbers(call, i, operands[i]))
        return status;
  // Heads without elements may be as many as they like.
  int64_t width = 0;
  if (__builtin_mul_overflow(attention.queryHeads, attention.valueSize, &width))
    return call.fail("expected a result that can be counted, but got ",
                     attention.queryHeads, " heads of ", attention.valueSize);
  NumberResult<T> results, states;
  if (Status status =
          results.allocate(call, call.findResult(0), query.getType(),
                           std::array{batch, attention.length, width}))
    return status;
  if (Status status =
          states.allocate(call, call.findResult(1),
                          past ? past->getType() : query.getType(), stateSizes))
    return status;
  if (past)
    std::ranges::copy(operands[3], states.data());
  else
    std::fill_n(states.data(), states.size(), T(0));
  // Without results there are no steps.
  if (results.size() == 0)
    return states.finish(call);
  attention.queries = operands[0].data();
  attention.keys = operands[1].data();
  attention.values = operands[2].data();
  attention.decay = operands[4].data();
  attention.beta = operands[5].data();
  attention.results = results.data();
  attention.states = states.data();
  if (Status status = call.parallelFor(
          batch * attention.keyHeads, 1, [&](int64_t from, int64_t to) {
            for (int64_t i = from; i < to; ++i)
              attention.run(i / attention.keyHeads, i % attention.keyHeads);
          }))
    return status;
  if (Status status = results.finish(call))
    return status;
  return states.finish(call);
}

/// A scale of 0 stands for 1 / sqrt(size of a key).
Status runtime::callLinearAttention(CallContext &call) {
  return visitFloats(call, call.getTensor(0).getType(),
                     [&]<typename T>(T) { return attend<T>(call); });
}
