// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that consist of one call of a runtime function:
//
//   Call topK = {"TopK", {INVAR_FLOAT32, INVAR_INT64}, {{"largest", Ints{0}}}};
//   std::vector<rt::Value> found = topK.mustRun({x, k, axis});
//   EXPECT_EQ(topK.whyFails({x, x}), "expected …");
#ifndef INVAR_UNITTESTS_RUNTIME_CALLTESTING_H
#define INVAR_UNITTESTS_RUNTIME_CALLTESTING_H

#include "Testing.h"

namespace invar::testing {

using Ints = std::vector<int64_t>;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

struct Call {
  const char *name;
  /// The element types of the results; their shapes are open.
  std::vector<InvarDataType> results;
  std::vector<ProgramBuilder::Attribute> attributes = {};
  int threads = 1;

  /// An empty operand is omitted.
  rt::Result<std::vector<rt::Value>> run(const std::vector<rt::Value> &operands,
                                         int times = 1) const {
    ProgramBuilder b;
    List registers, resultRegisters, types;
    std::vector<rt::Value> inputs;
    for (const rt::Value &operand : operands) {
      if (!operand) {
        registers.push_back(INVAR_NONE);
        continue;
      }
      registers.push_back(b.input("x" + std::to_string(registers.size()),
                                  b.anyTensor(operand.dataType())));
      inputs.push_back(operand);
    }
    for (InvarDataType type : results) {
      types.push_back(b.anyTensor(type));
      b.output("y" + std::to_string(types.size()), types.back());
      resultRegisters.push_back(b.object());
    }
    b.node("n");
    b.call(name, registers, resultRegisters, types, b.attributes(attributes));
    b.emit(INVAR_OP_RETURN, resultRegisters);
    Model model(b);
    rt::Session session = model.mustLoad(threads);
    for (int i = 1; i < times; ++i)
      EXPECT_FALSE(session.run(inputs).error());
    return session.run(inputs);
  }

  std::vector<rt::Value> mustRun(const std::vector<rt::Value> &operands) const {
    auto outputs = run(operands);
    EXPECT_STREQ(outputs.error().text(), "");
    return outputs ? *outputs : std::vector<rt::Value>(results.size());
  }
  /// The only result, or the first.
  rt::Value operator()(const std::vector<rt::Value> &operands) const {
    return mustRun(operands).front();
  }

  /// Returns the error text, without the name of the node.
  std::string whyFails(const std::vector<rt::Value> &operands) const {
    std::string text = run(operands).error().text();
    std::string place = "model: node 'n': ";
    return text.rfind(place, 0) == 0 ? text.substr(place.size()) : text;
  }
};

inline rt::Value scalar(int64_t number) {
  return tensor<int64_t>({}, {number});
}
inline rt::Value scalar(float number) { return tensor<float>({}, {number}); }
template <typename T> rt::Value vectorOf(const std::vector<T> &elements) {
  return tensor<T>({int64_t(elements.size())}, elements);
}
inline rt::Value vectorOf(const Strings &elements) {
  return strings({int64_t(elements.size())}, elements);
}

/// A tensor of elements without a C++ type, given by their bits.
template <typename Bits>
rt::Value patterns(InvarDataType type, const std::vector<Bits> &elements) {
  rt::Value value;
  rt::Error error =
      rt::Value::create(type, {int64_t(elements.size())}).moveInto(value);
  EXPECT_STREQ(error.text(), "");
  EXPECT_EQ(invar_data_type_size(type), sizeof(Bits));
  std::memcpy(invar_tensor_data(value.get()), elements.data(),
              elements.size() * sizeof(Bits));
  return value;
}
template <typename Bits> std::vector<Bits> patternsOf(const rt::Value &tensor) {
  EXPECT_EQ(invar_data_type_size(tensor.dataType()), sizeof(Bits));
  std::vector<Bits> elements(size_t(tensor.count()));
  std::memcpy(elements.data(), invar_tensor_data(tensor.get()),
              elements.size() * sizeof(Bits));
  return elements;
}

/// Returns a tensor with the numbers from 0 on.
template <typename T> rt::Value countUp(const Ints &sizes) {
  size_t count = 1;
  for (int64_t size : sizes)
    count *= size_t(size);
  std::vector<T> elements(count);
  for (size_t i = 0; i < count; ++i)
    elements[i] = T(i);
  return tensor<T>(sizes, elements);
}

} // namespace invar::testing

#endif // INVAR_UNITTESTS_RUNTIME_CALLTESTING_H
