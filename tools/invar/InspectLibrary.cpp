// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InspectLibrary.h"

#include "Commands.h"
#include "invar/Support/Error.h"
#include "invar/Support/MappedFile.h"
#include "runtime/EncodedConstant.h"
#include "runtime/Library.h"
#include "runtime/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include <map>
#include <set>

using namespace invar;
using llvm::StringRef;

//===-- Programs --------------------------------------------------------------===//

/// The number of words of an instruction. The code has been checked.
static size_t getLength(const uint32_t *code) {
  static constexpr const char *operandsOf[] = {
#define INVAR_OPCODE(NAME, OPERANDS) OPERANDS,
      INVAR_OPCODES(INVAR_OPCODE)
#undef INVAR_OPCODE
  };
  uint32_t opcode =
      *code == runtime::opAllocateOutput ? uint32_t(INVAR_OP_ALLOCATE) : *code;
  size_t length = 1;
  for (const char *operand = operandsOf[opcode]; *operand; ++operand) {
    size_t count = *operand == '*' ? code[length++] : 1;
    operand += *operand == '*';
    length += count * (*operand == 'i' ? 2 : 1);
  }
  return length;
}

/// The constants that a program decodes, with the types of the decoded values.
static std::map<uint32_t, const runtime::Type *>
findDecoded(const runtime::Program &program) {
  std::map<uint32_t, const runtime::Type *> decoded;
  // The constant in each register. A register holds only one value.
  std::map<uint32_t, uint32_t> constantIn;
  const uint32_t *end = program.code.data() + program.code.size();
  for (const uint32_t *code = program.code.data(); code < end;
       code += getLength(code)) {
    if (*code == INVAR_OP_CONSTANT)
      constantIn[code[1]] = code[2];
    if (*code != INVAR_OP_CALL)
      continue;
    const runtime::CallSite &site = program.calls[code[1]];
    if (auto found = constantIn.find(code[4]);
        *site.name == "Decode" && found != constantIn.end())
      decoded[found->second] = site.resultTypes.front();
  }
  return decoded;
}

namespace {
/// Collects the constants of all programs of a library, each once.
class Gatherer {
public:
  Gatherer(const runtime::Program &main, StringRef store,
           LibrarySummary &summary)
      : main(main), store(store), summary(summary) {}

  void run() {
    gather(main);
    for (const runtime::Fold &fold : main.folds)
      gather(fold.program);
    llvm::stable_sort(summary.constants, [](const auto &a, const auto &b) {
      return a.bytes > b.bytes;
    });
  }

private:
  void gather(const runtime::Program &program) {
    std::map<uint32_t, const runtime::Type *> decoded = findDecoded(program);
    for (auto [number, constant] : llvm::enumerate(program.constants)) {
      if (!seen.insert({constant.kind, constant.offset}).second)
        continue;
      LibraryConstant &made = summary.constants.emplace_back();
      made.type = runtime::describe(*constant.type);
      made.bytes = constant.size;
      made.kept = constant.kind == INVAR_CONSTANT_FOLDED ? "folded" : "stored";
      if (constant.kind == INVAR_CONSTANT_PARAMETER) {
        made.kept = "parameter";
        made.name = *main.parameters[constant.offset].name;
      }
      auto found = decoded.find(uint32_t(number));
      if (found != decoded.end() && constant.kind == INVAR_CONSTANT_STORED)
        describeEncoding(constant, *found->second, made);
    }
  }

  void describeEncoding(const runtime::Constant &constant,
                        const runtime::Type &type, LibraryConstant &made) {
    InvarEncodedHeader header;
    if (constant.size < sizeof(header))
      return;
    memcpy(&header, store.data() + constant.offset, sizeof(header));
    made.type = runtime::describe(type);
    // With the raw encoding, a constant is only compressed.
    made.encoding = header.encoding == INVAR_ENCODING_RAW
                        ? "zstd"
                        : runtime::getEncodingName(header.encoding);
    made.bits = header.code_bits;
    auto bytes = runtime::countBytes(type.dataType, type.sizes.data(),
                                     type.sizes.size());
    made.decodedBytes = uint64_t(bytes.value_or(0));
  }

  const runtime::Program &main;
  StringRef store;
  LibrarySummary &summary;
  std::set<std::pair<InvarConstantKind, uint64_t>> seen;
};
} // namespace

static std::vector<ValueSummary>
describePorts(const std::vector<runtime::Port> &ports) {
  std::vector<ValueSummary> values;
  values.reserve(ports.size());
  for (const runtime::Port &port : ports)
    values.push_back({*port.name, runtime::describe(*port.type)});
  return values;
}

