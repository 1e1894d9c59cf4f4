// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of ONNX's messages, with their numbers and names in onnx.proto, for both the
// reader and the writer.
#ifndef INVAR_FRONTEND_WIRE_FIELDS_H
#define INVAR_FRONTEND_WIRE_FIELDS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace invar {

/// A field of a message: its number on the wire, and its name for error messages.
struct Field {
  uint32_t number;
  llvm::StringRef name;

  constexpr operator uint32_t() const { return number; }
};

namespace field {

namespace model {
inline constexpr Field IrVersion = {1, "ir_version"};
inline constexpr Field ProducerName = {2, "producer_name"};
inline constexpr Field ProducerVersion = {3, "producer_version"};
inline constexpr Field Domain = {4, "domain"};
inline constexpr Field ModelVersion = {5, "model_version"};
inline constexpr Field DocString = {6, "doc_string"};
inline constexpr Field Graph = {7, "graph"};
inline constexpr Field OpsetImport = {8, "opset_import"};
inline constexpr Field MetadataProps = {14, "metadata_props"};
inline constexpr Field TrainingInfo = {20, "training_info"};
inline constexpr Field Functions = {25, "functions"};
inline constexpr Field Configuration = {26, "configuration"};
} // namespace model

namespace opset {
inline constexpr Field Domain = {1, "domain"};
inline constexpr Field Version = {2, "version"};
} // namespace opset

namespace entry { // StringStringEntryProto
inline constexpr Field Key = {1, "key"};
inline constexpr Field Value = {2, "value"};
} // namespace entry

namespace graph {
inline constexpr Field Node = {1, "node"};
inline constexpr Field Name = {2, "name"};
inline constexpr Field Initializer = {5, "initializer"};
inline constexpr Field DocString = {10, "doc_string"};
inline constexpr Field Input = {11, "input"};
inline constexpr Field Output = {12, "output"};
inline constexpr Field ValueInfo = {13, "value_info"};
inline constexpr Field QuantizationAnnotation = {14, "quantization_annotation"};
inline constexpr Field SparseInitializer = {15, "sparse_initializer"};
inline constexpr Field MetadataProps = {16, "metadata_props"};
} // namespace graph

namespace annotation { // TensorAnnotation
inline constexpr Field TensorName = {1, "tensor_name"};
inline constexpr Field QuantParameterTensorNames = {
    2, "quant_parameter_tensor_names"};
} // namespace annotation

namespace node {
inline constexpr Field Input = {1, "input"};
inline constexpr Field Output = {2, "output"};
inline constexpr Field Name = {3, "name"};
inline constexpr Field OpType = {4, "op_type"};
inline constexpr Field Attribute = {5, "attribute"};
inline constexpr Field DocString = {6, "doc_string"};
inline constexpr Field Domain = {7, "domain"};
inline constexpr Field Overload = {8, "overload"};
inline constexpr Field MetadataProps = {9, "metadata_props"};
inline constexpr Field DeviceConfigurations = {10, "device_configurations"};
} // namespace node

namespace attribute {
inline constexpr Field Name = {1, "name"};
inline constexpr Field F = {2, "f"};
inline constexpr Field I = {3, "i"};
inline constexpr Field S = {4, "s"};
inline constexpr Field T = {5, "t"};
inline constexpr Field G = {6, "g"};
inline constexpr Field Floats = {7, "floats"};
inline constexpr Field Ints = {8, "ints"};
inline constexpr Field Strings = {9, "strings"};
inline constexpr Field Tensors = {10, "tensors"};
inline constexpr Field Graphs = {11, "graphs"};
inline constexpr Field DocString = {13, "doc_string"};
inline constexpr Field Tp = {14, "tp"};
inline constexpr Field TypeProtos = {15, "type_protos"};
inline constexpr Field Type = {20, "type"};
inline constexpr Field RefAttrName = {21, "ref_attr_name"};
inline constexpr Field SparseTensor = {22, "sparse_tensor"};
inline constexpr Field SparseTensors = {23, "sparse_tensors"};
} // namespace attribute

namespace tensor {
inline constexpr Field Dims = {1, "dims"};
inline constexpr Field DataType = {2, "data_type"};
inline constexpr Field Segment = {3, "segment"};
inline constexpr Field FloatData = {4, "float_data"};
inline constexpr Field Int32Data = {5, "int32_data"};
inline constexpr Field StringData = {6, "string_data"};
inline constexpr Field Int64Data = {7, "int64_data"};
inline constexpr Field Name = {8, "name"};
inline constexpr Field RawData = {9, "raw_data"};
inline constexpr Field DoubleData = {10, "double_data"};
inline constexpr Field UInt64Data = {11, "uint64_data"};
inline constexpr Field DocString = {12, "doc_string"};
inline constexpr Field ExternalData = {13, "external_data"};
inline constexpr Field DataLocation = {14, "data_location"};
inline constexpr Field MetadataProps = {16, "metadata_props"};
} // namespace tensor

namespace sparse { // SparseTensorProto
inline constexpr Field Values = {1, "values"};
inline constexpr Field Indices = {2, "indices"};
inline constexpr Field Dims = {3, "dims"};
} // namespace sparse

namespace value { // ValueInfoProto
inline constexpr Field Name = {1, "name"};
inline constexpr Field Type = {2, "type"};
inline constexpr Field DocString = {3, "doc_string"};
inline constexpr Field MetadataProps = {4, "metadata_props"};
} // namespace value

namespace type { // TypeProto, and the messages inside it
inline constexpr Field Tensor = {1, "tensor_type"};
inline constexpr Field Sequence = {4, "sequence_type"};
inline constexpr Field Map = {5, "map_type"};
inline constexpr Field Denotation = {6, "denotation"};
inline constexpr Field Opaque = {7, "opaque_type"};
inline constexpr Field SparseTensor = {8, "sparse_tensor_type"};
inline constexpr Field Optional = {9, "optional_type"};
inline constexpr Field TensorElemType = {1, "elem_type"};
inline constexpr Field TensorShape = {2, "shape"};
inline constexpr Field ElementElemType = {1, "elem_type"}; // Sequence, Optional
inline constexpr Field MapKeyType = {1, "key_type"};
inline constexpr Field MapValueType = {2, "value_type"};
inline constexpr Field OpaqueDomain = {1, "domain"};
inline constexpr Field OpaqueName = {2, "name"};
inline constexpr Field ShapeDim = {1, "dim"};
inline constexpr Field DimValue = {1, "dim_value"};
inline constexpr Field DimParam = {2, "dim_param"};
inline constexpr Field DimDenotation = {3, "denotation"};
} // namespace type

namespace function {
inline constexpr Field Name = {1, "name"};
inline constexpr Field Input = {4, "input"};
inline constexpr Field Output = {5, "output"};
inline constexpr Field Attribute = {6, "attribute"};
inline constexpr Field Node = {7, "node"};
inline constexpr Field DocString = {8, "doc_string"};
inline constexpr Field OpsetImport = {9, "opset_import"};
inline constexpr Field Domain = {10, "domain"};
inline constexpr Field AttributeProto = {11, "attribute_proto"};
inline constexpr Field ValueInfo = {12, "value_info"};
inline constexpr Field Overload = {13, "overload"};
inline constexpr Field MetadataProps = {14, "metadata_props"};
} // namespace function

} // namespace field

} // namespace invar

#endif // INVAR_FRONTEND_WIRE_FIELDS_H
