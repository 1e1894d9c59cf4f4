// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/NonMaxSuppression.h"
#include "runtime/Calls/Calls.h"
#include "runtime/Calls/Numbers.h"

#include <algorithm>

using namespace invar::runtime;
using invar::kernels::BoxChoice;

template <typename T>
static Status readChoice(CallContext &call, BoxChoice<T> &choice) {
  choice.isCentered = call.getInt("is_centered") != 0;
  if (Status status = readNumber(call, 2, choice.most))
    return status;
  if (Status status = readNumber(call, 3, choice.overlap))
    return status;
  if (!(choice.overlap >= 0 && choice.overlap <= 1))
    return call.fail("expected 'iou_threshold' to be from 0 to 1, but got ",
                     std::to_string(choice.overlap));
  T score = 0;
  if (Status status = readNumber(call, 4, score))
    return status;
  if (call.getOperand(4))
    choice.score = score;
  return Status::success();
}

/// Operands are the boxes, their scores, the greatest number of boxes to choose for a
/// class, and the greatest overlap and the least score of chosen boxes.
Status invar::runtime::callNonMaxSuppression(CallContext &call) {
  for (size_t operand : {0, 1})
    if (Status status = call.expectRank(operand, 3))
      return status;
  const Tensor &boxes = call.getTensor(0), &scores = call.getTensor(1);
  int64_t batches = scores.getSize(0), classes = scores.getSize(1),
          count = scores.getSize(2);
  int64_t boxSizes[] = {batches, count, 4};
  if (!std::ranges::equal(boxes.getSizes(), boxSizes))
    return call.fail("expected boxes of ",
                     describeTensor(boxes.getType(), boxSizes), ", but got ",
                     describe(&boxes));

  // The numbers of the chosen boxes for each class, and their counts.
  int64_t all = batches * classes;
  std::span<int64_t> chosen, counts;
  if (Status status = call.getScratch(scores.getCount(), chosen))
    return status;
  if (Status status = call.getScratch(all, counts))
    return status;
  auto choose = [&]<typename T>(T) -> Status {
    BoxChoice<T> choice;
    if (Status status = readChoice(call, choice))
      return status;
    std::span<const T> corners, ranks;
    if (Status status = readNumbers(call, 0, corners))
      return status;
    if (Status status = readNumbers(call, 1, ranks))
      return status;
    return call.parallelFor(all, 1, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i)
        counts[size_t(i)] = kernels::chooseBoxes(
            corners.data() + i / classes * count * 4, ranks.data() + i * count,
            choice, chosen.subspan(size_t(i * count), size_t(count)),
            call.getStop());
    });
  };
  if (Status status = visitFloats(call, boxes.getType(), choose))
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
