// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// invar cache: manages files that earlier runs have kept, compiled libraries and the
// constants that first runs have computed.
#include "Commands.h"
#include "Options.h"
#include "invar-c/FoldFile.h"
#include "invar/Files/PrivateFolder.h"
#include "invar/Pipelines/CompileCache.h"
#include "invar/Support/Error.h"
#include "runtime/Descriptor.h"
#include "runtime/FoldFile.h"
#include "runtime/Library.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <sys/file.h>

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

namespace {
enum class Kind : uint8_t { Library, Constants, Unfinished };

struct Entry {
  std::string path;
  Kind kind;
  uint64_t bytes;
  /// Days since it was last read or written.
  double days;
};
} // namespace

static StringRef toString(Kind kind) {
  return kind == Kind::Library     ? "library"
         : kind == Kind::Constants ? "constants"
                                   : "unfinished";
}

static std::optional<Kind> getKind(StringRef name) {
  if (name.starts_with("llvmcache-"))
    return Kind::Library;
  if (isUnfinished(name))
    return Kind::Unfinished;
  if (name.ends_with(INVAR_FOLD_SUFFIX))
    return Kind::Constants;
  return std::nullopt;
}

/// All entries of a folder, the most recently used first; none if the folder does not
/// exist.
static llvm::Expected<std::vector<Entry>> findEntries(StringRef folder) {
  namespace fs = llvm::sys::fs;
  std::vector<Entry> entries;
  std::error_code code;
  auto now = std::chrono::system_clock::now();
  constexpr bool followsLinks = false;
  for (fs::directory_iterator at(folder, code, followsLinks), end;
       at != end && !code; at.increment(code)) {
    auto kind = getKind(llvm::sys::path::filename(at->path()));
    auto facts = at->status();
    if (!kind || !facts || facts->type() == fs::file_type::directory_file)
      continue;
    auto used = std::max(facts->getLastAccessedTime(),
                         facts->getLastModificationTime());
    std::chrono::duration<double, std::ratio<86400>> age = now - used;
    entries.push_back({at->path(), *kind, facts->getSize(), age.count()});
  }
  if (code && code != std::errc::no_such_file_or_directory)
    return systemError(folder, "read", code.value());
  llvm::sort(entries,
             [](const Entry &a, const Entry &b) { return a.days < b.days; });
  return entries;
}

static std::string getName(const Entry &entry) {
  return llvm::sys::path::filename(entry.path).str();
}

/// Fails if a file is damaged, cannot be read, or could have been written by others.
/// Reads all of it.
static runtime::Status check(const PrivateFolder &folder, const Entry &entry) {
  Reason reason;
  runtime::Descriptor file(folder.open(getName(entry), reason));
  if (!file)
    return runtime::fail(
        reason.error && reason.error != ENOENT ? INVAR_OUT_OF_MEMORY
                                               : INVAR_BAD_MODEL,
        reason.text.empty() ? "expected a file, but it is gone" : reason.text);
  std::string name;
  runtime::Store::Ref constants;
  if (entry.kind == Kind::Library) {
    std::unique_ptr<runtime::Library> library;
    if (auto status = runtime::Library::read(file.get(), {}, library))
      return status;
    constants = library->takeStore();
    name = getCachedName(library->getKey());
  } else {
    InvarFoldHeader header;
    if (auto status =
            runtime::FoldFile::read(file.get(), "", header, constants))
      return status;
    runtime::FoldFile::Key key;
    llvm::copy(header.key, key.begin());
    name = runtime::FoldFile::getName(key);
  }
  if (name != getName(entry))
    return runtime::fail(INVAR_BAD_MODEL,
                         "expected what has this name, but got ", name);
  return constants->verify(0, constants->getSize(), nullptr);
}

/// Whether the process that began to write it has ended.
static bool isAbandoned(const PrivateFolder &folder, const Entry &entry) {
  Reason reason;
  runtime::Descriptor file(folder.open(getName(entry), reason));
  return file && flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

static std::string getSize(uint64_t bytes) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.2f MB", double(bytes) / 1e6);
  return text;
}

namespace {
/// One command over the entries of a folder.
class CacheCommand {
public:
  CacheCommand(const llvm::opt::InputArgList &arguments, std::string folder)
      : arguments(arguments), folder(std::move(folder)),
        isJson(arguments.hasArg(OPT_json)) {}

  /// Rejects a folder that others can write. A missing folder has no entries.
  llvm::Error open() {
    Reason why;
    return folder.open(why) || why.text.empty() ? llvm::Error::success()
                                                : badInput(why.text);
  }
  llvm::Error list();
  llvm::Error collect();
  llvm::Error verify();

private:
  /// Prints an entry, as a JSON object or a line.
  void tell(const Entry &entry, StringRef what = "");
  void tellSum(StringRef what, size_t count, uint64_t bytes);
  llvm::Error remove(const Entry &entry);

