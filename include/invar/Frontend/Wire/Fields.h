// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The field numbers of ONNX's messages, once, for the reader and for the
// writer.
#ifndef INVAR_FRONTEND_WIRE_FIELDS_H
#define INVAR_FRONTEND_WIRE_FIELDS_H

#include <cstdint>

namespace invar::field {

namespace model {
inline constexpr uint32_t IrVersion = 1;
inline constexpr uint32_t ProducerName = 2;
inline constexpr uint32_t ProducerVersion = 3;
inline constexpr uint32_t Domain = 4;
inline constexpr uint32_t ModelVersion = 5;
inline constexpr uint32_t DocString = 6;
inline constexpr uint32_t Graph = 7;
inline constexpr uint32_t OpsetImport = 8;
inline constexpr uint32_t MetadataProps = 14;
inline constexpr uint32_t TrainingInfo = 20;
inline constexpr uint32_t Functions = 25;
inline constexpr uint32_t Configuration = 26;
} // namespace model

namespace opset {
inline constexpr uint32_t Domain = 1;
inline constexpr uint32_t Version = 2;
} // namespace opset

namespace entry { // StringStringEntryProto
inline constexpr uint32_t Key = 1;
inline constexpr uint32_t Value = 2;
} // namespace entry

namespace graph {
inline constexpr uint32_t Node = 1;
inline constexpr uint32_t Name = 2;
inline constexpr uint32_t Initializer = 5;
inline constexpr uint32_t DocString = 10;
inline constexpr uint32_t Input = 11;
inline constexpr uint32_t Output = 12;
inline constexpr uint32_t ValueInfo = 13;
inline constexpr uint32_t QuantizationAnnotation = 14;
inline constexpr uint32_t SparseInitializer = 15;
inline constexpr uint32_t MetadataProps = 16;
} // namespace graph

namespace annotation { // TensorAnnotation
inline constexpr uint32_t TensorName = 1;
inline constexpr uint32_t QuantParameterTensorNames = 2;
} // namespace annotation

namespace node {
inline constexpr uint32_t Input = 1;
inline constexpr uint32_t Output = 2;
inline constexpr uint32_t Name = 3;
inline constexpr uint32_t OpType = 4;
inline constexpr uint32_t Attribute = 5;
inline constexpr uint32_t DocString = 6;
inline constexpr uint32_t Domain = 7;
inline constexpr uint32_t Overload = 8;
inline constexpr uint32_t MetadataProps = 9;
inline constexpr uint32_t DeviceConfigurations = 10;
} // namespace node

namespace attribute {
inline constexpr uint32_t Name = 1;
inline constexpr uint32_t F = 2;
inline constexpr uint32_t I = 3;
inline constexpr uint32_t S = 4;
inline constexpr uint32_t T = 5;
inline constexpr uint32_t G = 6;
inline constexpr uint32_t Floats = 7;
inline constexpr uint32_t Ints = 8;
inline constexpr uint32_t Strings = 9;
inline constexpr uint32_t Tensors = 10;
inline constexpr uint32_t Graphs = 11;
inline constexpr uint32_t DocString = 13;
inline constexpr uint32_t Tp = 14;
inline constexpr uint32_t TypeProtos = 15;
inline constexpr uint32_t Type = 20;
inline constexpr uint32_t RefAttrName = 21;
inline constexpr uint32_t SparseTensor = 22;
inline constexpr uint32_t SparseTensors = 23;
} // namespace attribute

namespace tensor {
inline constexpr uint32_t Dims = 1;
inline constexpr uint32_t DataType = 2;
inline constexpr uint32_t Segment = 3;
inline constexpr uint32_t FloatData = 4;
inline constexpr uint32_t Int32Data = 5;
inline constexpr uint32_t StringData = 6;
inline constexpr uint32_t Int64Data = 7;
inline constexpr uint32_t Name = 8;
inline constexpr uint32_t RawData = 9;
inline constexpr uint32_t DoubleData = 10;
inline constexpr uint32_t UInt64Data = 11;
inline constexpr uint32_t DocString = 12;
inline constexpr uint32_t ExternalData = 13;
inline constexpr uint32_t DataLocation = 14;
inline constexpr uint32_t MetadataProps = 16;
} // namespace tensor

namespace sparse { // SparseTensorProto
inline constexpr uint32_t Values = 1;
inline constexpr uint32_t Indices = 2;
inline constexpr uint32_t Dims = 3;
} // namespace sparse

namespace value { // ValueInfoProto
inline constexpr uint32_t Name = 1;
inline constexpr uint32_t Type = 2;
inline constexpr uint32_t DocString = 3;
inline constexpr uint32_t MetadataProps = 4;
} // namespace value

namespace type { // TypeProto, and the messages inside it
inline constexpr uint32_t Tensor = 1;
inline constexpr uint32_t Sequence = 4;
inline constexpr uint32_t Map = 5;
inline constexpr uint32_t Denotation = 6;
inline constexpr uint32_t Opaque = 7;
inline constexpr uint32_t SparseTensor = 8;
inline constexpr uint32_t Optional = 9;
inline constexpr uint32_t TensorElemType = 1;
inline constexpr uint32_t TensorShape = 2;
inline constexpr uint32_t ElementElemType = 1; // of Sequence and Optional
inline constexpr uint32_t MapKeyType = 1;
inline constexpr uint32_t MapValueType = 2;
inline constexpr uint32_t OpaqueDomain = 1;
inline constexpr uint32_t OpaqueName = 2;
inline constexpr uint32_t ShapeDim = 1;
inline constexpr uint32_t DimValue = 1;
inline constexpr uint32_t DimParam = 2;
inline constexpr uint32_t DimDenotation = 3;
} // namespace type

namespace function {
inline constexpr uint32_t Name = 1;
inline constexpr uint32_t Input = 4;
inline constexpr uint32_t Output = 5;
inline constexpr uint32_t Attribute = 6;
inline constexpr uint32_t Node = 7;
inline constexpr uint32_t DocString = 8;
inline constexpr uint32_t OpsetImport = 9;
inline constexpr uint32_t Domain = 10;
inline constexpr uint32_t AttributeProto = 11;
inline constexpr uint32_t ValueInfo = 12;
inline constexpr uint32_t Overload = 13;
inline constexpr uint32_t MetadataProps = 14;
} // namespace function

} // namespace invar::field

#endif // INVAR_FRONTEND_WIRE_FIELDS_H
