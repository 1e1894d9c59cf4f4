// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses values and their types.
#include "Parser.h"

using namespace invar;

void Parser::parse(ValueInfoView &view, const FieldPath &path) {
  using namespace field::value;
  Rows rows{
      row<Name>(view.name),
      row<Type>(view.type),
      row<DocString>(view.docString),
      row<MetadataProps>(view.metadataProps),
  };
  read(view, path, rows);
}

void Parser::parse(TypeView &view, const FieldPath &path) {
  using namespace field::type;
  using Kind = TypeView::Kind;

  // One of several messages, whose fields are stored in the type's own view.
  auto one = [&](Kind kind, auto... rows) {
    return [=, this, &view](WireReader &reader, llvm::StringRef name) {
      if (view.kind != Kind::None)
        return reader.fail(name, FieldPath::noIndex,
                           "expected one type, but got a second one");
      view.kind = kind;
      readInner(reader, name, view.innerOthers, rows...);
    };
  };
  auto elementType = row<TensorElemType>(view.elementType);
  auto shape = row<TensorShape>([&](WireReader &reader, llvm::StringRef name) {
    if (std::exchange(view.hasShape, true))
      return failTwice(reader, name);
    readInner(reader, name, view.shapeOthers, row<ShapeDim>(view.dims));
  });
  auto element = row<ElementElemType>(view.element);

  Rows rows{
      row<Tensor>(one(Kind::Tensor, elementType, shape)),
      row<Sequence>(one(Kind::Sequence, element)),
      row<Map>(one(Kind::Map, row<MapKeyType>(view.elementType),
                   row<MapValueType>(view.element))),
      row<Denotation>(view.denotation),
      row<Opaque>(one(Kind::Opaque, row<OpaqueDomain>(view.opaqueDomain),
                      row<OpaqueName>(view.opaqueName))),
      row<SparseTensor>(one(Kind::SparseTensor, elementType, shape)),
      row<Optional>(one(Kind::Optional, element)),
  };
  read(view, path, rows);
}

void Parser::parse(DimensionView &view, const FieldPath &path) {
  using namespace field::type;
  // Two alternatives of a oneof: the later one counts.
  auto value = [&](WireReader &reader, llvm::StringRef name) {
    view.value = reader.getInt(name);
    view.param = {};
  };
  auto param = [&](WireReader &reader, llvm::StringRef name) {
    view.param = reader.getBytes(name);
    view.value.reset();
  };
  Rows rows{
      row<DimValue>(value),
      row<DimParam>(param),
      row<DimDenotation>(view.denotation),
  };
  read(view, path, rows);
}
