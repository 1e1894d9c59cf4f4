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

// The generated rows use these names without a namespace.
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

/// Static, because parsed arguments refer to the table.
static const Table &getTable() {
  static const Table table;
  return table;
}

/// Whether an argument is an option, and not a value such as -1.
static bool isOption(StringRef argument) {
  return argument.size() > 1 && argument.front() == '-' &&
         !llvm::isDigit(argument[1]);
}

/// Expands options that take the arguments after them: `--name a b` becomes `--name=a
/// --name=b`.
static std::vector<const char *> expand(llvm::ArrayRef<const char *> arguments,
                                        const Table &table,
                                        llvm::StringSaver &strings) {
  llvm::StringMap<unsigned> takers;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    llvm::opt::Option option = table.getOption(id);
    for (unsigned flag : {TakesList, TakesNumber})
      if (option.isValid() && option.hasFlag(flag))
        takers[option.getPrefixedName()] = flag;
  }
  std::vector<const char *> expanded;
  while (!arguments.empty()) {
    StringRef name = arguments.consume_front();
    unsigned taker = takers.lookup(name);
    auto isTaken = [&](StringRef next) {
      return taker == TakesList ? !isOption(next)
                                : !next.empty() && llvm::isDigit(next.front());
    };
    size_t count = 0;
    while (taker && count < arguments.size() && isTaken(arguments[count]) &&
           (taker == TakesList || count == 0))
      expanded.push_back(strings.save(name + "=" + arguments[count++]).data());
    if (count == 0)
      expanded.push_back(name.data());
    arguments = arguments.drop_front(count);
  }
  return expanded;
}

llvm::Expected<llvm::opt::InputArgList>
options::parse(Command command, llvm::ArrayRef<const char *> arguments,
               llvm::StringSaver &strings) {
  const Table &table = getTable();
  llvm::opt::Visibility visible(command);
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList list = table.ParseArgs(
      expand(arguments, table, strings), missingIndex, missingCount, visible);
  if (missingCount)
    return badUsage("expected a value after '" +
                    StringRef(list.getArgString(missingIndex)) + "'");
  for (const llvm::opt::Arg *argument : list) {
    if (argument->getOption().hasFlag(NeedsValue))
      return badUsage("expected a value after '" + argument->getSpelling() +
                      "'");
    if (argument->getOption().hasFlag(Refused))
      return badUsage("expected an option that Invar has, but got '" +
                      argument->getSpelling().rtrim('=') + "': " +
                      table.getOptionHelpText(argument->getOption().getID()));
  }
  for (const llvm::opt::Arg *unknown : list.filtered(OPT_UNKNOWN)) {
    std::string text = unknown->getAsString(list), nearest;
    std::string hint = "; --help lists what there is";
    if (table.findNearest(text, nearest, visible) <= 2)
      hint = "; did you mean '" + nearest + "'?";
    return badUsage("expected an option, but got '" + text + "'" + hint);
  }
  return std::move(list);
}

std::vector<std::string>
options::getNotes(const llvm::opt::ArgList &arguments) {
  const Table &table = getTable();
  std::vector<std::string> notes;
  for (const llvm::opt::Arg *argument : arguments) {
    llvm::opt::Option option = argument->getOption();
    if (!option.hasFlag(Noted))
      continue;
    std::string note =
        ("'" + argument->getSpelling().rtrim('=') +
         "' changes nothing: " + table.getOptionHelpText(option.getID()))
            .str();
    if (!llvm::is_contained(notes, note))
      notes.push_back(note);
  }
  return notes;
}

/// Prints a line of help; nothing for an alternative spelling of an option.
static void printOption(const Table &table, const llvm::opt::Option &option,
                        llvm::raw_ostream &os) {
  const char *help = table.getOptionHelpText(option.getID());
  StringRef meta = table.getOptionMetaVar(option.getID());
  std::string name = option.getPrefixedName().str();
  if (!help || (name.back() == '=' && meta.empty()))
    return;
  constexpr unsigned column = 33;
  name = "  " + name + meta.str();
  os << llvm::left_justify(name, column);
  if (name.size() >= column)
    os << "\n" << std::string(column, ' ');
  os << help << "\n";
}

void options::printHelp(Command command, StringRef usage, StringRef about,
                        bool showAll) {
  const Table &table = getTable();
  llvm::raw_ostream &os = llvm::outs();
  os << "usage: " << usage << "\n" << about << "\n";
  for (ID group : {OPT_Writing, OPT_Feeding, OPT_Simplifying, OPT_Knowing,
                   OPT_Telling, OPT_Familiar, OPT_Needless, OPT_Elsewhere}) {
    std::string lines;
    llvm::raw_string_ostream text(lines);
    for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
      llvm::opt::Option option = table.getOption(id);
      if (option.getGroup().isValid() && option.getGroup().getID() == group &&
          option.hasVisibilityFlag(command) &&
          (showAll || !option.hasFlag(llvm::opt::HelpHidden)))
        printOption(table, option, text);
    }
    if (!lines.empty())
      os << "\n" << table.getOptionHelpText(group) << "\n" << lines;
  }
}

llvm::Expected<int64_t> options::parseInt(StringRef text, StringRef option) {
  int64_t number = 0;
  if (text.getAsInteger(10, number))
    return badUsage("expected a number for '" + option + "', but got '" + text +
                    "'");
  return number;
}

llvm::Expected<int64_t> options::getInt(const llvm::opt::ArgList &arguments,
                                        ID option, int64_t otherwise) {
  const llvm::opt::Arg *argument = arguments.getLastArg(option);
  if (!argument)
    return otherwise;
  return parseInt(argument->getValue(), argument->getSpelling());
}

std::vector<std::string> options::getNames(const llvm::opt::ArgList &arguments,
                                           ID option) {
  std::vector<std::string> names;
  for (const std::string &list : arguments.getAllArgValues(option))
    for (StringRef name : llvm::split(list, ','))
      names.push_back(name.str());
  return names;
}

llvm::Expected<uint64_t> options::parseSize(StringRef text, StringRef option) {
  constexpr StringRef units = "KMGT";
  std::string upper = text.upper();
  StringRef digits = upper;
  digits.consume_back("B");
  digits.consume_back("I");
  digits = digits.rtrim();
  double factor = 1;
  if (size_t unit =
          digits.empty() ? StringRef::npos : units.find(digits.back());
      unit != StringRef::npos) {
    digits = digits.drop_back().rtrim();
    factor = std::ldexp(1.0, 10 * int(unit + 1));
  }
  double number = 0;
  if (digits.getAsDouble(number) || !(number >= 0) || number * factor > 0x1p62)
    return badUsage("expected a size such as '512M' for '" + option +
                    "', but got '" + text + "'");
  return uint64_t(number * factor);
}

llvm::Expected<std::optional<std::chrono::nanoseconds>>
options::getTimeout(const llvm::opt::ArgList &arguments) {
  if (!arguments.hasArg(OPT_timeout))
    return std::nullopt;
  StringRef text = arguments.getLastArgValue(OPT_timeout);
  constexpr double most = 1e9;
  double seconds = 0;
  if (text.getAsDouble(seconds) || !(seconds >= 0 && seconds <= most))
    return badUsage(
        "expected seconds such as '0.5' for '--timeout', but got '" + text +
        "'");
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(seconds));
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
