// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ONNX model as it is in the file: every message is a struct of string views into the
// mapped bytes. So the cost of reading a model of 100 GB is that of reading its graph.
//
// Three properties hold for every view:
// - It owns nothing. Strings are parts of the file, and lists are in the arena of the
//   WireModel that parsed them; both must outlive it.
// - It keeps its own bytes: `payload` is the message, and `whole` also has the tag and
//   length before it, so that a writer can copy an unchanged message verbatim.
// - It loses nothing: a field that Invar does not interpret (training info, device
//   configurations, fields of a later ONNX) is kept in `others`, tag included. Writing the
//   known fields and then `others` writes an equal message.
//
// As in protobuf, a missing string is empty and a missing number is 0 (but the data() of
// a missing string is null, that of an empty one is not). A missing message is a null
// pointer. Numbers such as a data type are not checked here: code that interprets them
// must check them.
#ifndef INVAR_FRONTEND_WIRE_VIEWS_H
#define INVAR_FRONTEND_WIRE_VIEWS_H

#include "invar/Elements/AttributeKind.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace invar {

struct AttributeView;
struct GraphView;
struct TypeView;

struct MessageView {
  llvm::StringRef whole;
  llvm::StringRef payload;
  /// Adjacent fields share one entry.
  llvm::ArrayRef<llvm::StringRef> others;
};

/// StringStringEntryProto: metadata, external data, quantization parameters.
struct EntryView : MessageView {
  llvm::StringRef key;
  llvm::StringRef value;
};

struct OperatorSetView : MessageView {
  llvm::StringRef domain;
  int64_t version = 0;
};

struct TensorView : MessageView {
  llvm::StringRef name;
  llvm::StringRef docString;
  llvm::ArrayRef<int64_t> dims;
  int64_t dataType = 0;
  /// 0 in the message, 1 in an external file.
  int64_t dataLocation = 0;
  llvm::ArrayRef<EntryView> externalData;
  llvm::ArrayRef<EntryView> metadataProps;

  // The values; TensorData.h interprets them.
  std::optional<llvm::StringRef> rawData;
  llvm::ArrayRef<llvm::StringRef> stringData;
  /// Bit N: the typed field with number N (float_data, int32_data …) has values. They
  /// stay undecoded in `payload`, because they are as large as the weights.
  uint32_t typedData = 0;
  /// Whether it is a segment of a tensor. No writer produces segments, and Invar does not
  /// read them.
  bool hasSegment = false;

  bool hasTypedData(uint32_t fieldNumber) const {
    return typedData & (uint32_t(1) << fieldNumber);
  }
};

struct SparseTensorView : MessageView {
  const TensorView *values = nullptr;
  const TensorView *indices = nullptr;
  llvm::ArrayRef<int64_t> dims;
};

struct DimensionView : MessageView {
  /// At most one of the two is set; if neither is, nothing is known.
  std::optional<int64_t> value;
  llvm::StringRef param;
  llvm::StringRef denotation;
};

struct TypeView : MessageView {
  enum class Kind {
    None,
    Tensor,
    SparseTensor,
    Sequence,
    Optional,
    Map,
    Opaque
  };

  Kind kind = Kind::None;
  llvm::StringRef denotation;

  /// Tensor and SparseTensor: the element's data type; Map: the key's.
  int64_t elementType = 0;
  /// Tensor and SparseTensor: whether there is a shape at all (a scalar has
  /// one, of no dimensions).
  bool hasShape = false;
  llvm::ArrayRef<DimensionView> dims;
  /// Sequence and Optional: the element; Map: the value. Null if the file has none.
  const TypeView *element = nullptr;
  llvm::StringRef opaqueDomain;
  llvm::StringRef opaqueName;

  /// Uninterpreted fields inside the tensor_type (sequence_type …) message and
  /// inside its shape.
  llvm::ArrayRef<llvm::StringRef> innerOthers;
  llvm::ArrayRef<llvm::StringRef> shapeOthers;
};

