// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses tensors, sparse tensors and their annotations. Typed data is not decoded: its
// pages are not touched before the values are read.
#include "Parser.h"

using namespace invar;

void Parser::parse(TensorView &view, const FieldPath &path) {
  using namespace field::tensor;
  auto note = [&](WireType element) {
    return [&view, element](WireReader &reader, llvm::StringRef name) {
      if (!reader.expectList(element, name))
        return;
      if (!reader.isPackedBlock() || !reader.getBytes(name).empty())
        view.typedData |= uint32_t(1) << reader.getNumber();
    };
  };
  Rows rows{
      row<Dims>(view.dims),
      row<DataType>(view.dataType),
      row<FloatData>(note(WireType::Fixed32)),
      row<Int32Data>(note(WireType::Varint)),
      row<StringData>(view.stringData),
      row<Int64Data>(note(WireType::Varint)),
      row<Name>(view.name),
      row<RawData>(view.rawData),
      row<DoubleData>(note(WireType::Fixed64)),
      row<UInt64Data>(note(WireType::Varint)),
      row<DocString>(view.docString),
      row<ExternalData>(view.externalData),
      row<DataLocation>(view.dataLocation),
      row<MetadataProps>(view.metadataProps),
  };
  view.hasSegment = read(view, path, rows)[Segment];
}

void Parser::parse(SparseTensorView &view, const FieldPath &path) {
  using namespace field::sparse;
  Rows rows{
      row<Values>(view.values),
      row<Indices>(view.indices),
      row<Dims>(view.dims),
  };
  read(view, path, rows);
}

void Parser::parse(TensorAnnotationView &view, const FieldPath &path) {
  using namespace field::annotation;
  Rows rows{
      row<TensorName>(view.tensorName),
      row<QuantParameterTensorNames>(view.quantParameterTensorNames),
  };
  read(view, path, rows);
}
