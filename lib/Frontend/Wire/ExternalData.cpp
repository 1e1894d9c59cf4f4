// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/ExternalData.h"

#include "invar/Support/Error.h"
#include "llvm/Support/Path.h"

using namespace invar;

/// Decimal digits and nothing else: no sign, space or prefix.
static llvm::Expected<uint64_t> parseNumber(const EntryView &entry) {
  uint64_t number = 0;
  bool allDigits =
      entry.value.find_first_not_of("0123456789") == llvm::StringRef::npos;
  if (!allDigits || entry.value.getAsInteger(10, number))
    return badInput("external_data '" + entry.key +
                    "': expected a decimal number of at most 64 bits, but got "
                    "'" +
                    entry.value.take_front(64) + "'");
  return number;
}

llvm::Expected<ExternalLocation>
invar::parseExternalLocation(llvm::ArrayRef<EntryView> entries) {
  const EntryView *location = nullptr, *offset = nullptr, *length = nullptr,
                  *checksum = nullptr;
  for (const EntryView &entry : entries) {
    const EntryView **place = entry.key == "location"   ? &location
                              : entry.key == "offset"   ? &offset
                              : entry.key == "length"   ? &length
                              : entry.key == "checksum" ? &checksum
                                                        : nullptr;
    if (!place)
      continue;
    if (*place)
      return badInput("external_data '" + entry.key +
                      "': expected one value, but got '" +
                      (*place)->value.take_front(64) + "' and '" +
                      entry.value.take_front(64) + "'");
    *place = &entry;
  }

  if (!location)
    return badInput("external_data: expected a key 'location', but got none");
  ExternalLocation result;
  result.location = location->value;
  if (checksum)
    result.checksum = checksum->value;
  if (offset)
    if (llvm::Error error = parseNumber(*offset).moveInto(result.offset))
      return error;
  if (length)
    if (llvm::Error error = parseNumber(*length).moveInto(result.length))
      return error;
  return result;
}

/// The error for a file that was not opened.
static llvm::Error explain(llvm::StringRef location, llvm::StringRef folder,
                           const ModelFolder::Fault &fault) {
  switch (fault.kind) {
  case ModelFolder::Fault::BadLocation:
    return badInput("'" + location.take_front(256) +
                    "': expected a relative path inside the model's folder, "
                    "but got " +
                    llvm::StringRef(fault.what));
  case ModelFolder::Fault::Outside:
    return badInput("'" + location +
                    "': expected a file inside the model's folder, but got a "
                    "link that leads out of it");
  case ModelFolder::Fault::NoFolder:
    return systemError(folder, "open", fault.error);
  case ModelFolder::Fault::NoFile:
    return systemError(("'" + location + "'").str(), "open", fault.error);
  }
  llvm_unreachable("every fault was handled");
}

llvm::Expected<std::shared_ptr<const MappedFile>>
ExternalFiles::open(llvm::StringRef location) {
  if (auto known = byLocation.find(location); known != byLocation.end())
    return known->second;
  ModelFolder::Fault fault;
  int descriptor = folder.open(location, fault);
  if (descriptor < 0)
    return explain(location, getFolder(), fault);
  llvm::SmallString<256> path(getFolder() == "." ? "" : getFolder());
  llvm::sys::path::append(path, location);
  llvm::Expected<std::shared_ptr<const MappedFile>> file =
      MappedFile::adopt(descriptor, path);
  if (!file)
    return file.takeError();
  auto &same = byIdentity[(*file)->getIdentity()];
  if (!same)
    same = std::move(*file);
  byLocation[location] = same;
  return same;
}
