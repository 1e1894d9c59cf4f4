// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses attributes: a union that protobuf does not declare as one.
#include "Parser.h"

using namespace invar;

namespace {
/// The field that holds the value of a kind.
struct Content {
  AttributeKind kind;
  Field field;
};
} // namespace

// Indexed by the kind's number minus one.
static constexpr Content contents[] = {
    {AttributeKind::Float, field::attribute::F},
    {AttributeKind::Int, field::attribute::I},
    {AttributeKind::String, field::attribute::S},
    {AttributeKind::Tensor, field::attribute::T},
    {AttributeKind::Graph, field::attribute::G},
    {AttributeKind::Floats, field::attribute::Floats},
    {AttributeKind::Ints, field::attribute::Ints},
    {AttributeKind::Strings, field::attribute::Strings},
    {AttributeKind::Tensors, field::attribute::Tensors},
    {AttributeKind::Graphs, field::attribute::Graphs},
    {AttributeKind::SparseTensor, field::attribute::SparseTensor},
    {AttributeKind::SparseTensors, field::attribute::SparseTensors},
    {AttributeKind::TypeProto, field::attribute::Tp},
    {AttributeKind::TypeProtos, field::attribute::TypeProtos},
};

static const Content &contentOf(AttributeKind kind) {
  return contents[size_t(kind) - 1];
}

/// Sets the kind. Returns an error message about the fields that are present, or an empty
/// string.
static std::string settleKind(AttributeView &view, int64_t type,
                              const FieldSet &seen) {
  const Content *found = nullptr;
  for (const Content &content : contents) {
    if (!seen[content.field])
      continue;
    if (found)
      return ("expected one value, but got '" + found->field.name + "' and '" +
              content.field.name + "'")
          .str();
    found = &content;
  }
  if (type < 0 || type > int64_t(std::size(contents)))
    return "expected a type from 0 to " + std::to_string(std::size(contents)) +
           ", but got " + std::to_string(type);
  view.kind = AttributeKind(type);

  if (!view.refAttrName.empty())
    return found ? ("expected no value beside 'ref_attr_name', but got '" +
                    found->field.name + "'")
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
    return ("expected '" + wanted.field.name + "' for type " +
            getName(wanted.kind) + ", but got '" + found->field.name + "'")
        .str();
  bool isMessage = view.kind == AttributeKind::Tensor ||
                   view.kind == AttributeKind::Graph ||
                   view.kind == AttributeKind::SparseTensor ||
                   view.kind == AttributeKind::TypeProto;
  if (!found && isMessage)
    return ("expected '" + wanted.field.name + "' for type " +
            getName(wanted.kind) + ", but got no value")
        .str();
  return "";
}

void Parser::parse(AttributeView &view, const FieldPath &path) {
  using namespace field::attribute;
  int64_t type = 0;
  float f = 0;
  int64_t i = 0;
  llvm::StringRef s;
  const TensorView *t = nullptr;
  const GraphView *g = nullptr;
  const SparseTensorView *sparseTensor = nullptr;
  const TypeView *tp = nullptr;
  Rows rows{
      row<Name>(view.name),
      row<F>(f),
      row<I>(i),
      row<S>(s),
      row<T>(t),
      row<G>(g),
      row<Floats>(view.floats),
      row<Ints>(view.ints),
      row<Strings>(view.strings),
      row<Tensors>(view.tensors),
      row<Graphs>(view.graphs),
      row<DocString>(view.docString),
      row<Tp>(tp),
      row<TypeProtos>(view.types),
      row<Type>(type),
      row<RefAttrName>(view.refAttrName),
      row<SparseTensor>(sparseTensor),
      row<SparseTensors>(view.sparseTensors),
  };
  FieldSet seen = read(view, path, rows);
  if (input.failed())
    return;
  if (std::string wrong = settleKind(view, type, seen); !wrong.empty())
    return input.fail(path, wrong, view.payload.begin());
  if (!view.refAttrName.empty())
    return;

  // A singular kind is a list of one.
  if (view.kind == AttributeKind::Float)
    view.floats = keep(f);
  if (view.kind == AttributeKind::Int)
    view.ints = keep(i);
  if (view.kind == AttributeKind::String)
    view.strings = keep(s);
  if (t)
    view.tensors = *t;
  if (g)
    view.graphs = *g;
  if (sparseTensor)
    view.sparseTensors = *sparseTensor;
  if (tp)
    view.types = *tp;
}
