// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides for each weight where its bytes go, and writes the file beside the model.
#ifndef INVAR_LIB_FRONTEND_EXPORT_DATAFILE_H
#define INVAR_LIB_FRONTEND_EXPORT_DATAFILE_H

#include "invar/Elements/Elements.h"
#include "invar/Frontend/Export/Export.h"
#include "invar/Support/OutputFile.h"
#include "llvm/ADT/StringSet.h"

namespace invar {

/// A part of a file beside the model, as external_data names it.
struct DataReference {
  std::string location;
  uint64_t offset = 0;
  uint64_t length = 0;
};

class DataFile {
public:
  /// For a model at `modelPath`. `external` is whether weights go beside it at all.
  static llvm::Expected<DataFile> create(llvm::StringRef modelPath,
                                         const ExportOptions &options,
                                         bool external);

  /// Whether `weight` is one that goes elsewhere.
  bool moves(const Elements &weight) const;

  /// Where the bytes of `weight` will be; none if they belong into the model itself.
  llvm::Expected<std::optional<DataReference>> place(const Elements &weight);

  /// Writes the file beside the model, if anything was placed there; call before the
  /// model is committed, which is what makes it count.
  llvm::Error write(const ExportOptions &options);

  /// Takes back what write() has written, for a model that is not committed.
  void remove() const;

  /// Removes the data that a model replaced by this one had for itself: the files that it
  /// referred to, that are named after it, and that this one does not refer to. Call after
  /// the model is committed.
  void removeReplaced() const;

  llvm::StringRef getName() const {
    return placed.empty() ? llvm::StringRef() : name;
  }
  uint64_t getSize() const { return size; }

private:
  DataFile() = default;
  llvm::Expected<std::optional<DataReference>> refer(const Elements &weight);

  bool external = false;
  bool reference = false;
  std::string modelPath;
  /// The folder of the model, resolved.
  std::string folder;
  std::string name;
  /// Names of files that the model refers to, and that the replaced one has for itself.
  llvm::StringSet<> referred;
  std::vector<std::string> replaced;
  uint64_t size = 0;
  std::vector<std::pair<Elements, uint64_t>> placed;
};

} // namespace invar

#endif // INVAR_LIB_FRONTEND_EXPORT_DATAFILE_H
