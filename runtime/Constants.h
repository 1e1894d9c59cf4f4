// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of a program as tensors. Their elements are not copied.
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

/// A position in a store.
struct Place {
  Store::Ref store;
  uint64_t offset = 0;

  const char *getData() const { return store->getData() + offset; }
};

/// Where all constants of a model lie. A copy is cheap, because the stores are
/// shared.
struct ConstantPlaces {
  Store::Ref stored;
  /// Indexed by parameter number.
  std::vector<Place> parameters;
  /// Keyed by the offsets that programs use for them.
  std::map<uint64_t, Place> folded;

  Place get(const Constant &constant) const;
};

class Constants {
public:
  Constants() = default;
  ~Constants();
  Constants(const Constants &) = delete;
  Constants &operator=(const Constants &) = delete;

  /// Each tensor holds a reference to its store. Parameters are copied if they are
  /// not aligned as their elements require.
  Status make(const Program &program, const ConstantPlaces &places);

  Tensor *get(uint32_t number) const { return tensors[number]; }

  /// Whether the elements of a constant are known to be undamaged. They must not be
  /// read before.
  bool isVerified(uint32_t number) const {
    return verified[number].load(std::memory_order_acquire);
  }
  /// Verifies the constant's checksums.
  Status verify(uint32_t number, InvarThreads *threads,
                Stop *stop = nullptr) const;

private:
  std::vector<Tensor *> tensors;
  /// The place of each constant, and its size in bytes.
  std::vector<std::pair<Place, uint64_t>> places;
  std::unique_ptr<std::atomic<bool>[]> verified;
};

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CONSTANTS_H
