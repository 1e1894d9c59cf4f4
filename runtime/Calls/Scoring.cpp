// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scoring.h"

#include <algorithm>
#include <array>

using namespace invar::runtime;

Status Examples::read(CallContext &call) {
  const Tensor &x = call.getTensor(0);
  if (x.rank != 1 && x.rank != 2)
    return call.fail("expected a tensor of rank 1 or 2, but got ",
                     describe(&x));
  count = x.rank == 2 ? x.getSize(0) : 1;
  features = x.getSizes().back();
  return readNumbers(call, 0, numbers);
}

int64_t invar::runtime::findGreatest(std::span<const double> numbers) {
  return std::ranges::max_element(numbers) - numbers.begin();
}

size_t ScoreResult::countLabels(const CallContext &call,
                                std::string_view integers) {
  auto names = call.getStrings("classlabels_strings");
  return names.empty() ? call.getInts(integers).size() : names.size();
}

Status ScoreResult::allocate(CallContext &call, InvarDataType type,
                             int64_t examples, int64_t count) {
  width = count;
  return scores.allocate(call, 0, type, std::array{examples, count});
}

Status ScoreResult::allocate(CallContext &call, std::string_view names,
                             int64_t examples, int64_t count) {
  width = count;
  integers = names;
  bool areStrings = !call.getStrings("classlabels_strings").empty();
  if (Status status = call.allocate(call.findResult(0),
                                    areStrings ? INVAR_STRING : INVAR_INT64,
                                    {examples}, labels))
    return status;
  if (Status status = call.getScratch(examples, places))
    return status;
  return scores.allocate(call, call.findResult(1), INVAR_FLOAT32,
                         std::array{examples, count});
}

Status ScoreResult::finish(CallContext &call) const {
  if (Status status = scores.finish(call))
    return status;
  if (!labels)
    return Status::success();
  auto names = call.getStrings("classlabels_strings");
  auto numbers = call.getInts(integers);
  for (size_t i = 0; i < places.size(); ++i) {
    auto place = size_t(places[i]);
    if (names.empty())
      labels->getData<int64_t>()[i] = numbers[place];
    else if (!labels->setString(int64_t(i), names[place]))
      return explainNoStrings();
  }
  return Status::success();
}
