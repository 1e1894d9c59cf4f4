// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns messages into views. Each message is walked twice: once to count what
// its lists hold, so that they get exactly their room in the arena (never more
// than the bytes in the file can justify), and once to fill them in.
#ifndef INVAR_LIB_FRONTEND_WIRE_PARSER_H
#define INVAR_LIB_FRONTEND_WIRE_PARSER_H

#include "invar/Frontend/Wire/Views.h"
#include "invar/Frontend/Wire/WireReader.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include <array>
#include <memory>

namespace invar {

/// How often each field occurs in a message. ONNX's numbers are all below 32.
class FieldCounts {
public:
  FieldCounts(WireInput &input, llvm::StringRef payload,
              const FieldPath &path) {
    WireReader reader(input, payload, path);
    while (reader.next())
      if (reader.getNumber() < counts.size())
        ++counts[reader.getNumber()];
  }

  uint64_t operator[](uint32_t number) const { return counts[number]; }

private:
  std::array<uint64_t, 32> counts = {};
};

class Parser {
public:
  Parser(WireInput &input, llvm::BumpPtrAllocator &arena)
      : input(input), arena(arena) {}

  // Each fills the view of a message whose `payload` is set.
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
  /// A view's list under construction: it has its final size from the start and
  /// its elements one by one.
  template <typename T> class List {
  public:
    List(Parser &parser, llvm::ArrayRef<T> &view, uint64_t size)
        : elements(parser.allocate<T>(size)) {
      view = elements;
    }
    T &add() { return elements[used++]; }
    int64_t getUsed() const { return used; }

  private:
    llvm::MutableArrayRef<T> elements;
    size_t used = 0;
  };

  /// Uninterpreted fields, adjacent ones joined.
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

  /// Parses the message in the reader's field.
  template <typename View>
  void addMessage(WireReader &reader, llvm::StringRef name, int64_t index,
                  View &view) {
    view.payload = reader.getBytes(name, index);
    view.whole = reader.getWhole();
    descend(reader, name, index,
            [&](const FieldPath &path) { parse(view, path); });
  }

  /// A message that may occur once; `view` is where the parent keeps it.
  template <typename View>
  void addMessage(WireReader &reader, llvm::StringRef name, const View *&view) {
    if (view)
      return failTwice(reader, name);
    View *made = allocate<View>(1).data();
    view = made;
    addMessage(reader, name, FieldPath::noIndex, *made);
  }

  template <typename View>
  void addMessage(WireReader &reader, llvm::StringRef name, List<View> &list) {
    int64_t index = list.getUsed();
    addMessage(reader, name, index, list.add());
  }

  void addString(WireReader &reader, llvm::StringRef name,
                 List<llvm::StringRef> &list) {
    int64_t index = list.getUsed();
    list.add() = reader.getBytes(name, index);
  }

  /// One level deeper, unless that is too deep or something failed.
  template <typename Body>
  void descend(WireReader &reader, llvm::StringRef name, int64_t index,
               Body body) {
    if (input.failed())
      return;
    if (depth == WireInput::maxDepth)
      return failTooDeep(reader, name, index);
    ++depth;
    body(FieldPath{&reader.getPath(), name, index});
    --depth;
  }

  void failTwice(WireReader &reader, llvm::StringRef name);
  void failTooDeep(WireReader &reader, llvm::StringRef name, int64_t index);

  /// All elements of a list of numbers, out of all occurrences of its field.
  llvm::ArrayRef<int64_t> parseInts(llvm::StringRef payload,
                                    const FieldPath &path, uint32_t number,
                                    llvm::StringRef name);
  llvm::ArrayRef<float> parseFloats(llvm::StringRef payload,
                                    const FieldPath &path, uint32_t number,
                                    llvm::StringRef name);

  // What a TypeProto can be; `payload` is the message inside it.
  void parseTensorType(TypeView &view, llvm::StringRef payload,
                       const FieldPath &path);
  void parseShape(TypeView &view, llvm::StringRef payload,
                  const FieldPath &path);
  void parseElementType(TypeView &view, llvm::StringRef payload,
                        const FieldPath &path);
  void parseMapType(TypeView &view, llvm::StringRef payload,
                    const FieldPath &path);
  void parseOpaqueType(TypeView &view, llvm::StringRef payload,
                       const FieldPath &path);

  WireInput &input;
  llvm::BumpPtrAllocator &arena;
  unsigned depth = 0;
};

} // namespace invar

#endif // INVAR_LIB_FRONTEND_WIRE_PARSER_H
