// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of values that an attribute of a node can hold. With DataType, it is the
// other enumeration of the standard. Used by the wire format and by the records of
// operators.
//
// Invariant: the enumerators are the numbers of AttributeProto.AttributeType.
#ifndef INVAR_ELEMENTS_ATTRIBUTEKIND_H
#define INVAR_ELEMENTS_ATTRIBUTEKIND_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace invar {

enum class AttributeKind : uint8_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  TypeProto = 13,
  TypeProtos = 14,
};

/// ONNX's name: "INT", "SPARSE_TENSORS".
llvm::StringRef getName(AttributeKind kind);

/// A description for messages: "an int", "a list of floats".
llvm::StringRef describe(AttributeKind kind);

} // namespace invar

#endif // INVAR_ELEMENTS_ATTRIBUTEKIND_H
