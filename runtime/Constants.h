// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of a program as tensors, whose elements stay where they are.
#ifndef INVAR_RUNTIME_CONSTANTS_H
#define INVAR_RUNTIME_CONSTANTS_H

#include "Library.h"
#include "Program.h"
#include "Value.h"

#include <span>
#include <vector>

namespace invar::runtime {

class Constants {
public:
  Constants() = default;
  ~Constants();
  Constants(const Constants &) = delete;
  Constants &operator=(const Constants &) = delete;

  /// `folded` is null for a program that has none such. Each tensor has a reference of
  /// what it lies in.
  Status make(const Program &program, Store &stored, Store *folded);

  std::span<Tensor *const> get() const { return tensors; }

private:
  std::vector<Tensor *> tensors;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CONSTANTS_H
