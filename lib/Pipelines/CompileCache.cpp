// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/CompileCache.h"

#include "invar/Codegen/Target.h"
#include "invar/Files/PrivateFolder.h"
#include "invar/Frontend/Wire/ExternalData.h"
#include "invar/Frontend/Wire/WireModel.h"
#include "invar/Support/Error.h"
#include "invar/Support/Hash.h"
#include "invar/Support/MemoryFile.h"
#include "invar/Support/Parallel.h"
#include "runtime/Checksum.h"
#include "runtime/Library.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <elf.h>
#include <link.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace invar;
using llvm::StringRef;

std::string invar::getCacheFolder() {
  llvm::SmallString<128> folder;
  if (!llvm::sys::path::cache_directory(folder))
    return "";
  llvm::sys::path::append(folder, "invar");
  return folder.str().str();
}

// The key of a library

/// The build id of the binary that contains this code. It is different for each build.
static llvm::ArrayRef<uint8_t> getBuildId() {
  llvm::ArrayRef<uint8_t> found;
  auto visit = [](dl_phdr_info *object, size_t, void *result) {
    auto address = reinterpret_cast<uintptr_t>(&getBuildId);
    llvm::ArrayRef segments(object->dlpi_phdr, object->dlpi_phnum);
    if (llvm::none_of(segments, [&](const ElfW(Phdr) & segment) {
          return segment.p_type == PT_LOAD &&
                 address - object->dlpi_addr - segment.p_vaddr <
                     segment.p_memsz;
        }))
      return 0;
    for (const ElfW(Phdr) &segment : segments) {
      if (segment.p_type != PT_NOTE)
        continue;
      auto *note = reinterpret_cast<const uint8_t *>(object->dlpi_addr +
                                                     segment.p_vaddr);
      const uint8_t *end = note + segment.p_memsz;
      while (note + sizeof(ElfW(Nhdr)) <= end) {
        auto *header = reinterpret_cast<const ElfW(Nhdr) *>(note);
        const uint8_t *content =
            note + sizeof(*header) + llvm::alignTo(header->n_namesz, 4);
        if (header->n_type == NT_GNU_BUILD_ID)
          *static_cast<llvm::ArrayRef<uint8_t> *>(result) = {content,
                                                             header->n_descsz};
        note = content + llvm::alignTo(header->n_descsz, 4);
      }
    }
    return 1;
  };
  dl_iterate_phdr(visit, &found);
  return found;
}

namespace {
/// Collects the files beside a model that contain its tensors.
class ExternalNames {
public:
  void visit(const ModelView &model) {
    visit(*model.graph);
    for (const FunctionView &function : model.functions) {
      visit(function.nodes);
      visit(function.attributeDefaults);
    }
  }

  const std::set<StringRef> &get() const { return locations; }

private:
  void visit(const GraphView &graph) {
    visit(graph.initializers);
    visit(graph.sparseInitializers);
    visit(graph.nodes);
  }
  void visit(const NodeView &node) { visit(node.attributes); }
  void visit(const AttributeView &attribute) {
    visit(attribute.tensors);
    visit(attribute.sparseTensors);
    visit(attribute.graphs);
  }
  void visit(const SparseTensorView &tensor) {
    for (const TensorView *part : {tensor.values, tensor.indices})
      if (part)
        visit(*part);
  }
  void visit(const TensorView &tensor) {
    if (tensor.dataLocation == 0)
      return;
    auto location = parseExternalLocation(tensor.externalData);
    if (location)
      locations.insert(location->location);
    else // The compiler will report this error.
      llvm::consumeError(location.takeError());
  }
  template <typename T> void visit(llvm::ArrayRef<T> list) {
    for (const T &item : list)
      visit(item);
  }

  std::set<StringRef> locations;
};
} // namespace

/// The hash of everything that the library of a model depends on.
static llvm::Expected<CacheKey> getKey(StringRef input,
                                       const CompileModelOptions &options) {
  Hasher hasher;
  hasher.add("invar " INVAR_VERSION).add(getBuildId());
  auto targets = CpuTarget::getAll(options.cpu);
  if (!targets)
    return targets.takeError();
  for (const CpuTarget &target : *targets)
    hasher.add(target.triple).add(target.cpu).add(target.features);
  hasher.add(uint64_t(options.winograd))
      .add(uint64_t(options.foldTime))
      .add(uint64_t(options.plansMemory))
      .add(uint64_t(options.compressesWeights))
      .add(uint64_t(options.weightPlace))
      .add(uint64_t(options.refits))
      .add(uint64_t(options.checksKernels))
      .add(uint64_t(options.isPlain))
      .add(uint64_t(options.fixesDefaults))
      .add(uint64_t(options.leavesIndicesUnchecked));
  hasher.add(options.facts.shapes.size()).add(options.facts.ranges.size());
  for (const onnx::ShapeFacts::Shape &shape : options.facts.shapes) {
    hasher.add(shape.input).add(shape.dims.size());
    for (StringRef dim : shape.dims)
      hasher.add(dim);
  }
  for (const onnx::ShapeFacts::Range &range : options.facts.ranges)
    hasher.add(range.name)
        .add(uint64_t(range.bounds.least))
        .add(uint64_t(range.bounds.most));

  auto model = WireModel::open(input);
  if (!model)
    return model.takeError();
  hasher.add(hashContent((*model)->getFile()->getData(), options.threads));
  ExternalNames names;
  names.visit((*model)->getModel());
  ExternalFiles files(input);
  for (StringRef name : names.get()) {
    auto file = files.open(name);
    if (!file)
      return file.takeError();
    hasher.add(name).add(hashContent((*file)->getData(), options.threads));
  }
  Hash128 hash = hasher.finish();
  return CacheKey{hash.low, hash.high};
}

