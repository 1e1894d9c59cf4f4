// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of kernels, made from what is special about each.
//
//   KernelText k;
//   k.read("x", "tensor<3x5xf32>").write("y", "tensor<3xf32>");
//   k.step("pr", {{"x", "(i, j) -> (i, j)"}}, {{"y", "(i, j) -> (i)"}},
//          "%r = arith.addf %y_, %x_ : f32", "0.0");
//
// A step's operands are tensors by name; in its body, `x_` is the element of x. What it
// computes goes by the name that it writes. A last word fills the result first.
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
  /// A result, which is an argument too.
  KernelText &write(std::string name, std::string type);
  /// A tensor in between; of dynamic sizes, `sizes` are what stands in the parentheses.
  KernelText &keep(std::string name, std::string type, std::string sizes = "");
  /// Any line of the kernel; `type` is that of the tensor `name` which it makes.
  KernelText &line(std::string text, std::string name = "",
                   std::string type = "");

  /// A linalg.generic; `iterators` has 'p' and 'r'. The body gives %r, or several results
  /// %r0, %r1, …  What stands in `attributes` it carries.
  KernelText &step(std::string iterators, Operands reads, Operands writes,
                   std::string body, std::string fill = "",
                   std::string attributes = "");

  std::string get() const;

private:
  std::string getElement(const std::string &name) const;

  std::vector<std::string> arguments, results;
  std::map<std::string, std::string> types;
  /// What a name means now: a value of the function.
  std::map<std::string, std::string> values;
  std::string body;
  unsigned next = 0;
};

} // namespace invar

#endif // INVAR_UNITTESTS_CODEGEN_KERNELTEXT_H
