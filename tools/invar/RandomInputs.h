// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs that nobody has to bring: drawn, and the same for the same seed on every machine.
// Floats are in a range, integers 0 or 1, which are indices and masks to most models.
#ifndef INVAR_TOOLS_INVAR_RANDOMINPUTS_H
#define INVAR_TOOLS_INVAR_RANDOMINPUTS_H

#include "Values.h"
#include "invar/Simplify/ShapeFacts.h"
#include "llvm/ADT/StringMap.h"
#include <random>

namespace invar {

class RandomInputs {
public:
  /// What is stated of sizes in `facts`, which must live as long; sizes that stay open are
  /// `openSize`. Floats are in [least, 1).
  RandomInputs(const onnx::ShapeFacts &facts, uint64_t seed,
               int64_t openSize = 1, double least = 0)
      : facts(facts), openSize(openSize), least(least), generator(seed) {}

  /// What is drawn from now on has the sizes that `given`, an input of this type, has by name.
  void adoptSizes(const InvarType *type, const rt::Value &given);

  llvm::Expected<rt::Value> draw(llvm::StringRef name, const InvarType *type);

  bool hasDrawn() const { return drawn; }
  /// The sizes that were open so far: their name, or INPUT.AXIS.
  llvm::ArrayRef<std::string> getOpenSizes() const { return open; }

private:
  llvm::Expected<std::vector<int64_t>> chooseSizes(llvm::StringRef name,
                                                   const InvarType *type);
  llvm::Expected<rt::Value> drawTensor(llvm::StringRef name,
                                       const InvarType *type);
  llvm::Expected<rt::Value> drawTensor(llvm::StringRef name, InvarDataType type,
                                       const std::vector<int64_t> &sizes);
  llvm::Expected<rt::Value> drawMap(llvm::StringRef name,
                                    const InvarType *type);
  std::optional<int64_t> findSize(llvm::StringRef name) const;
  /// In [0, 1).
  double drawNumber() { return double(generator() >> 11) * 0x1p-53; }

  const onnx::ShapeFacts &facts;
  int64_t openSize;
  double least;
  // The standard says what it gives; of distributions it does not.
  std::mt19937_64 generator;
  std::vector<std::string> open;
  llvm::StringMap<int64_t> adopted;
  bool drawn = false;
};

} // namespace invar

#endif // INVAR_TOOLS_INVAR_RANDOMINPUTS_H
