// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace invar;
using llvm::join;

/// Returns `%x_` for the name x, which may contain a dot or a dash.
static std::string getElementName(const std::string &name) {
  return "%" + name + "_";
}

std::string KernelText::getElement(const std::string &name) const {
  llvm::StringRef type = types.at(name);
  if (!type.consume_front("tensor<"))
    return type.str();
  if (type.ends_with("index>"))
    return "index";
  size_t last = type.rfind('x');
  return type.drop_back(1)
      .substr(last == llvm::StringRef::npos ? 0 : last + 1)
      .str();
}

KernelText &KernelText::read(std::string name, std::string type) {
  arguments.push_back("%" + name + ": " + type);
  types[name] = type;
  values[name] = "%" + name;
  return *this;
}

KernelText &KernelText::write(std::string name, std::string type) {
  results.push_back(name);
  return read(name, type);
}

KernelText &KernelText::keep(std::string name, std::string type,
                             std::string sizes) {
  return line("%" + name + " = tensor.empty(" + sizes + ") : " + type, name,
              type);
}

KernelText &KernelText::line(std::string text, std::string name,
                             std::string type) {
  body += "  " + text + "\n";
  if (!name.empty()) {
    types[name] = type;
    values[name] = "%" + name;
  }
  return *this;
}

KernelText &KernelText::step(std::string iterators, Operands reads,
                             Operands writes, std::string inside,
                             std::string fill, std::string attributes) {
  if (!fill.empty())
    for (auto &[name, map] : writes) {
      std::string number = std::to_string(next++), element = getElement(name),
                  type = types[name];
      body += "  %c" + number + " = arith.constant " + fill +
              (element == "i1" ? "" : " : " + element) + "\n";
      body += "  %f" + number + " = linalg.fill ins(%c" + number + " : " +
              element + ") outs(" + values[name] + " : " + type + ") -> " +
              type + "\n";
      values[name] = "%f" + number;
    }
  std::vector<std::string> maps, kinds, ins, inTypes, outs, outTypes, elements,
      yields;
  for (auto *operands : {&reads, &writes})
    for (auto &[name, map] : *operands) {
      bool isWritten = operands == &writes;
      maps.push_back("affine_map<" + map + ">");
      (isWritten ? outs : ins).push_back(values[name]);
      (isWritten ? outTypes : inTypes).push_back(types[name]);
      elements.push_back(getElementName(name) + ": " + getElement(name));
    }
  for (char kind : iterators)
    kinds.push_back(kind == 'p' ? "\"parallel\"" : "\"reduction\"");
  std::string results, number = std::to_string(next++);
  for (size_t index = 0; index < writes.size(); ++index) {
    yields.push_back(writes.size() == 1 ? "%r" : "%r" + std::to_string(index));
    values[writes[index].first] =
        "%s" + number + (writes.size() == 1 ? "" : "#" + std::to_string(index));
  }
  std::vector<std::string> yieldTypes;
  for (auto &[name, map] : writes)
    yieldTypes.push_back(getElement(name));
  body += "  %s" + number +
          (writes.size() == 1 ? "" : ":" + std::to_string(writes.size())) +
          " = linalg.generic {indexing_maps = [" + join(maps, ", ") +
          "], iterator_types = [" + join(kinds, ", ") + "]}";
  if (!ins.empty())
    body += " ins(" + join(ins, ", ") + " : " + join(inTypes, ", ") + ")";
  body += " outs(" + join(outs, ", ") + " : " + join(outTypes, ", ") + ")" +
          (attributes.empty() ? "" : " attrs = {" + attributes + "}") +
          " {\n  ^bb0(" + join(elements, ", ") + "):\n    " + inside +
          "\n    linalg.yield " + join(yields, ", ") + " : " +
          join(yieldTypes, ", ") + "\n  } -> (" + join(outTypes, ", ") + ")\n";
  return *this;
}

std::string KernelText::get() const {
  std::vector<std::string> returned, resultTypes;
  for (const std::string &name : results) {
    returned.push_back(values.at(name));
    resultTypes.push_back(types.at(name));
  }
  std::string list = join(resultTypes, ", ");
  return "func.func private @k(" + join(arguments, ", ") + ") -> (" + list +
         ") attributes {invar.kernel} {\n" + body + "  return " +
         join(returned, ", ") + " : " + list + "\n}\n";
}
