// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the plan as an SVG: a panel for each block, and one for the constants.
#include "invar/ConstStore/MemoryReport.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

using namespace invar;
using llvm::StringRef;

// Colour-blind readers can distinguish these colours, and all are readable on `paper`.
static constexpr StringRef ink = "#24292f", faint = "#6e7781", line = "#e4e8ec",
                           paper = "#ffffff", signal = "#d1242f";
static constexpr StringRef colors[] = {"#0969a8", "#e08a00", "#1a936f",
                                       "#8250df", "#c2589f", "#5fa8d3",
                                       "#b5a642"};
static constexpr StringRef otherColor = "#9a9a9a";

static constexpr double left = 84, width = 1000, right = 24;
static constexpr double top = 84, panel = 300, gap = 66;

static std::string escape(StringRef text) {
  std::string escaped;
  for (char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += (unsigned char)c < 0x20 ? '?' : c;
  }
  return escaped;
}

static std::string formatAmount(double bytes, StringRef unit) {
  const char *prefixes[] = {"", "k", "M", "G", "T"};
  size_t prefix = 0;
  for (; bytes >= 1000 && prefix + 1 < std::size(prefixes); ++prefix)
    bytes /= 1000;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.3g ", bytes) << prefixes[prefix] << "B"
      << (unit.empty() ? "" : " * ") << unit;
  return text;
}

/// The first operator in a maker's name: Conv for Conv_Add_12.
static StringRef getKind(StringRef maker) { return maker.split('_').first; }

namespace {
class Picture {
public:
  Picture(const MemoryReport &report, llvm::raw_ostream &os)
      : report(report), os(os), steps(std::max(report.steps, 1u)) {}

  void draw();

private:
  void chooseColors();
  void drawLegend();
  void drawBlock(const ReportedBlock &block, double y);
  void drawConstants(double y);
  void drawFrame(StringRef title, double y, uint64_t most, StringRef unit);

  void text(double x, double y, StringRef words, int size = 12,
            StringRef fill = ink, StringRef anchor = "start",
            StringRef weight = "normal") {
    os << "<text " << llvm::format("x=\"%.1f\" y=\"%.1f\"", x, y)
       << " text-anchor=\"" << anchor << "\" font-size=\"" << size
       << "\" fill=\"" << fill << "\" font-weight=\"" << weight << "\">"
       << escape(words) << "</text>\n";
  }
  /// A box of addresses and steps, including the last step.
  void box(double y, uint64_t most, uint64_t offset, uint64_t bytes,
           uint32_t first, uint32_t last, StringRef fill, StringRef title) {
    double height = panel * double(bytes) / double(most);
    double bottom = y + panel - panel * double(offset) / double(most);
    os << "<rect "
       << llvm::format("x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
                       getX(first), bottom - height,
                       getX(last + 1) - getX(first), height)
       << " fill=\"" << fill << "\" stroke=\"" << paper
       << "\" stroke-width=\"0.5\"><title>" << escape(title)
       << "</title></rect>\n";
  }
  double getX(uint32_t step) const {
    return left + width * double(step) / double(steps);
  }

  const MemoryReport &report;
  llvm::raw_ostream &os;
  uint32_t steps;
  llvm::MapVector<StringRef, StringRef> colorOf;
};
} // namespace

/// The kinds with the most bytes have their own colours.
void Picture::chooseColors() {
  llvm::MapVector<StringRef, double> bytes;
  for (const ReportedBlock &block : report.blocks)
    for (const ReportedBuffer &buffer : block.buffers)
      bytes[getKind(buffer.maker)] += double(buffer.use.bytes);
  auto kinds = bytes.takeVector();
  llvm::sort(kinds, [](const auto &a, const auto &b) {
    return std::pair(b.second, a.first) < std::pair(a.second, b.first);
  });
  for (auto [kind, color] : llvm::zip(llvm::make_first_range(kinds), colors))
    colorOf[kind] = color;
}

void Picture::drawLegend() {
  double x = left;
  auto entry = [&](StringRef name, StringRef color) {
    os << "<rect " << llvm::format("x=\"%.1f\" y=\"45\"", x)
       << " width=\"11\" height=\"11\" fill=\"" << color << "\"/>\n";
    text(x + 16, 55, name);
    x += 36 + 7.0 * double(name.size());
  };
  for (auto [kind, color] : colorOf)
    entry(kind, color);
  entry("others", otherColor);
  text(left + width, 55, "lower bound", 12, signal, "end");
}

