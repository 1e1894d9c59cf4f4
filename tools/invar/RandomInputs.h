// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random inputs, which are the same for the same seed on every machine. Floats are in a
// range; integers are 0 or 1, because most models use them as indices and masks.
#ifndef INVAR_TOOLS_INVAR_RANDOMINPUTS_H
#define INVAR_TOOLS_INVAR_RANDOMINPUTS_H

#include "Values.h"
#include "invar/Simplify/ShapeFacts.h"
#include "llvm/ADT/StringMap.h"
#include <random>

namespace invar {

class RandomInputs {
public:
  /// `facts` states sizes and must outlive this object. Open sizes that it does not
  /// state are `openSize`. Floats are in [least, 1).
  RandomInputs(const onnx::ShapeFacts &facts, uint64_t seed,
               int64_t openSize = 1, double least = 0)
      : facts(facts), openSize(openSize), least(least), generator(seed) {}

  /// Later draws use the named sizes of `given`, an input of this type.
  void adoptSizes(const InvarType *type, const rt::Value &given);

  llvm::Expected<rt::Value> draw(llvm::StringRef name, const InvarType *type);

  bool hasDrawn() const { return drawn; }
  /// The open sizes so far: their names, or INPUT.AXIS.
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
  // The standard specifies this generator's numbers, but not those of distributions.
  std::mt19937_64 generator;
  std::vector<std::string> open;
  llvm::StringMap<int64_t> adopted;
  bool drawn = false;
};

} // namespace invar

#endif // INVAR_TOOLS_INVAR_RANDOMINPUTS_H
