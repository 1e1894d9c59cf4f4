// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.h"

#include "Commands.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

#define OPTTABLE_STR_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

// The generated rows name these without a namespace.
using llvm::opt::DefaultVis;
using llvm::opt::HelpHidden;
static constexpr llvm::opt::OptTable::Info rows[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

namespace {
class Table : public llvm::opt::GenericOptTable {
public:
  Table() : GenericOptTable(OptionStrTable, OptionPrefixesTable, rows) {}
};
} // namespace

llvm::Expected<llvm::opt::InputArgList>
options::parse(Command command, llvm::ArrayRef<const char *> arguments) {
  Table table;
  llvm::opt::Visibility visible(command);
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList list =
      table.ParseArgs(arguments, missingIndex, missingCount, visible);
  if (missingCount)
    return badUsage("expected a value after '" +
                    StringRef(list.getArgString(missingIndex)) + "'");
  for (const llvm::opt::Arg *unknown : list.filtered(OPT_UNKNOWN)) {
    std::string text = unknown->getAsString(list), nearest;
    std::string hint = "; --help lists what there is";
    if (table.findNearest(text, nearest, visible) <= 2)
      hint = "; did you mean '" + nearest + "'?";
    return badUsage("expected an option, but got '" + text + "'" + hint);
  }
  return std::move(list);
}

void options::printHelp(Command command, StringRef usage, StringRef about) {
  Table table;
  table.printHelp(llvm::outs(), usage.str().c_str(), about.str().c_str(),
                  /*ShowHidden=*/false, /*ShowAllAliases=*/false,
                  llvm::opt::Visibility(command));
}

llvm::Expected<int64_t> options::getInt(const llvm::opt::ArgList &arguments,
                                        ID option, int64_t otherwise) {
  const llvm::opt::Arg *argument = arguments.getLastArg(option);
  if (!argument)
    return otherwise;
  int64_t number = 0;
  if (StringRef(argument->getValue()).getAsInteger(10, number))
    return badUsage("expected a number for '" + argument->getSpelling() +
                    "', but got '" + argument->getValue() + "'");
  return number;
}

llvm::Expected<uint64_t> options::parseSize(StringRef text, StringRef option) {
  constexpr StringRef units = "KMGT";
  StringRef digits = text;
  digits.consume_back("B");
  digits.consume_back("i");
  double factor = 1;
  if (size_t unit =
          digits.empty() ? StringRef::npos : units.find(digits.back());
      unit != StringRef::npos) {
    digits = digits.drop_back();
    factor = std::ldexp(1.0, 10 * int(unit + 1));
  }
  double number = 0;
  if (digits.getAsDouble(number) || !(number >= 0) || number * factor > 0x1p62)
    return badUsage("expected a size such as '512M' for '" + option +
                    "', but got '" + text + "'");
  return uint64_t(number * factor);
}

llvm::Expected<onnx::ShapeFacts>
invar::options::getFacts(const llvm::opt::ArgList &arguments) {
  onnx::ShapeFacts facts;
  using Reader = llvm::Error (*)(StringRef, onnx::ShapeFacts &);
  for (auto [option, read] : {std::pair<ID, Reader>(OPT_shape, addShapeFact),
                              {OPT_dim, addDimFact},
                              {OPT_dim_range, addRangeFact}})
    for (const std::string &text : arguments.getAllArgValues(option))
      if (llvm::Error error = read(text, facts))
        return error;
  return facts;
}

std::string invar::inOneLine(StringRef text) {
  std::string line;
  for (char c : text) {
    if (llvm::isASCII(c) && !llvm::isPrint(c))
      line +=
          "\\x" + llvm::utohexstr(uint8_t(c), /*LowerCase=*/true, /*Width=*/2);
    else
      line += c;
  }
  return line;
}