void Picture::drawFrame(StringRef title, double y, uint64_t most,
                        StringRef unit) {
  text(left, y - 10, title, 13, ink, "start", "600");
  for (int part = 0; part <= 4; ++part) {
    double at = y + panel - panel * part / 4;
    os << "<line "
       << llvm::format("x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", left,
                       at, left + width, at)
       << " stroke=\"" << line << "\"/>\n";
    text(left - 8, at + 4, formatAmount(double(most) * part / 4, ""), 11, faint,
         "end");
    auto step = uint32_t(uint64_t(steps) * unsigned(part) / 4);
    text(getX(step), y + panel + 16, std::to_string(step), 11, faint, "middle");
  }
  if (!unit.empty())
    text(left + width, y - 10, ("times " + unit).str(), 11, faint, "end");
}

void Picture::drawBlock(const ReportedBlock &block, double y) {
  uint64_t most = std::max<uint64_t>(block.plan.size, 1);
  std::string title =
      (block.unit.empty() ? "activations: " : "activations of open sizes: ") +
      formatAmount(double(block.plan.size), "");
  drawFrame(title, y, most, block.unit);
  for (auto [i, buffer] : llvm::enumerate(block.buffers)) {
    auto color = colorOf.find(getKind(buffer.maker));
    std::string words = "buffer " + std::to_string(i) + ", " + buffer.maker +
                        ", node " + buffer.node + ": " +
                        formatAmount(double(buffer.use.bytes), block.unit) +
                        ", steps " + std::to_string(buffer.use.first) + " to " +
                        std::to_string(buffer.use.last);
    if (buffer.inPlaceOf)
      words += ", in place of " + std::to_string(*buffer.inPlaceOf);
    box(y, most, buffer.offset, buffer.use.bytes, buffer.use.first,
        buffer.use.last, color == colorOf.end() ? otherColor : color->second,
        words);
  }
  double bound = y + panel - panel * double(block.plan.bound) / double(most);
  os << "<line "
     << llvm::format("x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", left,
                     bound, left + width, bound)
     << " stroke=\"" << signal << "\" stroke-dasharray=\"6 4\"/>\n";
}

void Picture::drawConstants(double y) {
  // Constants that are computed are drawn above those that are stored.
  uint64_t ends[2] = {0, 0};
  for (const ReportedConstant &constant : report.constants) {
    uint64_t &end = ends[constant.isFolded];
    end = std::max(end, constant.offset + constant.bytes);
  }
  std::string title = "constants from their first use on: " +
                      formatAmount(double(ends[0]), "") + " in the store, " +
                      formatAmount(double(ends[1]), "") +
                      " that the first run computes";
  uint64_t most = std::max<uint64_t>(ends[0] + ends[1], 1);
  drawFrame(title, y, most, "");
  for (auto [i, constant] : llvm::enumerate(report.constants))
    box(y, most, constant.offset + (constant.isFolded ? ends[0] : 0),
        constant.bytes, constant.first, steps - 1,
        constant.isFolded ? colors[2] : otherColor,
        "constant " + std::to_string(i) + ": " +
            formatAmount(double(constant.bytes), "") + ", first used in step " +
            std::to_string(constant.first));
}

void Picture::draw() {
  chooseColors();
  size_t panels = report.blocks.size() + !report.constants.empty();
  double all = left + width + right;
  double height = top + double(panels) * (panel + gap);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" "
     << llvm::format("viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\"",
                     all, height, all, height)
     << " font-family=\"Helvetica, Arial, sans-serif\">\n<rect "
     << llvm::format("width=\"%.0f\" height=\"%.0f\"", all, height)
     << " rx=\"8\" fill=\"" << paper << "\"/>\n";
  text(20, 30, "Memory, by the steps of a run", 16, ink, "start", "600");
  drawLegend();
  double y = top + 26;
  for (const ReportedBlock &block : report.blocks) {
    drawBlock(block, y);
    y += panel + gap;
  }
  if (!report.constants.empty())
    drawConstants(y);
  os << "</svg>\n";
}

void MemoryReport::printPicture(llvm::raw_ostream &os) const {
  Picture(*this, os).draw();
}
