// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Dialect/ONNX/RuntimeCall.h"

#include "invar/Dialect/ONNX/ONNXDialect.h"

using namespace mlir;
using namespace invar;
using namespace invar::onnx;

RuntimeCall &RuntimeCall::addWindow(const SlidingWindow &window,
                                    ArrayRef<IndexExpr> image) {
  DimsExpr numbers;
  for (size_t i = 0; i < image.size(); ++i)
    numbers.append({image[i], window.kernel[i], window.output[i],
                    window.strides[i], window.dilations[i], window.padsBegin[i],
                    window.padsEnd[i]});
  return addNumbers(std::move(numbers), /*columns=*/7);
}

RuntimeCall onnx::describePlainCall(Operation *op) {
  RuntimeCall call(op, op->getName().getStringRef().rsplit('.').second);
  for (Value operand : getOperandSlots(op))
    call.add(operand);
  const OpSchema &schema = cast<SchemaOpInterface>(op).getSchema();
  for (const AttributeFormal &formal : schema.attributes)
    if (Attribute value = op->getAttr(formal.name))
      call.set(formal.name, value);
  return call;
}

std::optional<SmallVector<int64_t>> onnx::listResults(Operation *op) {
  SmallVector<int64_t> places;
  for (auto [i, result] : llvm::enumerate(getResultSlots(op)))
    if (result)
      places.push_back(int64_t(i));
  bool areFirst = places.empty() || size_t(places.back()) + 1 == places.size();
  return areFirst && places.size() == op->getNumResults()
             ? std::nullopt
             : std::optional(places);
}
