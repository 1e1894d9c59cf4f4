// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parsed model: the file, and the views of it (Views.h). Time and memory are
// linear in the graph and do not depend on the weights, whose pages are not
// even touched.
//
//   auto model = WireModel::open("model.onnx");
//   for (const NodeView &node : (*model)->getModel().graph->nodes)
//     use(node.opType, node.inputs);
//
// A file that is not what it should be is an error that says where and why:
//
//   model.onnx: graph.node[3].attribute[0].ints: expected a packed list or a
//   varint, but got wire type 5 at byte 1234
//
// Where protobuf is lenient without need, Invar is not: a singular message that
// occurs twice (protobuf would merge the two) is an error, since no writer
// makes it and a verbatim copy would be ambiguous. A singular number or string
// that occurs twice is legal and the last one counts.
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

  /// A model in memory that outlives the result; `path` is what messages call
  /// it and where external data is looked for.
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
