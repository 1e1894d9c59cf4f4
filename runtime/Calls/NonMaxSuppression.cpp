// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/NonMaxSuppression.h"

#include "Calls.h"

#include <algorithm>

using namespace invar::runtime;
using invar::kernels::BoxChoice;

/// Reads the only element of a float operand, if the operand is given.
static Status readFloat(CallContext &call, size_t operand,
                        std::optional<float> &number) {
  const Tensor *tensor = call.getOptionalTensor(operand);
  if (!tensor)
    return Status::success();
  if (Status status = call.expectType(operand, INVAR_FLOAT32))
    return status;
  if (Status status = call.expectCount(operand, 1))
    return status;
  number = *tensor->getData<float>();
  return Status::success();
}

static Status readChoice(CallContext &call, BoxChoice<float> &choice) {
  choice.isCentered = call.getInt("center_point_box", 0) != 0;
  if (call.getOptionalTensor(2))
    if (Status status = call.readInteger(2, choice.most))
      return status;
  std::optional<float> overlap;
  if (Status status = readFloat(call, 3, overlap))
    return status;
  choice.overlap = overlap.value_or(0);
  if (!(choice.overlap >= 0 && choice.overlap <= 1))
    return call.fail("expected 'iou_threshold' to be from 0 to 1, but got ",
                     std::to_string(choice.overlap));
  return readFloat(call, 4, choice.score);
}

Status invar::runtime::callNonMaxSuppression(CallContext &call) {
  for (size_t operand : {0, 1}) {
    if (Status status = call.expectType(operand, INVAR_FLOAT32))
      return status;
    if (Status status = call.expectRank(operand, 3))
      return status;
  }
  const Tensor &boxes = call.getTensor(0), &scores = call.getTensor(1);
  int64_t batches = scores.getSize(0), classes = scores.getSize(1),
          count = scores.getSize(2);
  int64_t boxSizes[] = {batches, count, 4};
  if (!std::ranges::equal(boxes.getSizes(), boxSizes))
    return call.fail("expected boxes of ",
                     describeTensor(INVAR_FLOAT32, boxSizes), ", but got ",
                     describe(&boxes));
  BoxChoice<float> choice;
  if (Status status = readChoice(call, choice))
    return status;

  // The numbers of the chosen boxes for each class, and their counts.
  int64_t all = batches * classes;
  std::span<int64_t> chosen, counts;
  if (Status status = call.getScratch(scores.getCount(), chosen))
    return status;
  if (Status status = call.getScratch(all, counts))
    return status;
  if (Status status = call.parallelFor(all, 1, [&](int64_t from, int64_t to) {
        for (int64_t i = from; i < to; ++i)
          counts[size_t(i)] = kernels::chooseBoxes(
              boxes.getData<float>() + i / classes * count * 4,
              scores.getData<float>() + i * count, choice,
              chosen.subspan(size_t(i * count), size_t(count)), call.getStop());
      }))
    return status;

  int64_t sum = 0;
  for (int64_t found : counts)
    sum += found;
  Tensor *result = nullptr;
  if (Status status = call.allocate(0, INVAR_INT64, {sum, 3}, result))
    return status;
  int64_t *row = result->getData<int64_t>();
  for (int64_t i = 0; i < all; ++i)
    for (int64_t box :
         chosen.subspan(size_t(i * count), size_t(counts[size_t(i)]))) {
      row[0] = i / classes;
      row[1] = i % classes;
      row[2] = box;
      row += 3;
    }
  return Status::success();
}
