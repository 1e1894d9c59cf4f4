// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScoringCalls.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace invar;
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

int64_t runtime::findGreatest(std::span<const double> numbers) {
  return std::ranges::max_element(numbers) - numbers.begin();
}

size_t ScoreResult::countLabels(const CallContext &call) {
  return std::max(call.getStrings("labels").size(),
                  call.getInts("labels").size());
}

Status ScoreResult::allocate(CallContext &call, size_t result, int64_t examples,
                             int64_t count) {
  width = count;
  transform = kernels::ScoreTransform(call.getInt("transform"));
  InvarDataType type = call.isWanted(result)
                           ? call.getResultType(result).dataType
                           : INVAR_FLOAT32;
  return scores.allocate(call, result, type, std::array{examples, count});
}

Status ScoreResult::allocateScores(CallContext &call, int64_t examples,
                                   int64_t count) {
  return allocate(call, 0, examples, count);
}

Status ScoreResult::allocateLabels(CallContext &call, int64_t examples,
                                   int64_t count) {
  bool areStrings = !call.getStrings("labels").empty();
  if (Status status = call.allocate(call.findResult(0),
                                    areStrings ? INVAR_STRING : INVAR_INT64,
                                    {examples}, labels))
    return status;
  if (Status status = call.getScratch(examples, places))
    return status;
  return allocate(call, call.findResult(1), examples, count);
}

void ScoreResult::setScores(int64_t example, double score, bool isShare) const {
  bool isLogistic = transform == kernels::ScoreTransform::Logistic;
  std::span<double> row = getRow(example);
  row[0] = isShare && !isLogistic ? 1 - score : -score;
  row[1] = score;
  if (isLogistic)
    transformRow(example);
}

void ScoreResult::checkNumbers(std::span<const double> numbers) {
  if (std::ranges::any_of(numbers, [](double x) { return std::isnan(x); }))
    doubt("one of its scores is no number");
}

Status ScoreResult::finish(CallContext &call) const {
  if (const char *why = whyDoubtful; why && call.getInt("expects_agreement"))
    return call.fail(why);
  if (Status status = scores.finish(call))
    return status;
  if (!labels)
    return Status::success();
  auto names = call.getStrings("labels");
  auto numbers = call.getInts("labels");
  for (size_t i = 0; i < places.size(); ++i) {
    auto place = size_t(places[i]);
    if (names.empty())
      labels->getData<int64_t>()[i] = numbers[place];
    else if (!labels->setString(int64_t(i), names[place]))
      return explainNoStrings();
  }
  return Status::success();
}
