// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Values.h"

#include "Commands.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace invar;
using llvm::StringRef;

llvm::Error invar::toError(rt::Error error) {
  if (!error)
    return llvm::Error::success();
  if (error.code() == INVAR_OUT_OF_MEMORY ||
      error.code() == INVAR_DEADLINE_EXCEEDED)
    return outOfResources(error.text());
  return badInput(error.text());
}

bool invar::isOfMaps(const rt::Value &value) {
  if (value.kind() == INVAR_TYPE_SEQUENCE && value.size())
    return isOfMaps(value[0]);
  return value.kind() == INVAR_TYPE_MAP;
}

std::vector<NamedValue> invar::getParts(StringRef name,
                                        const rt::Value &value) {
  std::vector<NamedValue> parts;
  if (!value)
    return parts;
  if (value.kind() == INVAR_TYPE_OPTIONAL)
    return getParts(name, value.element());
  if (value.kind() == INVAR_TYPE_TENSOR || isOfMaps(value))
    parts.push_back({name.str(), value});
  else
    for (size_t i = 0; i < value.size(); ++i)
      llvm::append_range(
          parts, getParts((name + "." + llvm::Twine(i)).str(), value[i]));
  return parts;
}

std::string invar::formatType(const rt::Value &part) {
  if (part.kind() == INVAR_TYPE_SEQUENCE)
    return "seq(" + formatType(part[0]) + ")";
  if (part.kind() == INVAR_TYPE_MAP)
    return ("map(" + getName(getType(part.keys())) + ", " +
            getName(getType(part.values())) + ")")
        .str();
  return getName(getType(part)).str();
}

std::vector<int64_t> invar::getSizes(const rt::Value &part) {
  if (part.kind() == INVAR_TYPE_SEQUENCE)
    return {int64_t(part.size())};
  return part.kind() == INVAR_TYPE_MAP ? part.keys().sizes() : part.sizes();
}

std::string invar::formatSizes(llvm::ArrayRef<int64_t> sizes) {
  return llvm::join(
      llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }),
      "x");
}

void invar::forEachPiece(
    const rt::Value &tensor,
    llvm::function_ref<void(int64_t, llvm::ArrayRef<double>)> visit) {
  DataType type = getType(tensor);
  constexpr int64_t most = 1024;
  WideNum wide[most];
  double numbers[most];
  int64_t count = tensor.count();
  for (int64_t begin = 0; begin < count; begin += most) {
    auto size = size_t(std::min(most, count - begin));
    widenLanes(type, tensor.data<char>() + size_t(begin) * getLaneSize(type),
               llvm::MutableArrayRef(wide, size));
    for (size_t i = 0; i < size; ++i)
      numbers[i] = wide[i].toDouble(type);
    visit(begin, llvm::ArrayRef(numbers, size));
  }
}

// The table

/// Formats an element for people; long strings are truncated.
static std::string formatElement(const rt::Value &tensor, int64_t index) {
  std::string text;
  llvm::raw_string_ostream os(text);
  dispatch(getType(tensor), [&](auto tag) {
    using Tag = decltype(tag);
    using Lane = typename Tag::Lane;
    if constexpr (std::is_same_v<Lane, StringRef>) {
      const InvarString &string = tensor.data<InvarString>()[index];
      StringRef whole(string.data, string.size);
      os << "'" << inOneLine(whole.take_front(20))
         << (whole.size() > 20 ? "…" : "") << "'";
    } else if constexpr (!isNumericTag<Tag>) {
      Lane lane = tensor.data<Lane>()[index];
      os << llvm::format("%.4g%+.4gi", double(lane.real()),
                         double(lane.imag()));
    } else {
      WideNum number = widen<Tag>(tensor.data<Lane>()[index]);
      switch (getKind(Tag::type)) {
      case NumberKind::Signed:
        os << number.i;
        break;
      case NumberKind::Float:
        os << llvm::format("%.4g", number.f);
        break;
      default:
        os << number.u;
      }
    }
  });
  return text;
}

namespace {
/// Statistics of all elements; NaNs are only counted.
struct Summary {
  explicit Summary(const rt::Value &tensor) {
    double sum = 0;
    forEachPiece(tensor, [&](int64_t, llvm::ArrayRef<double> numbers) {
      for (double number : numbers) {
        if (std::isnan(number)) {
          ++nans;
          continue;
        }
        least = std::min(least, number);
        most = std::max(most, number);
        sum += number;
        ++count;
      }
    });
    mean = sum / double(count);
  }

  double least = INFINITY, most = -INFINITY, mean = 0;
  int64_t count = 0, nans = 0;
};
} // namespace

/// The first entries of a map, or of the first map of a sequence.
static std::string formatMaps(const rt::Value &value) {
  if (value.kind() == INVAR_TYPE_SEQUENCE)
    return formatMaps(value[0]) + (value.size() > 1 ? " …" : "");
  constexpr int64_t shown = 4;
  rt::Value keys = value.keys(), values = value.values();
  std::string text;
  for (int64_t i = 0; i < std::min(shown, keys.count()); ++i)
    text += (i ? ", " : "") + formatElement(keys, i) + ": " +
            formatElement(values, i);
  return "{" + text + (keys.count() > shown ? " …}" : "}");
}

/// A row of the table, by columns.
static std::vector<std::string> describePart(const NamedValue &named) {
  if (isOfMaps(named.value))
    return {inOneLine(named.name),
            formatType(named.value),
            formatSizes(getSizes(named.value)),
            "",
            "",
            "",
            formatMaps(named.value)};
  const rt::Value &tensor = named.value;
  DataType type = getType(tensor);
  std::vector<std::string> row = {inOneLine(named.name),
                                  getName(type).str(),
                                  formatSizes(tensor.sizes()),
                                  "",
                                  "",
                                  ""};
  if (isNumeric(type) && tensor.count() > 0) {
    Summary summary(tensor);
    if (summary.count)
      for (auto [column, number] :
           {std::pair(3, summary.least), {4, summary.most}, {5, summary.mean}})
        llvm::raw_string_ostream(row[column]) << llvm::format("%.4g", number);
    if (summary.nans)
      row[3] +=
          (row[3].empty() ? "" : ", ") + std::to_string(summary.nans) + " NaN";
  }
  constexpr int64_t shown = 4;
  std::string elements;
  for (int64_t i = 0; i < std::min(shown, tensor.count()); ++i)
    elements += (i ? " " : "") + formatElement(tensor, i);
  row.push_back(elements + (tensor.count() > shown ? " …" : ""));
  return row;
}

void invar::printOutputs(llvm::ArrayRef<NamedValue> outputs) {
  std::vector<std::vector<std::string>> rows = {
      {"output", "type", "shape", "min", "max", "mean", "elements"}};
  for (const NamedValue &output : outputs) {
    std::vector<NamedValue> parts = getParts(output.name, output.value);
    if (parts.empty())
      rows.push_back({inOneLine(output.name), "-", "", "", "", "", "nothing"});
    for (const NamedValue &part : parts)
      rows.push_back(describePart(part));
  }
  std::vector<size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (auto [width, cell] : llvm::zip(widths, row))
      width = std::max(width, cell.size());
  for (const auto &row : rows) {
    std::string line;
    for (auto [width, cell] : llvm::zip(widths, row)) {
      line += cell;
      line.append(width - cell.size() + 2, ' ');
    }
    llvm::outs() << StringRef(line).rtrim() << "\n";
  }
}