struct ValueInfoView : MessageView {
  llvm::StringRef name;
  const TypeView *type = nullptr;
  llvm::StringRef docString;
  llvm::ArrayRef<EntryView> metadataProps;
};

/// The kind is the file's `type` or, in files older than that field, the kind of the one
/// value present. The reader has checked that the value is of that kind. A singular kind
/// has exactly one element in its list, so Tensor and Tensors are read alike. (proto3
/// writers leave out zeros: a missing Float, Int or String is one element, 0 or "".)
struct AttributeView : MessageView {
  llvm::StringRef name;
  llvm::StringRef docString;
  /// Set in a function's body: the value is that of the function's attribute of
  /// this name, all lists are empty, and the kind may be Undefined.
  llvm::StringRef refAttrName;
  AttributeKind kind = AttributeKind::Undefined;

  llvm::ArrayRef<float> floats;
  llvm::ArrayRef<int64_t> ints;
  llvm::ArrayRef<llvm::StringRef> strings;
  llvm::ArrayRef<TensorView> tensors;
  llvm::ArrayRef<GraphView> graphs;
  llvm::ArrayRef<SparseTensorView> sparseTensors;
  llvm::ArrayRef<TypeView> types;
};

struct NodeView : MessageView {
  llvm::ArrayRef<llvm::StringRef> inputs;
  llvm::ArrayRef<llvm::StringRef> outputs;
  llvm::StringRef name;
  llvm::StringRef opType;
  llvm::StringRef domain;
  llvm::StringRef overload;
  llvm::StringRef docString;
  llvm::ArrayRef<AttributeView> attributes;
  llvm::ArrayRef<EntryView> metadataProps;
};

struct TensorAnnotationView : MessageView {
  llvm::StringRef tensorName;
  llvm::ArrayRef<EntryView> quantParameterTensorNames;
};

struct GraphView : MessageView {
  llvm::StringRef name;
  llvm::StringRef docString;
  llvm::ArrayRef<NodeView> nodes;
  llvm::ArrayRef<TensorView> initializers;
  llvm::ArrayRef<SparseTensorView> sparseInitializers;
  llvm::ArrayRef<ValueInfoView> inputs;
  llvm::ArrayRef<ValueInfoView> outputs;
  llvm::ArrayRef<ValueInfoView> valueInfos;
  llvm::ArrayRef<TensorAnnotationView> quantizationAnnotations;
  llvm::ArrayRef<EntryView> metadataProps;
};

struct FunctionView : MessageView {
  llvm::StringRef name;
  llvm::StringRef domain;
  llvm::StringRef overload;
  llvm::StringRef docString;
  llvm::ArrayRef<llvm::StringRef> inputs;
  llvm::ArrayRef<llvm::StringRef> outputs;
  /// Parameters without and with a default value.
  llvm::ArrayRef<llvm::StringRef> attributeNames;
  llvm::ArrayRef<AttributeView> attributeDefaults;
  llvm::ArrayRef<NodeView> nodes;
  llvm::ArrayRef<OperatorSetView> opsetImports;
  llvm::ArrayRef<ValueInfoView> valueInfos;
  llvm::ArrayRef<EntryView> metadataProps;
};

struct ModelView : MessageView {
  int64_t irVersion = 0;
  std::optional<int64_t> modelVersion;
  llvm::StringRef producerName;
  llvm::StringRef producerVersion;
  llvm::StringRef domain;
  llvm::StringRef docString;
  /// Never null once parsed.
  const GraphView *graph = nullptr;
  llvm::ArrayRef<OperatorSetView> opsetImports;
  llvm::ArrayRef<FunctionView> functions;
  llvm::ArrayRef<EntryView> metadataProps;
};

} // namespace invar

#endif // INVAR_FRONTEND_WIRE_VIEWS_H