  const llvm::opt::InputArgList &arguments;
  PrivateFolder folder;
  bool isJson;
};
} // namespace

void CacheCommand::tell(const Entry &entry, StringRef what) {
  StringRef name = llvm::sys::path::filename(entry.path);
  if (isJson) {
    llvm::json::Object object{{"name", llvm::json::fixUTF8(name)},
                              {"kind", toString(entry.kind)},
                              {"bytes", int64_t(entry.bytes)},
                              {"days", entry.days}};
    if (!what.empty())
      object["state"] = what;
    llvm::outs() << llvm::json::Value(std::move(object)) << "\n";
    return;
  }
  llvm::outs() << llvm::format("%-10s %12s  %5.1f days  ",
                               toString(entry.kind).data(),
                               getSize(entry.bytes).c_str(), entry.days)
               << inOneLine(name) << (what.empty() ? "" : "  ")
               << inOneLine(what) << "\n";
}

void CacheCommand::tellSum(StringRef what, size_t count, uint64_t bytes) {
  if (!isJson)
    llvm::outs() << inOneLine(folder.getPath()) << ": " << count << " files, "
                 << getSize(bytes) << what << "\n";
}

llvm::Error CacheCommand::list() {
  auto entries = findEntries(folder.getPath());
  if (!entries)
    return entries.takeError();
  uint64_t bytes = 0;
  for (const Entry &entry : *entries) {
    tell(entry);
    bytes += entry.bytes;
  }
  tellSum("", entries->size(), bytes);
  return llvm::Error::success();
}

llvm::Error CacheCommand::remove(const Entry &entry) {
  return folder.remove(getName(entry))
             ? llvm::Error::success()
             : systemError(entry.path, "remove", errno);
}

llvm::Error CacheCommand::collect() {
  llvm::Expected<int64_t> days = getInt(arguments, OPT_older_than, 30);
  if (!days)
    return days.takeError();
  auto entries = findEntries(folder.getPath());
  if (!entries)
    return entries.takeError();
  size_t count = 0;
  uint64_t bytes = 0;
  for (const Entry &entry : *entries) {
    bool isGarbage = entry.kind == Kind::Unfinished
                         ? isAbandoned(folder, entry)
                         : entry.days >= double(*days);
    if (!isGarbage)
      continue;
    if (llvm::Error error = remove(entry))
      return error;
    tell(entry, "removed");
    ++count;
    bytes += entry.bytes;
  }
  tellSum(" removed", count, bytes);
  return llvm::Error::success();
}

llvm::Error CacheCommand::verify() {
  auto entries = findEntries(folder.getPath());
  if (!entries)
    return entries.takeError();
  size_t count = 0, damaged = 0;
  uint64_t bytes = 0;
  for (const Entry &entry : *entries) {
    if (entry.kind == Kind::Unfinished)
      continue;
    runtime::Status why = check(folder, entry);
    // If the file cannot be read, its content is unknown.
    if (why && why.getCode() == INVAR_OUT_OF_MEMORY)
      return outOfResources(entry.path + ": " + StringRef(why.getText()));
    ++count;
    bytes += entry.bytes;
    damaged += bool(why);
    // Damaged files are removed; the next run that needs them creates them again.
    if (why)
      if (llvm::Error error = remove(entry))
        return error;
    tell(entry, why ? std::string(why.getText()) + "; removed" : "good");
  }
  tellSum(" verified", count, bytes);
  if (damaged)
    return badInput(folder.getPath() + ": expected whole files, but " +
                    llvm::Twine(damaged) + " of " + llvm::Twine(count) +
                    " were damaged, and are removed");
  return llvm::Error::success();
}

llvm::Error invar::runCache(llvm::ArrayRef<const char *> arguments) {
  llvm::BumpPtrAllocator storage;
  llvm::StringSaver strings(storage);
  auto list = parse(CacheOption, arguments, strings);
  if (!list)
    return list.takeError();
  if (list->hasArg(OPT_help)) {
    printHelp(
        CacheOption, "invar cache ls|gc|verify [options]",
        "Lists cached libraries and constants (ls), removes entries that were "
        "not used for long (gc), or reads all entries and removes damaged ones "
        "(verify)");
    return llvm::Error::success();
  }
  std::vector<std::string> words = list->getAllArgValues(OPT_INPUT);
  std::string folder =
      list->getLastArgValue(OPT_cache_dir, getCacheFolder()).str();
  if (folder.empty())
    return badUsage("expected a folder, '--cache-dir=DIR', since there is no "
                    "home to look in");
  CacheCommand command(*list, folder);
  if (llvm::Error error = command.open())
    return error;
  StringRef what = words.size() == 1 ? StringRef(words[0]) : StringRef();
  if (what == "ls")
    return command.list();
  if (what == "gc")
    return command.collect();
  if (what == "verify")
    return command.verify();
  return badUsage("expected 'ls', 'gc' or 'verify'; 'invar cache --help' shows "
                  "how");
}
