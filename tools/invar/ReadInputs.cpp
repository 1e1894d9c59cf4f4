// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReadInputs.h"

#include "MapFile.h"
#include "Npy.h"
#include "invar/Support/Error.h"
#include "invar/Support/MappedFile.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace invar;
using llvm::StringRef;

namespace {
class InputReader {
public:
  explicit InputReader(const rt::Session &session) : session(session) {
    for (size_t i = 0; i < session.numInputs(); ++i)
      given[session.inputName(i)].type = session.inputType(i);
  }

  llvm::Error add(StringRef argument) {
    auto [name, path] = split(argument);
    auto file = MappedFile::open(path);
    if (!file)
      return file.takeError();
    StringRef bytes = (*file)->getBytes();
    if (isZip(bytes)) {
      if (!name.empty())
        return badUsage("expected a .npy for input '" + name +
                        "', but got the archive '" + path + "'");
      return inContext(path + ": ", addArchive(bytes));
    }
    if (name.empty() && given.size() == 1)
      name = given.begin()->first;
    if (name.empty())
      return badUsage("expected NAME=FILE.npy for one of the inputs " +
                      getNames() + ", but got '" + argument + "'");
    if (!given.count(name.str()))
      return badUsage("expected one of the inputs " + getNames() +
                      ", but got '" + name + "'");
    return inContext(path + ": ", addValue(name.str(), bytes));
  }

  llvm::Expected<std::vector<rt::Value>> finish(RandomInputs *random) {
    if (random)
      for (auto &[name, input] : given)
        for (const rt::Value &value : input.values)
          random->adoptSizes(input.type, value);
    std::vector<rt::Value> values;
    for (size_t i = 0; i < session.numInputs(); ++i) {
      StringRef name = session.inputName(i);
      const Input &input = given[name.str()];
      // Without a file, the model's default is used.
      if (input.values.empty() && session.hasDefault(i)) {
        values.emplace_back();
        continue;
      }
      auto value = finish(name, input, random);
      if (!value)
        return value.takeError();
      values.push_back(std::move(*value));
    }
    return values;
  }

private:
  struct Input {
    const InvarType *type = nullptr;
    std::vector<rt::Value> values;
  };

  std::string getNames() const {
    return "'" + llvm::join(llvm::make_first_range(given), "', '") + "'";
  }

  /// Names of inputs and of files may contain '='.
  std::pair<StringRef, StringRef> split(StringRef argument) const {
    for (size_t at = argument.find('='); at != StringRef::npos;
         at = argument.find('=', at + 1))
      if (given.count(argument.take_front(at).str()))
        return {argument.take_front(at), argument.drop_front(at + 1)};
    auto parts = argument.split('=');
    return parts.second.empty() ? std::pair(StringRef(), argument) : parts;
  }

  /// Includes an optional sequence.
  static bool isSequence(const InvarType *type) {
    if (invar_type_kind(type) == INVAR_TYPE_OPTIONAL)
      type = invar_type_element(type);
    return invar_type_kind(type) == INVAR_TYPE_SEQUENCE;
  }

  static InvarDataType getElementType(const InvarType *type) {
    while (invar_type_kind(type) != INVAR_TYPE_TENSOR)
      type = invar_type_element(type);
    return invar_type_data_type(type);
  }

  /// Adds a tensor, or the whole value of an input of maps.
  llvm::Error addValue(const std::string &name, StringRef bytes) {
    Input &input = given[name];
    auto value = isOfMaps(input.type)
                     ? readMaps(bytes, input.type)
                     : readNpy(bytes, getElementType(input.type));
    if (!value)
      return value.takeError();
    input.values.push_back(std::move(*value));
    return llvm::Error::success();
  }

  /// Members are 'NAME.npy', or 'NAME.0.npy', 'NAME.1.npy' … for a sequence.
  llvm::Error addArchive(StringRef bytes) {
    auto members = listZip(bytes);
    if (!members)
      return members.takeError();
    std::map<std::string, const ZipMember *> byName;
    for (const ZipMember &member : *members) {
      StringRef name = member.name;
      name.consume_back(".npy");
      byName[name.str()] = &member;
    }
    auto take = [&](const std::string &member,
                    const std::string &input) -> llvm::Expected<bool> {
      auto found = byName.find(member);
      if (found == byName.end())
        return false;
      auto content = extract(*found->second);
      if (!content)
        return content.takeError();
      if (llvm::Error error = addValue(input, *content))
        return inContext("'" + member + "': ", std::move(error));
      byName.erase(found);
      return true;
    };
    for (auto &[name, input] : given) {
      if (!isSequence(input.type)) {
        if (auto taken = take(name, name); !taken)
          return taken.takeError();
        continue;
      }
      for (size_t i = 0;; ++i) {
        auto taken = take(name + "." + std::to_string(i), name);
        if (!taken)
          return taken.takeError();
        if (!*taken)
          break;
      }
    }
    if (!byName.empty())
      return badInput("expected arrays for the inputs " + getNames() +
                      ", but got '" + byName.begin()->first + "'");
    return llvm::Error::success();
  }

  static llvm::Expected<rt::Value> finish(StringRef name, const Input &input,
                                          RandomInputs *random) {
    bool isOptional = invar_type_kind(input.type) == INVAR_TYPE_OPTIONAL;
    if (input.values.empty() && random)
      return random->draw(name, input.type);
    if (input.values.empty() && isOptional)
      return toExpected(rt::Value::optional(rt::Value()));
    bool isWhole = isOfMaps(input.type) || !isSequence(input.type);
    if (input.values.size() != 1 && isWhole)
      return badUsage("expected one file for input '" + name + "', but got " +
                      llvm::Twine(input.values.size()) + "; '--input " + name +
                      "=FILE." + (isOfMaps(input.type) ? "json" : "npy") +
                      "' gives one, and '--random' draws it");
    auto value = isWhole ? input.values[0]
                         : toExpected(rt::Value::sequence(input.values));
    if (!value || !isOptional || isOfMaps(input.type))
      return value;
    return toExpected(rt::Value::optional(*value));
  }

  const rt::Session &session;
  std::map<std::string, Input> given;
};
} // namespace

llvm::Expected<std::vector<rt::Value>>
invar::readInputs(const rt::Session &session, llvm::ArrayRef<std::string> files,
                  RandomInputs *random) {
  InputReader reader(session);
  for (const std::string &file : files)
    if (llvm::Error error = reader.add(file))
      return error;
  return reader.finish(random);
}
