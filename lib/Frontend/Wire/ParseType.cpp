// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values and their types.
#include "Parser.h"

#include "invar/Frontend/Wire/Fields.h"

using namespace invar;

void Parser::parse(ValueInfoView &view, const FieldPath &path) {
  using namespace field::value;
  FieldCounts counts(input, view.payload, path);
  List metadata(*this, view.metadataProps, counts[MetadataProps]);
  Others others;
  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Name:
      view.name = reader.getBytes("name");
      break;
    case Type:
      addMessage(reader, "type", view.type);
      break;
    case DocString:
      view.docString = reader.getBytes("doc_string");
      break;
    case MetadataProps:
      addMessage(reader, "metadata_props", metadata);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}

void Parser::parse(TypeView &view, const FieldPath &path) {
  using namespace field::type;
  using Kind = TypeView::Kind;
  using ParseInner =
      void (Parser::*)(TypeView &, llvm::StringRef, const FieldPath &);
  Others others;
  WireReader reader(input, view.payload, path);

  auto addInner = [&](Kind kind, llvm::StringRef name, ParseInner parseInner) {
    if (view.kind != Kind::None)
      return reader.fail(name, FieldPath::noIndex,
                         "expected one type, but got a second one");
    view.kind = kind;
    llvm::StringRef payload = reader.getBytes(name);
    descend(reader, name, FieldPath::noIndex, [&](const FieldPath &inner) {
      (this->*parseInner)(view, payload, inner);
    });
  };
  while (reader.next())
    switch (reader.getNumber()) {
    case Tensor:
      addInner(Kind::Tensor, "tensor_type", &Parser::parseTensorType);
      break;
    case Sequence:
      addInner(Kind::Sequence, "sequence_type", &Parser::parseElementType);
      break;
    case Map:
      addInner(Kind::Map, "map_type", &Parser::parseMapType);
      break;
    case Denotation:
      view.denotation = reader.getBytes("denotation");
      break;
    case Opaque:
      addInner(Kind::Opaque, "opaque_type", &Parser::parseOpaqueType);
      break;
    case SparseTensor:
      addInner(Kind::SparseTensor, "sparse_tensor_type",
               &Parser::parseTensorType);
      break;
    case Optional:
      addInner(Kind::Optional, "optional_type", &Parser::parseElementType);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}

void Parser::parseTensorType(TypeView &view, llvm::StringRef payload,
                             const FieldPath &path) {
  using namespace field::type;
  Others others;
  WireReader reader(input, payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case TensorElemType:
      view.elementType = reader.getInt("elem_type");
      break;
    case TensorShape: {
      if (view.hasShape)
        return failTwice(reader, "shape");
      view.hasShape = true;
      llvm::StringRef shape = reader.getBytes("shape");
      descend(reader, "shape", FieldPath::noIndex,
              [&](const FieldPath &inner) { parseShape(view, shape, inner); });
      break;
    }
    default:
      others.add(reader.getWhole());
    }
  view.innerOthers = others.keep(*this);
}

void Parser::parseShape(TypeView &view, llvm::StringRef payload,
                        const FieldPath &path) {
  using namespace field::type;
  FieldCounts counts(input, payload, path);
  List dims(*this, view.dims, counts[ShapeDim]);
  Others others;
  WireReader reader(input, payload, path);
  while (reader.next())
    if (reader.getNumber() == ShapeDim)
      addMessage(reader, "dim", dims);
    else
      others.add(reader.getWhole());
  view.shapeOthers = others.keep(*this);
}

void Parser::parse(DimensionView &view, const FieldPath &path) {
  using namespace field::type;
  Others others;
  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    // Two sides of a oneof: the later one counts.
    case DimValue:
      view.value = reader.getInt("dim_value");
      view.param = {};
      break;
    case DimParam:
      view.param = reader.getBytes("dim_param");
      view.value.reset();
      break;
    case DimDenotation:
      view.denotation = reader.getBytes("denotation");
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
}

void Parser::parseElementType(TypeView &view, llvm::StringRef payload,
                              const FieldPath &path) {
  using namespace field::type;
  Others others;
  WireReader reader(input, payload, path);
  while (reader.next())
    if (reader.getNumber() == ElementElemType)
      addMessage(reader, "elem_type", view.element);
    else
      others.add(reader.getWhole());
  view.innerOthers = others.keep(*this);
}

void Parser::parseMapType(TypeView &view, llvm::StringRef payload,
                          const FieldPath &path) {
  using namespace field::type;
  Others others;
  WireReader reader(input, payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case MapKeyType:
      view.elementType = reader.getInt("key_type");
      break;
    case MapValueType:
      addMessage(reader, "value_type", view.element);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.innerOthers = others.keep(*this);
}

void Parser::parseOpaqueType(TypeView &view, llvm::StringRef payload,
                             const FieldPath &path) {
  using namespace field::type;
  Others others;
  WireReader reader(input, payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case OpaqueDomain:
      view.opaqueDomain = reader.getBytes("domain");
      break;
    case OpaqueName:
      view.opaqueName = reader.getBytes("name");
      break;
    default:
      others.add(reader.getWhole());
    }
  view.innerOthers = others.keep(*this);
}
