// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The field numbers of ONNX's messages, once, for the reader and for the
// writer.
#ifndef INVAR_FRONTEND_WIRE_FIELDS_H
#define INVAR_FRONTEND_WIRE_FIELDS_H

#include <cstdint>

namespace invar::field {

namespace model {
enum : uint32_t {
  IrVersion = 1,
  ProducerName = 2,
  ProducerVersion = 3,
  Domain = 4,
  ModelVersion = 5,
  DocString = 6,
  Graph = 7,
  OpsetImport = 8,
  MetadataProps = 14,
  TrainingInfo = 20,
  Functions = 25,
  Configuration = 26,
};
} // namespace model

namespace opset {
enum : uint32_t { Domain = 1, Version = 2 };
} // namespace opset

namespace entry { // StringStringEntryProto
enum : uint32_t { Key = 1, Value = 2 };
} // namespace entry

namespace graph {
enum : uint32_t {
  Node = 1,
  Name = 2,
  Initializer = 5,
  DocString = 10,
  Input = 11,
  Output = 12,
  ValueInfo = 13,
  QuantizationAnnotation = 14,
  SparseInitializer = 15,
  MetadataProps = 16,
};
} // namespace graph

namespace annotation { // TensorAnnotation
enum : uint32_t { TensorName = 1, QuantParameterTensorNames = 2 };
} // namespace annotation

namespace node {
enum : uint32_t {
  Input = 1,
  Output = 2,
  Name = 3,
  OpType = 4,
  Attribute = 5,
  DocString = 6,
  Domain = 7,
  Overload = 8,
  MetadataProps = 9,
  DeviceConfigurations = 10,
};
} // namespace node

namespace attribute {
enum : uint32_t {
  Name = 1,
  F = 2,
  I = 3,
  S = 4,
  T = 5,
  G = 6,
  Floats = 7,
  Ints = 8,
  Strings = 9,
  Tensors = 10,
  Graphs = 11,
  DocString = 13,
  Tp = 14,
  TypeProtos = 15,
  Type = 20,
  RefAttrName = 21,
  SparseTensor = 22,
  SparseTensors = 23,
};
} // namespace attribute

namespace tensor {
enum : uint32_t {
  Dims = 1,
  DataType = 2,
  Segment = 3,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  Name = 8,
  RawData = 9,
  DoubleData = 10,
  UInt64Data = 11,
  DocString = 12,
  ExternalData = 13,
  DataLocation = 14,
  MetadataProps = 16,
};
} // namespace tensor

namespace sparse { // SparseTensorProto
enum : uint32_t { Values = 1, Indices = 2, Dims = 3 };
} // namespace sparse

namespace value { // ValueInfoProto
enum : uint32_t { Name = 1, Type = 2, DocString = 3, MetadataProps = 4 };
} // namespace value

namespace type { // TypeProto, and the messages inside it
enum : uint32_t {
  Tensor = 1,
  Sequence = 4,
  Map = 5,
  Denotation = 6,
  Opaque = 7,
  SparseTensor = 8,
  Optional = 9,
};
enum : uint32_t { TensorElemType = 1, TensorShape = 2 };
enum : uint32_t { ElementElemType = 1 }; // of Sequence and Optional
enum : uint32_t { MapKeyType = 1, MapValueType = 2 };
enum : uint32_t { OpaqueDomain = 1, OpaqueName = 2 };
enum : uint32_t { ShapeDim = 1 };
enum : uint32_t { DimValue = 1, DimParam = 2, DimDenotation = 3 };
} // namespace type

namespace function {
enum : uint32_t {
  Name = 1,
  Input = 4,
  Output = 5,
  Attribute = 6,
  Node = 7,
  DocString = 8,
  OpsetImport = 9,
  Domain = 10,
  AttributeProto = 11,
  ValueInfo = 12,
  Overload = 13,
  MetadataProps = 14,
};
} // namespace function

} // namespace invar::field

#endif // INVAR_FRONTEND_WIRE_FIELDS_H
