// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/ComputeTogether.h"
#include "invar/Dialect/ONNX/KernelInput.h"
#include "invar/Dialect/ONNX/Ops/Attention.h"
#include "invar/Kernels/LinearAttention.h"
#include "invar/Support/Parallel.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

FoldResult LinearAttentionOp::computeValues(Folding &fold) {
  using Input = KernelInput<double>;
  bool isGated = getUpdateRule().starts_with("gated");
  bool isDelta = getUpdateRule().ends_with("delta");
  if (isGated != bool(getDecay()) || isDelta != bool(getBeta()))
    return notFolded("expected 'decay' and 'beta' as 'update_rule' needs them");
  llvm::Expected<Shape> to = fold.getShape(0), stateShape = fold.getShape(1);
  if (!to || !stateShape)
    return llvm::joinErrors(to.takeError(), stateShape.takeError());
  SmallVector<std::optional<Input>> inputs;
  for (Value operand :
       {Value(getQuery()), Value(getKey()), Value(getValue()),
        Value(getPastState()), Value(getDecay()), Value(getBeta())}) {
    auto input = Input::getOptional(fold, operand);
    if (!input)
      return input.takeError();
    inputs.push_back(std::move(*input));
  }
  kernels::LinearAttention<double> attention;
  int64_t batch = (*to)[0];
  attention.length = (*to)[1];
  attention.queryHeads = getQNumHeads();
  attention.keyHeads = getKvNumHeads();
  attention.keySize = (*stateShape)[2];
  attention.valueSize = (*stateShape)[3];
  attention.decaySize = attention.betaHeads = 1;
  // The last axis of an operand has one of these sizes, the others are those of the result.
  auto hasShape = [&](const std::optional<Input> &input,
                      ArrayRef<int64_t> sizes) {
    return !input ||
           (input->getShape().size() == 3 && input->getShape()[0] == batch &&
            input->getShape()[1] == attention.length &&
            llvm::is_contained(sizes, input->getShape()[2]));
  };
  int64_t heads = attention.keyHeads;
  if (!hasShape(inputs[0], attention.queryHeads * attention.keySize) ||
      !hasShape(inputs[1], heads * attention.keySize) ||
      !hasShape(inputs[2], heads * attention.valueSize) ||
      !hasShape(inputs[4], {heads, heads * attention.keySize}) ||
      !hasShape(inputs[5], {heads, 1}))
    return notFolded("expected operands whose sizes agree");
  if (inputs[4] && inputs[4]->getShape()[2] != heads)
    attention.decaySize = attention.keySize;
  if (inputs[5])
    attention.betaHeads = inputs[5]->getShape()[2];
  attention.scale = double(getScale());
  if (attention.scale == 0)
    attention.scale = 1 / std::sqrt(double(attention.keySize));

  auto run = [inputs, attention, batch,
              threads = fold.getOptions().evaluation.threads](
                 ArrayRef<MutableArrayRef<double>> out) {
    SmallVector<std::optional<ElementsArray<double>>> arrays(inputs.size());
    SmallVector<const double *> data(inputs.size(), nullptr);
    for (auto [i, input] : llvm::enumerate(inputs))
      if (input) {
        arrays[i].emplace(input->read());
        data[i] = arrays[i]->begin();
      }
    kernels::LinearAttention<double> each = attention;
    each.queries = data[0];
    each.keys = data[1];
    each.values = data[2];
    each.decay = data[4];
    each.beta = data[5];
    each.results = out[0].data();
    each.states = out[1].data();
    if (inputs[3])
      llvm::copy(*arrays[3], out[1].begin());
    else
      llvm::fill(out[1], 0);
    parallelFor(batch * each.keyHeads, 1, threads,
                [&](uint64_t from, uint64_t to) {
                  for (int64_t i = int64_t(from); i < int64_t(to); ++i)
                    each.run(i / each.keyHeads, i % each.keyHeads);
                });
  };
  auto results = computeTogether<double>(fold, {*to, *stateShape}, run);
  if (!results)
    return results.takeError();
  FoldResult::Values values;
  for (auto [i, result] : llvm::enumerate(*results)) {
    auto rounded = fold.getBuilder().cast(result, fold.getType(i));
    if (!rounded)
      return rounded;
    values.push_back(std::move(*rounded));
  }
  return values;
}
