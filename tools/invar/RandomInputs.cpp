// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomInputs.h"

#include "invar/Support/Error.h"

using namespace invar;
using llvm::StringRef;

void RandomInputs::adoptSizes(const InvarType *type, const rt::Value &given) {
  if (invar_type_kind(type) != INVAR_TYPE_TENSOR)
    return;
  std::vector<int64_t> sizes = getSizes(given);
  if (int64_t(sizes.size()) != invar_type_rank(type))
    return; // The run reports the error.
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (const char *name = invar_type_size_name(type, axis))
      adopted[name] = size;
}

/// The size with a name, if a fact states it or an input has it.
std::optional<int64_t> RandomInputs::findSize(StringRef name) const {
  for (const onnx::ShapeFacts::Range &range : facts.ranges)
    if (range.name == name)
      return range.bounds.least;
  auto found = adopted.find(name);
  return found == adopted.end() ? std::nullopt : std::optional(found->second);
}

llvm::Expected<std::vector<int64_t>>
RandomInputs::chooseSizes(StringRef name, const InvarType *type) {
  const onnx::ShapeFacts::Shape *stated = nullptr;
  for (const onnx::ShapeFacts::Shape &shape : facts.shapes)
    if (shape.input == name)
      stated = &shape;
  int64_t rank = invar_type_rank(type);
  if (rank < 0 && !stated)
    return badUsage("expected a shape for input '" + name +
                    "', which may have any: '--shape " + name + "=1x2'");
  if (stated && rank >= 0 && size_t(rank) != stated->dims.size())
    return badUsage("expected " + llvm::Twine(rank) + " sizes for input '" +
                    name + "', but got " + llvm::Twine(stated->dims.size()));
  std::vector<int64_t> sizes(stated ? stated->dims.size() : size_t(rank));
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    size = rank < 0 ? -1 : invar_type_size(type, axis);
    StringRef dim = stated ? StringRef(stated->dims[axis]) : "";
    if (!dim.empty() && !dim.getAsInteger(10, size))
      continue;
    if (size >= 0)
      continue;
    const char *declared =
        rank < 0 ? nullptr : invar_type_size_name(type, axis);
    if (dim.empty() && declared)
      dim = declared;
    if (std::optional<int64_t> found = findSize(dim)) {
      size = *found;
      continue;
    }
    std::string label =
        dim.empty() ? (name + "." + llvm::Twine(axis)).str() : dim.str();
    if (!llvm::is_contained(open, label))
      open.push_back(label);
    size = openSize;
  }
  return sizes;
}

llvm::Expected<rt::Value> RandomInputs::drawTensor(StringRef name,
                                                   const InvarType *type) {
  auto sizes = chooseSizes(name, type);
  if (!sizes)
    return sizes.takeError();
  return drawTensor(name, invar_type_data_type(type), *sizes);
}

/// The type of a map does not list the keys that a model knows, so any keys will do.
llvm::Expected<rt::Value> RandomInputs::drawMap(StringRef name,
                                                const InvarType *type) {
  constexpr int64_t count = 3;
  auto keys = toExpected(rt::Value::create(invar_type_key(type), {count}));
  if (!keys)
    return keys.takeError();
  for (int64_t i = 0; i < count; ++i) {
    char text = char('a' + i);
    if (invar_type_key(type) == INVAR_INT64)
      keys->data<int64_t>()[i] = i;
    else if (rt::Error failed{
                 invar_tensor_set_string(keys->get(), i, &text, 1)})
      return toError(std::move(failed));
  }
  auto values =
      drawTensor(name, invar_type_data_type(invar_type_element(type)), {count});
  if (!values)
    return values.takeError();
  return toExpected(rt::Value::map(*keys, *values));
}

llvm::Expected<rt::Value>
RandomInputs::drawTensor(StringRef name, InvarDataType type,
                         const std::vector<int64_t> &sizes) {
  auto tensor = toExpected(rt::Value::create(type, sizes));
  if (!tensor)
    return inContext("input '" + name + "': ", tensor.takeError());
  auto drawFloat = [&] { return least + (1 - least) * drawNumber(); };
  DataType element = getType(*tensor);
  bool isFloat = getKind(element) == NumberKind::Float;
  llvm::Error error = dispatch(element, [&](auto tag) -> llvm::Error {
    using Tag = decltype(tag);
    using Lane = typename Tag::Lane;
    for (int64_t i = 0; i < tensor->count(); ++i) {
      if constexpr (std::is_same_v<Lane, StringRef>) {
        if (rt::Error failed{invar_tensor_set_string(tensor->get(), i, "a", 1)})
          return toError(std::move(failed));
      } else if constexpr (!isNumericTag<Tag>) {
        using Part = typename Lane::value_type;
        auto real = Part(drawFloat());
        tensor->data<Lane>()[i] = Lane(real, Part(drawFloat()));
      } else {
        tensor->data<Lane>()[i] =
            narrow<Tag>(isFloat ? WideNum::ofDouble(drawFloat())
                                : WideNum::ofUnsigned(generator() >> 63));
      }
    }
    return llvm::Error::success();
  });
  if (error)
    return std::move(error);
  return tensor;
}

llvm::Expected<rt::Value> RandomInputs::draw(StringRef name,
                                             const InvarType *type) {
  drawn = true;
  switch (invar_type_kind(type)) {
  case INVAR_TYPE_TENSOR:
    return drawTensor(name, type);
  case INVAR_TYPE_MAP:
    return drawMap(name, type);
  case INVAR_TYPE_OPTIONAL: {
    auto element = draw(name, invar_type_element(type));
    if (!element)
      return element.takeError();
    return toExpected(rt::Value::optional(*element));
  }
  case INVAR_TYPE_SEQUENCE: {
    std::vector<rt::Value> items;
    for (int i = 0; i < 2; ++i) {
      auto item = draw(name, invar_type_element(type));
      if (!item)
        return item.takeError();
      items.push_back(std::move(*item));
    }
    return toExpected(rt::Value::sequence(items));
  }
  }
  llvm_unreachable("a kind of type outside of its enumeration");
}
