// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors, sparse tensors and their annotations. Typed data stays where it is:
// its pages are not touched before somebody wants the values.
#include "Parser.h"

#include "invar/Frontend/Wire/Fields.h"

using namespace invar;

void Parser::parse(TensorView &view, const FieldPath &path) {
  using namespace field::tensor;
  FieldCounts counts(input, view.payload, path);
  List strings(*this, view.stringData, counts[StringData]);
  List external(*this, view.externalData, counts[ExternalData]);
  List metadata(*this, view.metadataProps, counts[MetadataProps]);
  Others others;

  auto noteData = [&](WireReader &reader, WireType element,
                      llvm::StringRef name) {
    if (!reader.expectList(element, name))
      return;
    if (!reader.isPackedBlock() || !reader.getBytes(name).empty())
      view.typedData |= uint32_t(1) << reader.getNumber();
  };
  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Dims:
      break; // below, all occurrences at once
    case DataType:
      view.dataType = reader.getInt("data_type");
      break;
    case Segment:
      view.hasSegment = true;
      others.add(reader.getWhole());
      break;
    case FloatData:
      noteData(reader, WireType::Fixed32, "float_data");
      break;
    case Int32Data:
      noteData(reader, WireType::Varint, "int32_data");
      break;
    case StringData:
      addString(reader, "string_data", strings);
      break;
    case Int64Data:
      noteData(reader, WireType::Varint, "int64_data");
      break;
    case Name:
      view.name = reader.getBytes("name");
      break;
    case RawData:
      view.rawData = reader.getBytes("raw_data");
      break;
    case DoubleData:
      noteData(reader, WireType::Fixed64, "double_data");
      break;
    case UInt64Data:
      noteData(reader, WireType::Varint, "uint64_data");
      break;
    case DocString:
      view.docString = reader.getBytes("doc_string");
      break;
    case ExternalData:
      addMessage(reader, "external_data", external);
      break;
    case DataLocation:
      view.dataLocation = reader.getInt("data_location");
      break;
    case MetadataProps:
      addMessage(reader, "metadata_props", metadata);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
  if (counts[Dims] != 0)
    view.dims = parseInts(view.payload, path, Dims, "dims");
}

void Parser::parse(SparseTensorView &view, const FieldPath &path) {
  using namespace field::sparse;
  Others others;
  bool hasDims = false;
  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Values:
      addMessage(reader, "values", view.values);
      break;
    case Indices:
      addMessage(reader, "indices", view.indices);
      break;
    case Dims:
      hasDims = true;
      break; // below, all occurrences at once
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
  if (hasDims)
    view.dims = parseInts(view.payload, path, Dims, "dims");
}

void Parser::parse(TensorAnnotationView &view, const FieldPath &path) {
  using namespace field::annotation;
  FieldCounts counts(input, view.payload, path);
  List parameters(*this, view.quantParameterTensorNames,
                  counts[QuantParameterTensorNames]);
  Others others;
  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case TensorName:
      view.tensorName = reader.getBytes("tensor_name");
      break;
    case QuantParameterTensorNames:
      addMessage(reader, "quant_parameter_tensor_names", parameters);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}
