// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Determinants, and linear attention, whose state is a matrix.
#include "BoxCopy.h"
#include "Calls.h"
#include "Numbers.h"
#include "invar/Kernels/Determinant.h"
#include "invar/Kernels/LinearAttention.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace invar;
using namespace invar::runtime;

Status runtime::callDet(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (x.rank < 2 || x.getSize(x.rank - 1u) != x.getSize(x.rank - 2u))
    return call.fail("expected square matrices, but got ", describe(&x));
  Sizes batch = x.getSizes().first(x.rank - 2u);
  int64_t n = x.getSizes().back();
  return visitFloats(call, x.getType(), [&]<typename T>(T) -> Status {
    std::span<const T> matrices;
    if (Status status = readNumbers(call, 0, matrices))
      return status;
    NumberResult<T> result;
    if (Status status = result.allocate(call, 0, x.getType(), batch))
      return status;
    // Steps that are worth a thread.
    constexpr int64_t grain = 1 << 14;
    int64_t steps = std::max<int64_t>(n * n, 1);
    if (Status status = call.parallelFor(
            result.size(), std::max<int64_t>(grain / steps, 1),
            [&](int64_t from, int64_t to) {
              std::vector<T> matrix;
              for (int64_t i = from; i < to; ++i) {
                auto own = matrices.subspan(size_t(i * n * n), size_t(n * n));
                matrix.assign(own.begin(), own.end());
                result[i] = kernels::determinant(matrix.data(), n);
              }
            }))
      return status;
    return result.finish(call);
  });
}

// LinearAttention

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

/// Reads sizes from operands and attributes.
static Status readAttention(CallContext &call,
                            kernels::LinearAttention<float> &attention) {
  for (size_t i : {0, 1, 2})
    if (Status status = call.expectRank(i, 3))
      return status;
  const Tensor &query = call.getTensor(0), &value = call.getTensor(2);
  const Tensor *decay = call.getOptionalTensor(4),
               *beta = call.getOptionalTensor(5);
  int64_t heads = call.getInt("kv_num_heads", 0),
          queryHeads = call.getInt("q_num_heads", 0);
  std::string_view rule = call.getString("update_rule", "gated_delta");
  if (rule.starts_with("gated") != bool(decay) ||
      rule.ends_with("delta") != bool(beta))
    return call.fail("expected 'decay' and 'beta' as '", rule,
                     "' needs them, but got others");
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
  attention.scale = float(call.getFloat("scale", 0));
  if (attention.scale == 0)
    attention.scale = float(1 / std::sqrt(double(keySize)));
  return Status::success();
}

Status runtime::callLinearAttention(CallContext &call) {
  kernels::LinearAttention<float> attention = {};
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
  std::span<const float> operands[6];
  for (size_t i = 0; i < std::size(operands); ++i)
    if (call.getOperand(i))
      if (Status status = readNumbers(call, i, operands[i]))
        return status;
  NumberResult<float> results, states;
  if (Status status = results.allocate(
          call, call.findResult(0), query.getType(),
          std::array{batch, attention.length,
                     attention.queryHeads * attention.valueSize}))
    return status;
  if (Status status =
          states.allocate(call, call.findResult(1),
                          past ? past->getType() : query.getType(), stateSizes))
    return status;
  if (past)
    std::ranges::copy(operands[3], states.data());
  else
    std::fill_n(states.data(), states.size(), 0.0f);
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
