// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DataFile.h"

#include "invar/Frontend/Wire/WireModel.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace invar;
using llvm::StringRef;
using llvm::Twine;

/// Smaller tensors stay in the model: other tools expect shapes and scalars there.
static constexpr uint64_t leastExternal = 1024;

/// Large tensors begin on a page, so that they can be mapped separately.
static constexpr uint64_t pageSize = 4096;
static constexpr uint64_t leastAligned = 1 << 16;
static constexpr uint64_t smallAlignment = 64;

/// A name for the data of a new model. No other file has it, so the replacement of a
/// model is complete with the rename of the model itself.
static std::string chooseName(StringRef modelPath, StringRef folder) {
  StringRef stem = llvm::sys::path::filename(modelPath);
  std::string name = (stem + ".data").str();
  for (unsigned i = 1;; ++i) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    // A link to a missing file exists, too: data would be written to its target.
    llvm::sys::fs::file_status status;
    if (llvm::sys::fs::status(path, status, /*follow=*/false))
      return name;
    name = (stem + "." + Twine(i) + ".data").str();
  }
}

/// Whether a file that is written to `path` is then in `folder` or below it. The path of
/// `folder` has no links. The file need not exist.
static bool staysInside(StringRef path, StringRef folder) {
  llvm::SmallString<128> resolved;
  llvm::sys::fs::file_status status;
  std::error_code missing =
      llvm::sys::fs::status(path, status, /*follow=*/false);
  StringRef place = missing ? llvm::sys::path::parent_path(path) : path;
  // If the folder does not exist, the writer reports that.
  if (llvm::sys::fs::real_path(place, resolved))
    return missing == std::errc::no_such_file_or_directory &&
           !llvm::sys::fs::exists(place);
  StringRef inside = resolved;
  return inside.consume_front(folder) &&
         (inside.empty() || inside.starts_with("/") || folder.ends_with("/"));
}

/// Whether chooseName() may return `name` for the data of a model in a file called
/// `model`.
static bool isNamedAfter(StringRef name, StringRef model) {
  if (!name.consume_front(model) || !name.consume_front(".") ||
      !name.consume_back("data"))
    return false;
  return name.empty() ||
         (name.consume_back(".") && llvm::all_of(name, llvm::isDigit));
}

/// The files that contain data of the model at `path`, if it exists, and that are named
/// after it.
static std::vector<std::string> findOwnData(StringRef path) {
  std::vector<std::string> names;
  if (!llvm::sys::fs::is_regular_file(path))
    return names;
  llvm::Expected<std::unique_ptr<WireModel>> model = WireModel::open(path);
  if (!model) {
    llvm::consumeError(model.takeError());
    return names;
  }
  StringRef file = llvm::sys::path::filename(path);
  for (const TensorView &tensor : (*model)->getModel().graph->initializers)
    for (const EntryView &entry : tensor.externalData)
      if (entry.key == "location" && isNamedAfter(entry.value, file) &&
          !llvm::is_contained(names, entry.value))
        names.push_back(entry.value.str());
  return names;
}

void DataFile::remove() const {
  if (placed.empty())
    return;
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  (void)llvm::sys::fs::remove(path);
}

void DataFile::removeReplaced() const {
  for (const std::string &old : replaced) {
    if (referred.contains(old))
      continue;
    llvm::SmallString<128> path(llvm::sys::path::parent_path(modelPath));
    llvm::sys::path::append(path, old);
    // A file that cannot be removed only takes space.
    (void)llvm::sys::fs::remove(path);
  }
}

llvm::Expected<DataFile> DataFile::create(StringRef modelPath,
                                          const ExportOptions &options,
                                          bool external) {
  DataFile file;
  file.modelPath = modelPath.str();
  file.replaced = findOwnData(modelPath);
  file.reference = options.placement == DataPlacement::Reference;
  file.external = external && !file.reference;
  if (!file.external && !file.reference)
    return file;
  StringRef folder = llvm::sys::path::parent_path(modelPath);
  llvm::SmallString<128> resolved;
  if (std::error_code error = llvm::sys::fs::real_path(
          folder.empty() ? StringRef(".") : folder, resolved))
    return badInput(modelPath +
                    ": cannot resolve its folder: " + error.message());
  file.folder = resolved.str().str();
  if (options.dataFile.empty()) {
    file.name = chooseName(modelPath, file.folder);
    return file;
  }
  StringRef name = options.dataFile;
  if (llvm::sys::path::is_absolute(name) || name.contains("..") ||
      name.contains('\\'))
    return badUsage(
        "expected the data file to be inside the model's folder, but got '" +
        name + "'");
  if (name == llvm::sys::path::filename(modelPath))
    return badUsage(
        "expected the data file and the model to differ, but both are '" +
        name + "'");
  file.name = name.str();
  llvm::sys::path::append(resolved, name);
  if (!staysInside(resolved, file.folder))
    return badUsage(
        "expected the data file to be inside the model's folder, but '" + name +
        "' leads out of it through a link");
  if (options.approve && llvm::sys::fs::exists(resolved))
    return badUsage(
        "expected the data file of a model that is looked at before it "
        "appears to be new, but '" +
        name + "' exists");
  return file;
}

bool DataFile::moves(const Elements &weight) const {
  return (external || reference) && weight.getType() != DataType::String &&
         weight.sizeInBytes() >= leastExternal;
}

llvm::Expected<std::optional<DataReference>>
DataFile::place(const Elements &weight) {
  if (!moves(weight))
    return std::nullopt;
  if (reference)
    return refer(weight);
  uint64_t bytes = weight.sizeInBytes();
  size = llvm::alignTo(size, bytes >= leastAligned ? pageSize : smallAlignment);
  DataReference place{name, size, bytes};
  placed.emplace_back(weight, size);
  referred.insert(name);
  size += bytes;
  return place;
}

llvm::Expected<std::optional<DataReference>>
DataFile::refer(const Elements &weight) {
  std::optional<FileRange> range = weight.getFileRange();
  if (!range)
    return std::nullopt;
  StringRef path = range->file->getPath();
  llvm::sys::fs::UniqueID output;
  auto [device, inode] = range->file->getIdentity();
  if (!llvm::sys::fs::getUniqueID(modelPath, output) &&
      output.getDevice() == device && output.getFile() == inode)
    return badUsage("expected an output other than '" + path +
                    "', which holds the weights that it would refer to");
  llvm::SmallString<128> resolved;
  if (std::error_code error = llvm::sys::fs::real_path(path, resolved))
    return badInput(path + ": cannot resolve: " + error.message());
  StringRef inside = resolved;
  if (!inside.consume_front(folder) || !inside.consume_front("/"))
    return badUsage("expected an output in a folder above the weights in '" +
                    path + "', but got '" + modelPath +
                    "': a model can refer only to files below its own folder");
  referred.insert(inside);
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
    auto write = [&](llvm::ArrayRef<uint8_t> bytes) {
      return (*out)->write(llvm::toStringRef(bytes));
    };
    if (llvm::Error error = weight.streamBytes(write, options.evaluation))
      return error;
  }
  return (*out)->commit();
}
