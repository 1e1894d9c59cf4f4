// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes: a union that protobuf does not know to be one.
#include "Parser.h"

#include "invar/Frontend/Wire/Fields.h"

using namespace invar;

namespace {
/// Which field holds the value of which kind.
struct Content {
  AttributeKind kind;
  uint32_t field;
  llvm::StringRef fieldName;
};
} // namespace

// Indexed by the kind's number less one.
static constexpr Content contents[] = {
    {AttributeKind::Float, field::attribute::F, "f"},
    {AttributeKind::Int, field::attribute::I, "i"},
    {AttributeKind::String, field::attribute::S, "s"},
    {AttributeKind::Tensor, field::attribute::T, "t"},
    {AttributeKind::Graph, field::attribute::G, "g"},
    {AttributeKind::Floats, field::attribute::Floats, "floats"},
    {AttributeKind::Ints, field::attribute::Ints, "ints"},
    {AttributeKind::Strings, field::attribute::Strings, "strings"},
    {AttributeKind::Tensors, field::attribute::Tensors, "tensors"},
    {AttributeKind::Graphs, field::attribute::Graphs, "graphs"},
    {AttributeKind::SparseTensor, field::attribute::SparseTensor,
     "sparse_tensor"},
    {AttributeKind::SparseTensors, field::attribute::SparseTensors,
     "sparse_tensors"},
    {AttributeKind::TypeProto, field::attribute::Tp, "tp"},
    {AttributeKind::TypeProtos, field::attribute::TypeProtos, "type_protos"},
};

static const Content &contentOf(AttributeKind kind) {
  return contents[size_t(kind) - 1];
}

/// What is wrong with the fields present, or nothing; sets the kind.
static std::string settleKind(AttributeView &view, int64_t type,
                              const FieldCounts &counts) {
  const Content *found = nullptr;
  for (const Content &content : contents) {
    if (counts[content.field] == 0)
      continue;
    if (found)
      return ("expected one value, but got '" + found->fieldName + "' and '" +
              content.fieldName + "'")
          .str();
    found = &content;
  }
  if (type < 0 || type > int64_t(std::size(contents)))
    return "expected a type from 0 to " + std::to_string(std::size(contents)) +
           ", but got " + std::to_string(type);
  view.kind = AttributeKind(type);

  if (!view.refAttrName.empty())
    return found ? ("expected no value beside 'ref_attr_name', but got '" +
                    found->fieldName + "'")
                       .str()
                 : "";
  if (view.kind == AttributeKind::Undefined) {
    if (!found)
      return "expected a type or a value, but got neither";
    view.kind = found->kind;
    return "";
  }
  const Content &wanted = contentOf(view.kind);
  if (found && found != &wanted)
    return ("expected '" + wanted.fieldName + "' for type " +
            getName(wanted.kind) + ", but got '" + found->fieldName + "'")
        .str();
  bool isMessage = view.kind == AttributeKind::Tensor ||
                   view.kind == AttributeKind::Graph ||
                   view.kind == AttributeKind::SparseTensor ||
                   view.kind == AttributeKind::TypeProto;
  if (!found && isMessage)
    return ("expected '" + wanted.fieldName + "' for type " +
            getName(wanted.kind) + ", but got no value")
        .str();
  return "";
}

void Parser::parse(AttributeView &view, const FieldPath &path) {
  using namespace field::attribute;
  FieldCounts counts(input, view.payload, path);
  List strings(*this, view.strings, counts[Strings]);
  List tensors(*this, view.tensors, counts[Tensors]);
  List graphs(*this, view.graphs, counts[Graphs]);
  List sparseTensors(*this, view.sparseTensors, counts[SparseTensors]);
  List types(*this, view.types, counts[TypeProtos]);
  Others others;
  int64_t type = 0;
  float f = 0;
  int64_t i = 0;
  llvm::StringRef s;
  const TensorView *t = nullptr;
  const GraphView *g = nullptr;
  const SparseTensorView *sparseTensor = nullptr;
  const TypeView *tp = nullptr;

  WireReader reader(input, view.payload, path);
  while (reader.next())
    switch (reader.getNumber()) {
    case Name:
      view.name = reader.getBytes("name");
      break;
    case F:
      f = reader.getFloat("f");
      break;
    case I:
      i = reader.getInt("i");
      break;
    case S:
      s = reader.getBytes("s");
      break;
    case T:
      addMessage(reader, "t", t);
      break;
    case G:
      addMessage(reader, "g", g);
      break;
    case Floats:
    case Ints:
      break; // below, all occurrences at once
    case Strings:
      addString(reader, "strings", strings);
      break;
    case Tensors:
      addMessage(reader, "tensors", tensors);
      break;
    case Graphs:
      addMessage(reader, "graphs", graphs);
      break;
    case DocString:
      view.docString = reader.getBytes("doc_string");
      break;
    case Tp:
      addMessage(reader, "tp", tp);
      break;
    case TypeProtos:
      addMessage(reader, "type_protos", types);
      break;
    case Type:
      type = reader.getInt("type");
      break;
    case RefAttrName:
      view.refAttrName = reader.getBytes("ref_attr_name");
      break;
    case field::attribute::SparseTensor:
      addMessage(reader, "sparse_tensor", sparseTensor);
      break;
    case SparseTensors:
      addMessage(reader, "sparse_tensors", sparseTensors);
      break;
    default:
      others.add(reader.getWhole());
    }
  view.others = others.keep(*this);
  if (input.failed())
    return;

  if (std::string wrong = settleKind(view, type, counts); !wrong.empty())
    return input.fail(path, wrong, view.payload.begin());
  if (counts[Ints] != 0)
    view.ints = parseInts(view.payload, path, Ints, "ints");
  if (counts[Floats] != 0)
    view.floats = parseFloats(view.payload, path, Floats, "floats");
  // A singular kind is a list of one.
  if (t)
    view.tensors = *t;
  if (g)
    view.graphs = *g;
  if (sparseTensor)
    view.sparseTensors = *sparseTensor;
  if (tp)
    view.types = *tp;
  if (!view.refAttrName.empty())
    return;
  if (view.kind == AttributeKind::Float)
    List(*this, view.floats, 1).add() = f;
  if (view.kind == AttributeKind::Int)
    List(*this, view.ints, 1).add() = i;
  if (view.kind == AttributeKind::String)
    List(*this, view.strings, 1).add() = s;
}

llvm::ArrayRef<int64_t> Parser::parseInts(llvm::StringRef payload,
                                          const FieldPath &path,
                                          uint32_t number,
                                          llvm::StringRef name) {
  uint64_t count = 0;
  WireReader counter(input, payload, path);
  while (counter.next())
    if (counter.getNumber() == number)
      count += counter.countInts(name);
  if (input.failed())
    return {};
  auto values = allocate<int64_t>(count);
  int64_t *out = values.data();
  WireReader reader(input, payload, path);
  while (reader.next())
    if (reader.getNumber() == number)
      out = reader.takeInts(out);
  return values;
}

llvm::ArrayRef<float> Parser::parseFloats(llvm::StringRef payload,
                                          const FieldPath &path,
                                          uint32_t number,
                                          llvm::StringRef name) {
  uint64_t count = 0;
  WireReader counter(input, payload, path);
  while (counter.next())
    if (counter.getNumber() == number)
      count += counter.countFloats(name);
  if (input.failed())
    return {};
  auto values = allocate<float>(count);
  float *out = values.data();
  WireReader reader(input, payload, path);
  while (reader.next())
    if (reader.getNumber() == number)
      out = reader.takeFloats(out);
  return values;
}
