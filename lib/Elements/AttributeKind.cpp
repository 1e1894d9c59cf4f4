// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/AttributeKind.h"

using namespace invar;

llvm::StringRef invar::getName(AttributeKind kind) {
  static constexpr llvm::StringLiteral names[] = {
      "UNDEFINED",      "FLOAT",      "INT",        "STRING",
      "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
      "STRINGS",        "TENSORS",    "GRAPHS",     "SPARSE_TENSOR",
      "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
  return names[static_cast<size_t>(kind)];
}

llvm::StringRef invar::describe(AttributeKind kind) {
  switch (kind) {
  case AttributeKind::Undefined:
    return "nothing";
  case AttributeKind::Float:
    return "a float";
  case AttributeKind::Int:
    return "an int";
  case AttributeKind::String:
    return "a string";
  case AttributeKind::Tensor:
    return "a tensor";
  case AttributeKind::Graph:
    return "a graph";
  case AttributeKind::Floats:
    return "a list of floats";
  case AttributeKind::Ints:
    return "a list of ints";
  case AttributeKind::Strings:
    return "a list of strings";
  case AttributeKind::Tensors:
    return "a list of tensors";
  case AttributeKind::Graphs:
    return "a list of graphs";
  case AttributeKind::SparseTensor:
    return "a sparse tensor";
  case AttributeKind::SparseTensors:
    return "a list of sparse tensors";
  case AttributeKind::TypeProto:
    return "a type";
  case AttributeKind::TypeProtos:
    return "a list of types";
  }
  return "nothing";
}
