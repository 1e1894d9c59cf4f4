// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parsed model: the file, and its views (Views.h). Time and memory are linear in the
// graph and do not depend on the weights, whose pages are not even touched.
//
//   auto model = WireModel::open("model.onnx");
//   for (const NodeView &node : (*model)->getModel().graph->nodes)
//     use(node.opType, node.inputs);
//
// An invalid file is an error that reports the position and the reason:
//
//   model.onnx: graph.node[3].attribute[0].ints: expected a packed list or a
//   varint, but got wire type 5 at byte 1234
//
// Invar is stricter than protobuf in one respect: a singular message that occurs twice
// (protobuf would merge the two) is an error, since no writer produces it and a verbatim
// copy would be ambiguous. A singular number or string that occurs twice is legal, and
// the last one counts.
#ifndef INVAR_FRONTEND_WIRE_WIREMODEL_H
#define INVAR_FRONTEND_WIRE_WIREMODEL_H

#include "invar/Frontend/Wire/Views.h"
#include "invar/Support/MappedFile.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace invar {

class WireModel {
public:
  static llvm::Expected<std::unique_ptr<WireModel>> open(llvm::StringRef path);
  static llvm::Expected<std::unique_ptr<WireModel>>
  parse(std::shared_ptr<const MappedFile> file);

  /// Parses a model in memory, which must outlive the result. `path` is its name in
  /// messages; external data is searched beside it.
  static llvm::Expected<std::unique_ptr<WireModel>> parse(llvm::StringRef bytes,
                                                          llvm::StringRef path);

  const ModelView &getModel() const { return model; }
  llvm::StringRef getPath() const { return path; }

  /// Null for a model in memory.
  const std::shared_ptr<const MappedFile> &getFile() const { return file; }

private:
  WireModel() = default;

  std::shared_ptr<const MappedFile> file;
  std::string path;
  llvm::BumpPtrAllocator arena;
  ModelView model;
};

} // namespace invar

#endif // INVAR_FRONTEND_WIRE_WIREMODEL_H
