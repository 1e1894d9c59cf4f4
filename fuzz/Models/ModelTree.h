// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model as a tree of fields, for a fuzzer that varies models and keeps them decodable.
// Randomly varied bytes are rarely a model: a length is wrong, and the reader stops
// there. A tree is varied field by field, and its lengths are computed:
//
//   ModelTree tree(bytes);
//   tree.mutate(random);            // e.g. a node twice, an axis of -1, another name
//   tree.crossOver(other, random);  // a node of another model
//   std::string varied = tree.str();
//
// A message replaces only messages of the same kind, and names are usually replaced by
// other names of the model, so that many results pass the importer.
#ifndef INVAR_FUZZ_MODELTREE_H
#define INVAR_FUZZ_MODELTREE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace invar::fuzz {

/// The messages of onnx.proto; Leaf is a field that is not a message.
enum class Kind : uint8_t {
  Leaf,
  Model,
  Opset,
  Graph,
  Node,
  Attribute,
  Tensor,
  SparseTensor,
  ValueInfo,
  Type,
  TensorType,
  ElementType, // of a sequence or an optional
  MapType,
  Shape,
  Dimension,
  Function,
  Entry,
};

class ModelTree {
public:
  using Random = std::minstd_rand;

  /// Fields that cannot be decoded are dropped.
  explicit ModelTree(llvm::StringRef bytes);

  void mutate(Random &random);
  /// Inserts a message of another model.
  void crossOver(const ModelTree &other, Random &random);
  std::string str() const;

private:
  struct Part {
    uint32_t number = 0;
    uint8_t wireType = 0;
    Kind kind = Kind::Leaf;
    uint64_t value = 0;      // for numbers
    std::string bytes;       // for leaves with a length, or of 4 or 8 bytes
    std::vector<Part> parts; // for messages
  };
  /// A part and the message that contains it.
  struct Place {
    Part *parent = nullptr;
    size_t index = 0;

    Part &get() const { return parent->parts[index]; }
  };

  static bool parse(llvm::StringRef bytes, unsigned depth, Part &message);
  static void append(const Part &message, std::string &out);
  static void collect(Part &message, std::vector<Place> &places);
  std::vector<Place> getPlaces() const;

  void changeLeaf(const Place &place, const std::vector<Place> &places,
                  Random &random);
  void changeStructure(const Place &place, const std::vector<Place> &places,
                       Random &random);
  static void insertLike(const Place &place, Part part, Random &random);

  mutable Part root;
};

} // namespace invar::fuzz

#endif // INVAR_FUZZ_MODELTREE_H