llvm::Expected<LibrarySummary> invar::inspectLibrary(StringRef path) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  auto toError = [&](const runtime::Status &status) {
    return badInput(path + ": " + StringRef(status.getText()));
  };
  std::unique_ptr<runtime::Library> library;
  if (runtime::Status status = runtime::Library::read(
          (*file)->getDescriptor(), {.library = path.str(), .weights = {}},
          library))
    return toError(status);
  const InvarModule &module = library->getModule();
  runtime::Store::Ref store = library->takeStore();
  if (runtime::Status status = store->verify(0, store->getSize(), nullptr))
    return toError(status);
  runtime::Program program;
  if (runtime::Status status =
          runtime::readProgram({module.program, size_t(module.program_words)},
                               module.num_kernels, store->getSize(), program))
    return toError(status);

  LibrarySummary summary;
  summary.path = path.str();
  summary.compiler = module.compiler ? module.compiler : "";
  for (const InvarModule *each = &module; each; each = each->next)
    summary.features.push_back(each->features ? each->features : "");
  summary.fileBytes = (*file)->getSize();
  summary.constantsFile = library->getConstantsFile();
  summary.storedBytes = store->getSize();
  summary.foldedBytes = program.foldedSize;
  summary.kernels = module.num_kernels;
  summary.folds = program.folds.size();
  summary.inputs = describePorts(program.inputs);
  summary.outputs = describePorts(program.outputs);
  Gatherer(program, {store->getData(), store->getSize()}, summary).run();
  return summary;
}

//===-- Telling ---------------------------------------------------------------===//

llvm::json::Value invar::toJson(const LibrarySummary &summary) {
  using llvm::json::Array;
  using llvm::json::fixUTF8;
  using llvm::json::Object;
  auto values = [](const std::vector<ValueSummary> &list) {
    Array array;
    for (const ValueSummary &value : list)
      array.push_back(
          Object{{"name", fixUTF8(value.name)}, {"type", fixUTF8(value.type)}});
    return array;
  };
  Array constants, features;
  for (const std::string &each : summary.features)
    features.push_back(each);
  for (const LibraryConstant &constant : summary.constants) {
    Object entry{{"type", fixUTF8(constant.type)},
                 {"bytes", int64_t(constant.bytes)},
                 {"kept", constant.kept}};
    if (!constant.name.empty())
      entry["name"] = fixUTF8(constant.name);
    if (!constant.encoding.empty()) {
      entry["encoding"] = constant.encoding;
      entry["bits"] = int64_t(constant.bits);
      entry["decoded_bytes"] = int64_t(constant.decodedBytes);
    }
    constants.push_back(std::move(entry));
  }
  llvm::json::Value constantsFile = nullptr;
  if (!summary.constantsFile.empty())
    constantsFile = fixUTF8(summary.constantsFile);
  return Object{{"path", fixUTF8(summary.path)},
                {"constants_file", std::move(constantsFile)},
                {"file_bytes", int64_t(summary.fileBytes)},
                {"compiler", fixUTF8(summary.compiler)},
                {"features", std::move(features)},
                {"inputs", values(summary.inputs)},
                {"outputs", values(summary.outputs)},
                {"kernels", int64_t(summary.kernels)},
                {"folds", int64_t(summary.folds)},
                {"stored_bytes", int64_t(summary.storedBytes)},
                {"folded_bytes", int64_t(summary.foldedBytes)},
                {"constants", std::move(constants)}};
}

/// The encoding of a constant, and how much smaller it makes it.
static std::string describeEncoding(const LibraryConstant &constant) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (constant.encoding.empty() || constant.bytes == 0)
    return text;
  os << "  " << constant.encoding;
  if (constant.bits)
    os << ", " << constant.bits << " bits";
  os << llvm::format(", %.1f times smaller",
                     double(constant.decodedBytes) / double(constant.bytes));
  return text;
}

void invar::print(const LibrarySummary &summary, size_t mostConstants,
                  llvm::raw_ostream &os) {
  os << inOneLine(summary.path) << "  " << formatBytes(summary.fileBytes);
  if (!summary.compiler.empty())
    os << ", by " << inOneLine(summary.compiler);
  os << "\n";
  for (auto [i, features] : llvm::enumerate(summary.features))
    os << (i ? "  or " : "  for ")
       << (features.empty() ? "any processor" : inOneLine(features)) << "\n";
  os << "\n";
  auto printValues = [&](StringRef title,
                         const std::vector<ValueSummary> &list) {
    for (auto [i, value] : llvm::enumerate(list))
      os << llvm::format("%-8s", i == 0 ? title.data() : "")
         << inOneLine(value.name) << " : " << inOneLine(value.type) << "\n";
  };
  printValues("inputs", summary.inputs);
  printValues("outputs", summary.outputs);
  os << "\n"
     << summary.kernels << " kernels\n"
     << summary.constants.size() << " constants, "
     << formatBytes(summary.storedBytes) << " in "
     << (summary.constantsFile.empty() ? "the library"
                                       : inOneLine(summary.constantsFile))
     << "\n";
  if (summary.folds)
    os << summary.folds << " folds, which compute "
       << formatBytes(summary.foldedBytes) << " at the first run\n";
  llvm::ArrayRef<LibraryConstant> listed(summary.constants);
  for (const LibraryConstant &constant : listed.take_front(mostConstants)) {
    os << llvm::format("%8s  %-9s  ", formatBytes(constant.bytes).c_str(),
                       constant.kept.c_str());
    if (!constant.name.empty())
      os << inOneLine(constant.name) << " : ";
    os << inOneLine(constant.type) << describeEncoding(constant) << "\n";
  }
  if (listed.size() > mostConstants)
    os << llvm::format("%8s  ", "") << listed.size() - mostConstants
       << " more\n";
}
