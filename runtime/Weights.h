// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that contain weights by name: the ONNX model that a library was compiled from,
// or a safetensors file. The file is mapped. Elements are read in place unless the file
// stores them in another form than memory needs.
//
// Files are not trusted: nothing is read out of bounds, memory is only allocated in
// proportion to the file's size, and files beside a model are only opened in its folder
// and below.
#ifndef INVAR_RUNTIME_WEIGHTS_H
#define INVAR_RUNTIME_WEIGHTS_H

#include "Constants.h"

#include <string>
#include <string_view>

namespace invar::runtime {

/// A tensor in a file.
struct Weight {
  InvarDataType type = INVAR_FLOAT32;
  std::vector<int64_t> sizes;
  Place place;
};

class Weights {
public:
  virtual ~Weights() = default;

  /// Opens a file. Its first bytes determine its kind.
  static Status open(const std::string &path,
                     std::unique_ptr<Weights> &weights);

  /// Finds a tensor. `isFound` is set to whether there is one of this name. Fails if it
  /// exists but cannot be read.
  virtual Status find(const std::string &name, bool &isFound,
                      Weight &weight) const = 0;
};

/// Maps all of a file; fails if it cannot be mapped.
Status mapFile(const std::string &path, Store::Ref &file);
/// The same for a descriptor, which is negative if opening failed. `path` is for
/// messages.
Status mapFile(int descriptor, const std::string &path, Store::Ref &file);

/// Whether bytes begin like a safetensors file.
bool isSafetensors(std::string_view file);

/// Open bytes that are assumed to be of this kind.
Status openOnnxWeights(const std::string &path, Store::Ref file,
                       std::unique_ptr<Weights> &weights);
Status openSafetensors(Store::Ref file, std::unique_ptr<Weights> &weights);

/// Sets the place of each parameter of a program: in the store, which `places` already
/// has, or in the file at `path`. If `path` is empty, there is no file.
Status placeParameters(const Program &program, const std::string &path,
                       ConstantPlaces &places);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_WEIGHTS_H
