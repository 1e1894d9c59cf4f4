// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors whose bytes are in files beside the model. A model names these files, and a
// model may be hostile: ModelFolder.h defines what `location` may reach, and only regular
// files are read.
#ifndef INVAR_FRONTEND_WIRE_EXTERNALDATA_H
#define INVAR_FRONTEND_WIRE_EXTERNALDATA_H

#include "invar/Files/ModelFolder.h"
#include "invar/Frontend/Wire/Views.h"
#include "invar/Support/MappedFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace invar {

/// The contents of a tensor's external_data.
struct ExternalLocation {
  llvm::StringRef location;
  uint64_t offset = 0;
  /// None: up to the end of the file.
  std::optional<uint64_t> length;
  /// SHA-1 of the whole file, in hexadecimal; carried along, not verified.
  llvm::StringRef checksum;
};

/// Numbers must be plain decimal digits, and a key may occur only once. Keys that ONNX
/// does not define belong to other tools and are ignored. Errors name the key, not the
/// tensor.
llvm::Expected<ExternalLocation>
parseExternalLocation(llvm::ArrayRef<EntryView> entries);

/// The files beside one model, each mapped once, even if several names lead to it. Not
/// for use by several threads at once.
class ExternalFiles {
public:
  explicit ExternalFiles(llvm::StringRef modelPath) : folder(modelPath) {}

  llvm::StringRef getFolder() const { return folder.getPath(); }

  /// The file at `location`. Errors begin with the location in quotes.
  llvm::Expected<std::shared_ptr<const MappedFile>>
  open(llvm::StringRef location);

private:
  ModelFolder folder;
  llvm::StringMap<std::shared_ptr<const MappedFile>> byLocation;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>,
                 std::shared_ptr<const MappedFile>>
      byIdentity;
};

} // namespace invar

#endif // INVAR_FRONTEND_WIRE_EXTERNALDATA_H
