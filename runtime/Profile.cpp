// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Profile.h"

#include "invar/Files/Printable.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <tuple>
#include <unistd.h>

using namespace invar::runtime;

static double milliseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}
static double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

/// Appends text formatted as by printf.
template <typename... Args>
static void print(std::string &text, const char *format, Args... args) {
  int size = std::snprintf(nullptr, 0, format, args...);
  size_t before = text.size();
  text.resize(before + size_t(size) + 1);
  std::snprintf(text.data() + before, size_t(size) + 1, format, args...);
  text.pop_back();
}

/// The name of the kernel or function that an instruction runs.
static std::string_view getWhat(const Program &program,
                                const InvarKernel *kernels, uint32_t word) {
  const uint32_t *code = &program.code[word];
  return code[0] == INVAR_OP_KERNEL ? std::string_view(kernels[code[1]].name)
                                    : *program.calls[code[1]].name;
}

/// The name of a kernel without its trailing number.
static std::string_view getKind(std::string_view what) {
  size_t end = what.find_last_not_of("0123456789");
  bool isNumbered = end != std::string_view::npos && end + 1 < what.size() &&
                    what[end] == '_';
  return isNumbered ? what.substr(0, end) : what;
}

static std::string_view getNode(const Program &program, uint32_t word) {
  const Node *node = program.findNode(word);
  return node ? std::string_view(*node->name) : "";
}

void Profile::add(const std::vector<Event> &events, Clock::time_point begin,
                  Clock::duration duration) {
  std::lock_guard guard(lock);
  allRuns.time += duration;
  ++allRuns.count;
  for (const Event &event : events) {
    Sum &sum = byWord[event.word];
    sum.time += event.duration;
    ++sum.count;
  }
  if (numEvents + events.size() > mostEvents)
    return;
  numEvents += events.size();
  runs.push_back({begin, duration, int(gettid()), events});
}

std::string Profile::writeTable(const Program &program,
                                const InvarKernel *kernels) const {
  struct Row {
    std::string_view node, what;
    Sum sum;
  };
  std::lock_guard guard(lock);
  std::string text;
  if (allRuns.count == 0)
    return "no runs\n";
  double runs = double(allRuns.count);
  double total = milliseconds(allRuns.time) / runs;
  print(text, "%" PRId64 " runs, %.3f ms each\n", allRuns.count, total);

  auto printRows = [&](const char *title, std::vector<Row> rows) {
    std::sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
      return std::tie(b.sum.time, a.node, a.what) <
             std::tie(a.sum.time, b.node, b.what);
    });
    print(text, "\n%10s %6s %8s  %s\n", "ms", "%", "calls", title);
    for (const Row &row : rows) {
      double time = milliseconds(row.sum.time) / runs;
      print(text, "%10.3f %6.1f %8.6g  ", time,
            total > 0 ? 100 * time / total : 0, double(row.sum.count) / runs);
      text += makePrintable(row.node);
      if (!row.node.empty() && !row.what.empty())
        text += "  ";
      text.append(makePrintable(row.what)).append("\n");
    }
  };

  std::vector<Row> nodes;
  std::map<std::string_view, Sum> byKind;
  for (const auto &[word, sum] : byWord) {
    std::string_view what = getWhat(program, kernels, word);
    nodes.push_back({getNode(program, word), what, sum});
    Sum &kind = byKind[getKind(what)];
    kind.time += sum.time;
    kind.count += sum.count;
  }
  printRows("node, kernel", std::move(nodes));
  std::vector<Row> kinds;
  for (const auto &[kind, sum] : byKind)
    kinds.push_back({"", kind, sum});
  printRows("operators", std::move(kinds));
  return text;
}

static void appendJson(std::string &text, std::string_view string) {
  text += '"';
  for (char c : string) {
    if (c == '"' || c == '\\')
      text.append(1, '\\').append(1, c);
    else if (static_cast<unsigned char>(c) < 0x20)
      print(text, "\\u%04x", unsigned(c));
    else
      text += c;
  }
  text += '"';
}

std::string Profile::writeTrace(const Program &program,
                                const InvarKernel *kernels) const {
  std::lock_guard guard(lock);
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  Clock::time_point origin =
      runs.empty() ? Clock::time_point() : runs.front().begin;
  for (const Run &run : runs)
    origin = std::min(origin, run.begin);

  auto printEvent = [&](std::string_view name, std::string_view category,
                        const Run &run, Clock::time_point begin,
                        Clock::duration duration) {
    text += text.ends_with('[') ? "\n{\"name\":" : ",\n{\"name\":";
    appendJson(text, name);
    text += ",\"cat\":";
    appendJson(text, category);
    print(text, ",\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f",
          run.thread, microseconds(begin - origin), microseconds(duration));
  };
  for (const Run &run : runs) {
    printEvent("run", "run", run, run.begin, run.duration);
    text += "}";
    for (const Event &event : run.events) {
      std::string_view what = getWhat(program, kernels, event.word);
      std::string_view node = getNode(program, event.word);
      bool isKernel = program.code[event.word] == INVAR_OP_KERNEL;
      printEvent(node.empty() ? what : node, isKernel ? "kernel" : "call", run,
                 event.begin, event.duration);
      text += ",\"args\":{\"kernel\":";
      appendJson(text, what);
      print(text, ",\"units\":%" PRId64 "}}", event.units);
    }
  }
  return text + "\n]}\n";
}
