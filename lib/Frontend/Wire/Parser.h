// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses messages into views. A parser lists the rows of a message, each a field and the
// place for its value, in the form of onnx.proto:
//
//   Rows rows{
//       row<Name>(view.name),
//       row<Input>(view.inputs),
//   };
//   read(view, path, rows);
//
// The type of the place determines the content of the field:
//
//   int64_t, float      a number
//   llvm::StringRef     a string or bytes
//   std::optional       the same, if it matters whether the field is present
//   const TypeView *    a message, at most once
//   llvm::ArrayRef      a repeated field
//   a function          is called with the reader and the field's name
//
// A message with lists is walked twice: once to count the elements of lists, so that they
// get exactly the space that they need in the arena (never more than the bytes in the
// file can justify), and once to fill them.
#ifndef INVAR_LIB_FRONTEND_WIRE_PARSER_H
#define INVAR_LIB_FRONTEND_WIRE_PARSER_H

#include "invar/Frontend/Wire/Fields.h"
#include "invar/Frontend/Wire/Views.h"
#include "invar/Frontend/Wire/WireReader.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include <bitset>
#include <memory>
#include <tuple>

namespace invar {

/// A field, and the place for its value: a reference, or the function itself.
template <const Field &field, typename Place> struct Row {
  static constexpr bool isList = false;
  Place place;
};

template <const Field &field, typename T>
struct Row<field, llvm::ArrayRef<T> &> {
  static constexpr bool isList = true;
  using Element = T;
  llvm::ArrayRef<T> &place;
  uint64_t size = 0; // counted by the first walk
  T *next = nullptr; // position of the second walk
};

/// The field is a template argument, so that the search for the row of a field is
/// compiled to a switch.
template <const Field &field, typename Place>
Row<field, Place> row(Place &&place) {
  return {std::forward<Place>(place)};
}

template <typename... Row> using Rows = std::tuple<Row...>;

/// The fields that occur in a message. ONNX's numbers are all below 32.
using FieldSet = std::bitset<32>;

class Parser {
public:
  Parser(WireInput &input, llvm::BumpPtrAllocator &arena)
      : input(input), arena(arena) {}

  // Each fills the view of a message. `payload` must be set.
  void parse(ModelView &view, const FieldPath &path);
  void parse(GraphView &view, const FieldPath &path);
  void parse(FunctionView &view, const FieldPath &path);
  void parse(NodeView &view, const FieldPath &path);
  void parse(AttributeView &view, const FieldPath &path);
  void parse(TensorView &view, const FieldPath &path);
  void parse(SparseTensorView &view, const FieldPath &path);
  void parse(TensorAnnotationView &view, const FieldPath &path);
  void parse(ValueInfoView &view, const FieldPath &path);
  void parse(TypeView &view, const FieldPath &path);
  void parse(DimensionView &view, const FieldPath &path);
  void parse(OperatorSetView &view, const FieldPath &path);
  void parse(EntryView &view, const FieldPath &path);

private:
  /// Uninterpreted fields; adjacent ones are joined.
  class Others {
  public:
    void add(llvm::StringRef field) {
      if (!fields.empty() && fields.back().end() == field.begin())
        fields.back() = {fields.back().begin(),
                         fields.back().size() + field.size()};
      else
        fields.push_back(field);
    }
    llvm::ArrayRef<llvm::StringRef> keep(Parser &parser) const {
      auto kept = parser.allocate<llvm::StringRef>(fields.size());
      std::copy(fields.begin(), fields.end(), kept.begin());
      return kept;
    }

  private:
    llvm::SmallVector<llvm::StringRef, 0> fields;
  };

  template <typename T> llvm::MutableArrayRef<T> allocate(uint64_t size) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (size == 0)
      return {};
    T *elements = arena.Allocate<T>(size);
    std::uninitialized_value_construct_n(elements, size);
    return {elements, size};
  }

  template <typename T> llvm::ArrayRef<T> keep(T value) {
    auto kept = allocate<T>(1);
    kept.front() = value;
    return kept;
  }

  /// Reads a message into the places of its rows, and returns which fields occurred.
  template <typename... Row>
  FieldSet read(MessageView &view, const FieldPath &path, Rows<Row...> &rows) {
    return std::apply(
        [&](Row &...row) {
          return walk(view.payload, path, view.others, row...);
        },
        rows);
  }

  /// Reads the message in the reader's field, which has no separate view.
  template <typename... Row>
  void readInner(WireReader &reader, llvm::StringRef name,
                 llvm::ArrayRef<llvm::StringRef> &others, Row... rows) {
    descend(reader, name, FieldPath::noIndex,
            [&](llvm::StringRef payload, const FieldPath &path) {
              walk(payload, path, others, rows...);
            });
  }

