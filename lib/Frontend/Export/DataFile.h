// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides where the bytes of each weight are stored, and writes the file beside the
// model.
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
  /// For a model at `modelPath`. `external` states whether weights are stored beside it
  /// at all.
  static llvm::Expected<DataFile> create(llvm::StringRef modelPath,
                                         const ExportOptions &options,
                                         bool external);

  /// Whether `weight` is not stored in the model.
  bool moves(const Elements &weight) const;

  /// The place of the bytes of `weight`; none if they are stored in the model.
  llvm::Expected<std::optional<DataReference>> place(const Elements &weight);

  /// Writes the file beside the model, if anything was placed there. Must be called
  /// before the model is committed; only the commit makes the file part of a model.
  llvm::Error write(const ExportOptions &options);

  /// Removes the file that write() has written, for a model that is not committed.
  void remove() const;

  /// Removes the data of a model that this one replaces: the files that it referred to,
  /// that are named after it, and that this one does not refer to. Must be called after
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
  /// Names of files that the model refers to, and of files that are named after the
  /// replaced model.
  llvm::StringSet<> referred;
  std::vector<std::string> replaced;
  uint64_t size = 0;
  std::vector<std::pair<Elements, uint64_t>> placed;
};

} // namespace invar

#endif // INVAR_LIB_FRONTEND_EXPORT_DATAFILE_H
