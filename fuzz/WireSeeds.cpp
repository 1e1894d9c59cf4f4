// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the seeds of the wire format's fuzzers: the sample model, and smaller models
// with one part of it each, which are faster to vary. The folder is created anew, so that
// a run does not depend on earlier ones.
#include "../unittests/Frontend/Wire/Rebuild.h"
#include "invar/Frontend/Wire/Fields.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace invar;

namespace {
class Seeds {
public:
  explicit Seeds(std::string folder) : folder(std::move(folder)) {}

  void add(llvm::StringRef bytes) {
    std::string path = folder + "/seed" + std::to_string(count++);
    auto out = llvm::cantFail(OutputFile::create(path));
    llvm::cantFail(out->write(bytes));
    llvm::cantFail(out->commit());
  }

  /// Adds a model whose graph contains only this message of the sample.
  void addGraphWith(const MessageView &part) {
    WireWriter writer;
    WireMessage graph(writer), model(writer);
    graph.addVerbatim(part.whole);
    model.addMessage(field::model::Graph, std::move(graph));
    add(serialize(std::move(model)));
  }

private:
  std::string folder;
  unsigned count = 0;
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: " << argv[0] << " FOLDER\n";
    return 2;
  }
  llvm::sys::fs::remove_directories(argv[1]);
  if (std::error_code error = llvm::sys::fs::create_directories(argv[1])) {
    llvm::errs() << argv[1] << ": cannot make: " << error.message() << "\n";
    return 1;
  }
  Seeds seeds(argv[1]);
  std::string sample = makeSampleModel();
  auto model = llvm::cantFail(WireModel::parse(sample, "sample"));
  const GraphView &graph = *model->getModel().graph;
  seeds.add(sample);
  for (const TensorView &tensor : graph.initializers)
    seeds.addGraphWith(tensor);
  for (const SparseTensorView &sparse : graph.sparseInitializers)
    seeds.addGraphWith(sparse);
  for (const ValueInfoView &value : graph.inputs)
    seeds.addGraphWith(value);
  for (const ValueInfoView &value : graph.outputs)
    seeds.addGraphWith(value);
  for (const NodeView &node : graph.nodes)
    for (const AttributeView &attribute : node.attributes) {
      WireWriter writer;
      WireMessage only(writer), body(writer), whole(writer);
      only.addVerbatim(attribute.whole);
      body.addMessage(field::graph::Node, std::move(only));
      whole.addMessage(field::model::Graph, std::move(body));
      seeds.add(serialize(std::move(whole)));
    }
  return 0;
}