  template <typename... Row>
  FieldSet walk(llvm::StringRef payload, const FieldPath &path,
                llvm::ArrayRef<llvm::StringRef> &others, Row &...rows) {
    if constexpr ((Row::isList || ...)) {
      WireReader reader(input, payload, path);
      while (reader.next())
        (count(reader, rows) || ...);
      (reserve(rows), ...);
    }
    FieldSet seen;
    Others rest;
    WireReader reader(input, payload, path);
    while (reader.next()) {
      if (reader.getNumber() < seen.size())
        seen.set(reader.getNumber());
      if (!(take(reader, rows) || ...))
        rest.add(reader.getWhole());
    }
    others = rest.keep(*this);
    return seen;
  }

  // A step of either walk. Returns false if the row is not for the reader's field.
  // Counting also checks lists of numbers: after a failure, there is no second walk.
  template <const Field &field, typename Place>
  static bool count(WireReader &reader, Row<field, Place> &row) {
    if (reader.getNumber() != field.number)
      return false;
    if constexpr (std::is_same_v<Place, llvm::ArrayRef<int64_t> &>)
      row.size += reader.countInts(field.name);
    else if constexpr (std::is_same_v<Place, llvm::ArrayRef<float> &>)
      row.size += reader.countFloats(field.name);
    else if constexpr (Row<field, Place>::isList)
      ++row.size;
    return true;
  }
  template <const Field &field, typename Place>
  bool take(WireReader &reader, Row<field, Place> &row) {
    if (reader.getNumber() != field.number)
      return false;
    if constexpr (std::is_same_v<Place, llvm::ArrayRef<int64_t> &>)
      row.next = reader.takeInts(row.next);
    else if constexpr (std::is_same_v<Place, llvm::ArrayRef<float> &>)
      row.next = reader.takeFloats(row.next);
    else if constexpr (Row<field, Place>::isList) {
      int64_t index = row.next - row.place.data();
      takeOne(reader, field.name, index, *row.next++);
    } else
      takeOne(reader, field.name, FieldPath::noIndex, row.place);
    return true;
  }

  template <typename Row> void reserve(Row &row) {
    if constexpr (Row::isList) {
      auto elements = allocate<typename Row::Element>(row.size);
      row.place = elements;
      row.next = elements.data();
    }
  }

  /// Takes one value: of a field, or of an element of its list.
  template <typename T>
  void takeOne(WireReader &reader, llvm::StringRef name, int64_t index,
               T &value) {
    if constexpr (std::is_same_v<T, int64_t>)
      value = reader.getInt(name, index);
    else if constexpr (std::is_same_v<T, float>)
      value = reader.getFloat(name);
    else if constexpr (std::is_same_v<T, llvm::StringRef>)
      value = reader.getBytes(name, index);
    else if constexpr (std::is_base_of_v<MessageView, T>) {
      value.whole = reader.getWhole();
      descend(reader, name, index,
              [&](llvm::StringRef payload, const FieldPath &path) {
                value.payload = payload;
                parse(value, path);
              });
    } else
      value(reader, name);
  }
  template <typename T>
  void takeOne(WireReader &reader, llvm::StringRef name, int64_t index,
               std::optional<T> &value) {
    takeOne(reader, name, index, value.emplace());
  }
  template <typename View>
  void takeOne(WireReader &reader, llvm::StringRef name, int64_t index,
               const View *&view) {
    if (view)
      return failTwice(reader, name);
    View *made = allocate<View>(1).data();
    view = made;
    takeOne(reader, name, index, *made);
  }

  /// Enters the message in the reader's field, unless it is nested too deeply or
  /// something has failed.
  template <typename Body>
  void descend(WireReader &reader, llvm::StringRef name, int64_t index,
               Body body) {
    llvm::StringRef payload = reader.getBytes(name, index);
    if (input.failed())
      return;
    if (depth == WireInput::maxDepth)
      return failTooDeep(reader, name, index);
    ++depth;
    body(payload, FieldPath{&reader.getPath(), name, index});
    --depth;
  }

  void failTwice(WireReader &reader, llvm::StringRef name);
  void failTooDeep(WireReader &reader, llvm::StringRef name, int64_t index);

  WireInput &input;
  llvm::BumpPtrAllocator &arena;
  unsigned depth = 0;
};

} // namespace invar

#endif // INVAR_LIB_FRONTEND_WIRE_PARSER_H
