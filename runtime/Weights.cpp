// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Weights.h"

#include "Descriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

using namespace invar::runtime;

Status invar::runtime::mapFile(int descriptor, const std::string &path,
                               Store::Ref &file) {
  struct stat facts;
  if (descriptor < 0 || fstat(descriptor, &facts) != 0)
    return fail(INVAR_BAD_MODEL, path, ": cannot open: ", std::strerror(errno));
  if (!S_ISREG(facts.st_mode))
    return fail(INVAR_BAD_MODEL, path,
                ": expected a file, but got something else");
  file = Store::Ref(Store::map(descriptor, 0, size_t(facts.st_size)));
  if (!file)
    return fail(INVAR_OUT_OF_MEMORY, path,
                ": cannot map: ", std::strerror(errno));
  return Status::success();
}

Status invar::runtime::mapFile(const std::string &path, Store::Ref &file) {
  // Non-blocking, so that opening a pipe does not wait for a writer.
  Descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return mapFile(opened.get(), path, file);
}

/// A safetensors file begins with the length of its header, and the header begins with
/// a brace. A model begins with the tag of its first field.
bool invar::runtime::isSafetensors(std::string_view file) {
  constexpr size_t lengthBytes = 8;
  uint64_t length;
  if (file.size() <= lengthBytes)
    return false;
  std::memcpy(&length, file.data(), lengthBytes);
  return length <= file.size() - lengthBytes && file[lengthBytes] == '{';
}

Status Weights::open(const std::string &path,
                     std::unique_ptr<Weights> &weights) {
  Store::Ref file;
  if (Status status = mapFile(path, file))
    return status;
  Status status = isSafetensors({file->getData(), file->getSize()})
                      ? openSafetensors(std::move(file), weights)
                      : openOnnxWeights(path, std::move(file), weights);
  return status ? std::move(status).in(path) : Status::success();
}

/// Finds one parameter in a file.
static Status placeOne(const Parameter &parameter, const Weights &weights,
                       Place &place) {
  bool isFound = false;
  Weight weight;
  if (Status status = weights.find(*parameter.name, isFound, weight))
    return std::move(status).in("'" + *parameter.name + "'");
  if (!isFound)
    return fail(INVAR_BAD_MODEL, "expected the weight '", *parameter.name,
                "', but there is none of that name");
  const Type &type = *parameter.type;
  if (weight.type != type.dataType || weight.sizes != type.sizes)
    return fail(INVAR_BAD_MODEL, "expected the weight '", *parameter.name,
                "' to be ", describe(type), ", but got ",
                describeTensor(weight.type, weight.sizes));
  place = std::move(weight.place);
  return Status::success();
}

Status invar::runtime::placeParameters(const Program &program,
                                       const std::string &path,
                                       ConstantPlaces &places) {
  std::unique_ptr<Weights> weights;
  for (const Parameter &parameter : program.parameters) {
    Place &place = places.parameters.emplace_back();
    if (parameter.offset) {
      place = {places.stored, *parameter.offset};
      continue;
    }
    if (path.empty())
      return fail(INVAR_BAD_ARGUMENT,
                  "expected a file with the weights of the model, which the "
                  "library is without, as '",
                  *parameter.name,
                  "'; that is the ONNX model it was compiled from, or one of "
                  "safetensors");
    if (!weights)
      if (Status status = Weights::open(path, weights))
        return status;
    if (Status status = placeOne(parameter, *weights, place))
      return std::move(status).in(path);
  }
  return Status::success();
}
