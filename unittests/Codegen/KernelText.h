// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the text of kernels from short descriptions.
//
//   KernelText k;
//   k.read("x", "tensor<3x5xf32>").write("y", "tensor<3xf32>");
//   k.step("pr", {{"x", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i)"}},
//          "%r = arith.addf %y_, %x_ : f32", "0.0");
//
// A step's operands are tensor names; in its body, `x_` is the element of x. The result
// has the name of the tensor that the step writes. The optional last argument fills the
// result first.
#ifndef INVAR_UNITTESTS_CODEGEN_KERNELTEXT_H
#define INVAR_UNITTESTS_CODEGEN_KERNELTEXT_H

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace invar {

class KernelText {
public:
  using Operands = std::vector<std::pair<std::string, std::string>>;

  /// An argument that is read: a tensor or a scalar.
  KernelText &read(std::string name, std::string type);
  /// A result, which is also an argument.
  KernelText &write(std::string name, std::string type);
  /// An intermediate tensor. For dynamic sizes, `sizes` is the text in the parentheses.
  KernelText &keep(std::string name, std::string type, std::string sizes = "");
  /// Any line of the kernel; `type` is the type of the tensor `name` that it defines.
  KernelText &line(std::string text, std::string name = "",
                   std::string type = "");

  /// A linalg.generic; `iterators` consists of 'p' and 'r'. The body defines %r, or
  /// several results %r0, %r1, …  `attributes` are its attributes.
  KernelText &step(std::string iterators, Operands reads, Operands writes,
                   std::string body, std::string fill = "",
                   std::string attributes = "");

  std::string get() const;

private:
  std::string getElement(const std::string &name) const;

  std::vector<std::string> arguments, results;
  std::map<std::string, std::string> types;
  /// The function's current value for each name.
  std::map<std::string, std::string> values;
  std::string body;
  unsigned next = 0;
};

} // namespace invar

#endif // INVAR_UNITTESTS_CODEGEN_KERNELTEXT_H