// The libraries in the cache

using File = std::shared_ptr<const MappedFile>;

/// Why a library is not the one that was written under a key; empty if it is. Reads all
/// of it, as getKey() does with the model.
static std::string findDamage(const MappedFile &file, const CacheKey &key,
                              unsigned threads) {
  std::unique_ptr<runtime::Library> library;
  if (auto status = runtime::Library::read(file.getDescriptor(), {}, library))
    return std::string(status.getText());
  if (library->getKey() != key)
    return "expected the library of this model, but got another one";
  runtime::Store::Ref store = library->takeStore();
  const runtime::Store &constants = *store;
  std::mutex lock;
  std::string damage;
  parallelFor(runtime::countBlocks(constants.getSize()), /*grain=*/8, threads,
              [&](uint64_t begin, uint64_t end) {
                uint64_t from = begin * INVAR_CHECKSUM_BLOCK;
                uint64_t to = std::min<uint64_t>(end * INVAR_CHECKSUM_BLOCK,
                                                 constants.getSize());
                if (auto status = constants.verify(from, to - from, nullptr)) {
                  std::scoped_lock guard(lock);
                  damage = status.getText();
                }
              });
  return damage;
}

// LLVM's pruning deletes only files whose names begin like this.
std::string invar::getCachedName(const CacheKey &key) {
  return "llvmcache-" + Hash128{key[0], key[1]}.toString() + ".so";
}

/// Opens a library that is intact, and that no other user can have written to. Otherwise
/// adds a warning, and the model is compiled again.
static File openKept(const PrivateFolder &folder, const CacheKey &key,
                     unsigned threads, std::vector<std::string> &warnings) {
  std::string path = folder.getPath(getCachedName(key));
  auto refuse = [&](const llvm::Twine &why) {
    warnings.push_back((why + "; the model is compiled again").str());
    return nullptr;
  };
  Reason why;
  int descriptor = folder.open(getCachedName(key), why);
  if (descriptor < 0)
    return why.text.empty() ? nullptr : refuse(why.text);
  // Update the access time, in case the file system does not.
  timespec times[] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  (void)futimens(descriptor, times);
  auto file = MappedFile::adopt(descriptor, path);
  if (!file)
    return refuse(describe(file.takeError()).second);
  std::string damage = findDamage(**file, key, threads);
  return damage.empty() ? *file : refuse(path + ": " + damage);
}

static void prune(const PrivateFolder &folder) {
  // LLVM writes this file to record when it has pruned.
  struct stat facts;
  if (lstat(folder.getPath("llvmcache.timestamp").c_str(), &facts) == 0 &&
      !S_ISREG(facts.st_mode))
    return;
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::hours(24);
  policy.Expiration = std::chrono::hours(24 * 30);
  policy.MaxSizePercentageOfAvailableSpace = 10;
  llvm::pruneCache(folder.getPath(), policy);
}

static llvm::Expected<CompiledLibrary>
compileInMemory(StringRef input, const CompileModelOptions &options,
                Progress &progress) {
  llvm::Expected<MemoryFile> library = MemoryFile::create(input);
  if (!library)
    return library.takeError();
  auto result =
      compile(input, library->getPath(), options, progress, llvm::nulls());
  auto file = MappedFile::adopt(library->release(), input);
  if (!result || !file)
    return llvm::joinErrors(result.takeError(), file.takeError());
  return CompiledLibrary{std::move(*file), std::move(*result)};
}

/// Compiles a model into the folder, or into memory if that is not possible.
static llvm::Expected<CompiledLibrary>
compileInto(const PrivateFolder &folder, const CacheKey &key, StringRef input,
            CompileModelOptions options, Progress &progress) {
  PrivateFile made;
  Reason why;
  if (!made.create(folder, why))
    return compileInMemory(input, options, progress);
  options.cacheKey = key;
  std::string place = "/proc/self/fd/" + std::to_string(made.getDescriptor());
  auto result = compile(input, place, options, progress, llvm::nulls());
  if (!result) {
    auto [kind, text] = describe(result.takeError());
    // If the disk is full, memory may suffice.
    if (kind == ErrorKind::OutOfResources)
      return compileInMemory(input, options, progress);
    return llvm::make_error<InvarError>(kind, std::move(text));
  }
  // Use the written file even if another process has created a file of this name
  // meanwhile, and even if the file cannot be kept.
  if (made.commit(getCachedName(key)))
    prune(folder);
  auto file =
      MappedFile::adopt(made.release(), folder.getPath(getCachedName(key)));
  if (!file)
    return file.takeError();
  return CompiledLibrary{std::move(*file), std::move(*result)};
}

llvm::Expected<CompiledLibrary>
invar::openCompiled(StringRef input, const CompileModelOptions &options,
                    StringRef path, Progress &progress) {
  if (path.empty())
    return compileInMemory(input, options, progress);
  progress.begin(("reading " + input).str());
  auto key = getKey(input, options);
  if (!key)
    return key.takeError();
  PrivateFolder folder(path.str());
  Reason why;
  std::vector<std::string> warnings;
  bool canKeep = folder.make(why);
  if (!canKeep &&
      why.error == 0) // Otherwise there is no space here, and memory is used.
    warnings.push_back(why.text + "; the compiled model is not kept");
  if (canKeep)
    if (File kept = openKept(folder, *key, options.threads, warnings))
      return CompiledLibrary{std::move(kept), std::nullopt};
  auto library = canKeep ? compileInto(folder, *key, input, options, progress)
                         : compileInMemory(input, options, progress);
  if (library)
    llvm::append_range(library->compiled->warnings, warnings);
  return library;
}
