// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of a program as tensors, whose elements stay where they are.
#ifndef INVAR_RUNTIME_CONSTANTS_H
#define INVAR_RUNTIME_CONSTANTS_H

#include "Library.h"
#include "Program.h"
#include "Value.h"

#include <map>
#include <span>
#include <vector>

namespace invar::runtime {

/// Where elements lie.
struct Place {
  Store::Ref store;
  uint64_t offset = 0;

  const char *getData() const { return store->getData() + offset; }
};

/// Where all constants of a model lie. A copy is cheap: what they lie in is shared.
struct ConstantPlaces {
  Store::Ref stored;
  /// By their numbers.
  std::vector<Place> parameters;
  /// By the offsets under which programs know them.
  std::map<uint64_t, Place> folded;

  Place get(const Constant &constant) const;
};

class Constants {
public:
  Constants() = default;
  ~Constants();
  Constants(const Constants &) = delete;
  Constants &operator=(const Constants &) = delete;

  /// Each tensor has a reference of what it lies in. Parameters that are not aligned as
  /// their elements have to be are copied.
  Status make(const Program &program, const ConstantPlaces &places);

  std::span<Tensor *const> get() const { return tensors; }

private:
  std::vector<Tensor *> tensors;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CONSTANTS_H
