// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that weights are in, by their names: the ONNX model that a library was compiled from,
// or a file of safetensors. The file is mapped, and elements stay where they are unless the
// file has them in another form than memory does.
//
// All of a file may be anything: nothing is read outside of it, no memory is asked for that
// is not in proportion to it, and files beside a model are only looked for in its folder and
// below.
#ifndef INVAR_RUNTIME_WEIGHTS_H
#define INVAR_RUNTIME_WEIGHTS_H

#include "Constants.h"

#include <string>
#include <string_view>

namespace invar::runtime {

/// A tensor of a file.
struct Weight {
  InvarDataType type = INVAR_FLOAT32;
  std::vector<int64_t> sizes;
  Place place;
};

class Weights {
public:
  virtual ~Weights() = default;

  /// Opens a file, of which kind it is is seen by its beginning.
  static Status open(const std::string &path,
                     std::unique_ptr<Weights> &weights);

  /// Finds a tensor; `isFound` says whether there is one of the name. Fails where there is,
  /// but it cannot be read.
  virtual Status find(const std::string &name, bool &isFound,
                      Weight &weight) const = 0;
};

/// All of a file; fails where it cannot be mapped.
Status mapFile(const std::string &path, Store::Ref &file);
/// The same for one that is open, or is not, and is called `path`.
Status mapFile(int descriptor, const std::string &path, Store::Ref &file);

/// Whether bytes begin as a file of safetensors does.
bool isSafetensors(std::string_view file);

/// Of bytes that are taken for one or the other.
Status openOnnxWeights(const std::string &path, Store::Ref file,
                       std::unique_ptr<Weights> &weights);
Status openSafetensors(Store::Ref file, std::unique_ptr<Weights> &weights);

/// Says where each parameter of a program lies: in the store, which `places` has, or in the
/// file at `path`. Where `path` is empty there is no file.
Status placeParameters(const Program &program, const std::string &path,
                       ConstantPlaces &places);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_WEIGHTS_H
