// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of a program as tensors, whose elements stay where they are.
#ifndef INVAR_RUNTIME_CONSTANTS_H
#define INVAR_RUNTIME_CONSTANTS_H

#include "Program.h"
#include "Store.h"
#include "Value.h"

#include <atomic>
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

  Tensor *get(uint32_t number) const { return tensors[number]; }

  /// Whether the elements of a constant are known to be what was written. Nobody reads them
  /// before.
  bool isVerified(uint32_t number) const {
    return verified[number].load(std::memory_order_acquire);
  }
  /// Finds it out.
  Status verify(uint32_t number, InvarThreads *threads,
                Stop *stop = nullptr) const;

private:
  std::vector<Tensor *> tensors;
  /// Where each lies, and how many bytes it has there.
  std::vector<std::pair<Place, uint64_t>> places;
  std::unique_ptr<std::atomic<bool>[]> verified;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CONSTANTS_H
