// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DataFile.h"

#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace invar;
using llvm::StringRef;
using llvm::Twine;

/// Smaller tensors stay in the model: others expect to read shapes and scalars there.
static constexpr uint64_t leastExternal = 1024;

/// Large tensors begin on a page, so that they can be mapped on their own.
static constexpr uint64_t pageSize = 4096;
static constexpr uint64_t leastAligned = 1 << 16;
static constexpr uint64_t smallAlignment = 64;

/// A name for the data of a new model: never one that another model's data has, so that
/// replacing a model is complete with the rename of the model itself.
static std::string chooseName(StringRef modelPath, StringRef folder) {
  StringRef stem = llvm::sys::path::filename(modelPath);
  std::string name = (stem + ".data").str();
  for (unsigned i = 1;; ++i) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (!llvm::sys::fs::exists(path))
      return name;
    name = (stem + "." + Twine(i) + ".data").str();
  }
}

llvm::Expected<DataFile> DataFile::create(StringRef modelPath,
                                          const ExportOptions &options, bool external) {
  DataFile file;
  file.modelPath = modelPath.str();
  file.reference = options.placement == DataPlacement::Reference;
  file.external = external && !file.reference;
  if (!file.external && !file.reference)
    return file;
  StringRef folder = llvm::sys::path::parent_path(modelPath);
  llvm::SmallString<128> resolved;
  if (std::error_code error =
          llvm::sys::fs::real_path(folder.empty() ? StringRef(".") : folder, resolved))
    return badInput(modelPath + ": cannot resolve its folder: " + error.message());
  file.folder = resolved.str().str();
  if (options.dataFile.empty()) {
    file.name = chooseName(modelPath, file.folder);
    return file;
  }
  StringRef name = options.dataFile;
  if (llvm::sys::path::is_absolute(name) || name.contains("..") || name.contains('\\'))
    return badUsage("expected the data file to be inside the model's folder, but got '" +
                    name + "'");
  if (name == llvm::sys::path::filename(modelPath))
    return badUsage("expected the data file and the model to differ, but both are '" +
                    name + "'");
  file.name = name.str();
  return file;
}

llvm::Expected<std::optional<DataReference>> DataFile::place(const Elements &weight) {
  uint64_t bytes = weight.sizeInBytes();
  if (bytes < leastExternal || weight.getType() == DataType::String)
    return std::nullopt;
  if (reference)
    return refer(weight);
  if (!external)
    return std::nullopt;
  size = llvm::alignTo(size, bytes >= leastAligned ? pageSize : smallAlignment);
  DataReference place{name, size, bytes};
  placed.emplace_back(weight, size);
  size += bytes;
  return place;
}

llvm::Expected<std::optional<DataReference>> DataFile::refer(const Elements &weight) {
  std::optional<FileRange> range = weight.getFileRange();
  if (!range)
    return std::nullopt;
  StringRef path = range->file->getPath();
  llvm::sys::fs::UniqueID output;
  auto [device, inode] = range->file->getIdentity();
  if (!llvm::sys::fs::getUniqueID(modelPath, output) && output.getDevice() == device &&
      output.getFile() == inode)
    return badUsage("expected an output other than '" + path +
                    "', which holds the weights that it would refer to");
  llvm::SmallString<128> resolved;
  if (std::error_code error = llvm::sys::fs::real_path(path, resolved))
    return badInput(path + ": cannot resolve: " + error.message());
  StringRef inside = resolved;
  if (!inside.consume_front(folder) || !inside.consume_front("/"))
    return badUsage("expected an output in a folder above the weights in '" + path +
                    "', but got '" + modelPath +
                    "': a model can refer only to files below its own folder");
  return DataReference{inside.str(), range->range.offset, range->range.size};
}

llvm::Error DataFile::write(const ExportOptions &options) {
  if (placed.empty())
    return llvm::Error::success();
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  OutputOptions outputOptions;
  outputOptions.durable = options.durable;
  outputOptions.removeOnSignal = true;
  if (options.progress)
    outputOptions.written = &options.progress->getDone();
  auto out = OutputFile::create(path, outputOptions);
  if (!out)
    return out.takeError();
  for (auto &[weight, offset] : placed) {
    static constexpr char zeros[pageSize] = {};
    if (llvm::Error error =
            (*out)->write(StringRef(zeros, offset - (*out)->getPosition())))
      return error;
    if (std::optional<FileRange> range = weight.getFileRange()) {
      if (llvm::Error error = (*out)->copyRange(*range->file, range->range))
        return error;
      continue;
    }
    if (llvm::Error error = weight.streamBytes([&](llvm::ArrayRef<uint8_t> bytes) {
          return (*out)->write(llvm::toStringRef(bytes));
        }))
      return error;
  }
  return (*out)->commit();
}
