// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Pipelines/CompileCache.h"

#include "../../runtime/Checksum.h"
#include "../../runtime/LibraryFile.h"
#include "invar/Codegen/Target.h"
#include "invar/Frontend/Wire/ExternalData.h"
#include "invar/Frontend/Wire/WireModel.h"
#include "invar/Support/Error.h"
#include "invar/Support/Hash.h"
#include "invar/Support/MemoryFile.h"
#include "invar/Support/Parallel.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <elf.h>
#include <fcntl.h>
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

// What a library depends on

/// The build id of what this code was linked into, by which no two builds are alike.
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
/// Collects the files beside a model that its tensors lie in.
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
    else // The compiler will say what is wrong.
      llvm::consumeError(location.takeError());
  }
  template <typename T> void visit(llvm::ArrayRef<T> list) {
    for (const T &item : list)
      visit(item);
  }

  std::set<StringRef> locations;
};
} // namespace

/// The hash of all that the library of a model depends on.
static llvm::Expected<Hash128> getKey(StringRef input,
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
      .add(uint64_t(options.fixesDefaults));
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
  return hasher.finish();
}

// Where libraries are

using File = std::shared_ptr<const MappedFile>;

/// Why a library is not what was written; empty where it is. Reads all of it, as getKey()
/// does with the model.
static std::string findDamage(const MappedFile &file, unsigned threads) {
  runtime::LibraryFile library;
  if (auto status =
          runtime::LibraryFile::open(file.getDescriptor(), {}, library))
    return std::string(status.getText());
  const runtime::Store &constants = *library.constants;
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

/// A library that is whole. Of one that is damaged a warning says so, and another one is
/// made.
static File openKept(const std::string &path, unsigned threads,
                     std::vector<std::string> &warnings) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return nullptr;
  // That it was looked at, also where the file system does not note it by itself.
  timespec times[] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  (void)futimens(descriptor, times);
  auto file = MappedFile::adopt(descriptor, path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return nullptr;
  }
  std::string damage = findDamage(**file, threads);
  if (damage.empty())
    return *file;
  warnings.push_back(path + ": " + damage + "; the model is compiled again");
  return nullptr;
}

/// Whether files can be made in the folder, which is made if need be.
static bool canKeep(const std::string &folder) {
  return !llvm::sys::fs::create_directories(folder, true,
                                            llvm::sys::fs::owner_all) &&
         access(folder.c_str(), W_OK) == 0;
}

static void prune(StringRef folder) {
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::hours(24);
  policy.Expiration = std::chrono::hours(24 * 30);
  policy.MaxSizePercentageOfAvailableSpace = 10;
  llvm::pruneCache(folder, policy);
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

/// Compiles a model into the folder, or into memory where that cannot be.
static llvm::Expected<CompiledLibrary>
compileTo(const std::string &path, StringRef input,
          const CompileModelOptions &options, Progress &progress) {
  std::string folder = llvm::sys::path::parent_path(path).str();
  if (!canKeep(folder))
    return compileInMemory(input, options, progress);
  auto result = compile(input, path, options, progress, llvm::nulls());
  if (!result) {
    auto [kind, text] = describe(result.takeError());
    if (kind == ErrorKind::OutOfResources) // A full disk; memory may do.
      return compileInMemory(input, options, progress);
    return llvm::make_error<InvarError>(kind, std::move(text));
  }
  prune(folder);
  // Another program may have pruned it by now.
  if (File kept = openKept(path, options.threads, result->warnings))
    return CompiledLibrary{std::move(kept), std::move(*result)};
  return compileInMemory(input, options, progress);
}

llvm::Expected<CompiledLibrary>
invar::openCompiled(StringRef input, const CompileModelOptions &options,
                    StringRef folder, Progress &progress) {
  if (folder.empty())
    return compileInMemory(input, options, progress);
  progress.begin(("reading " + input).str());
  auto key = getKey(input, options);
  if (!key)
    return key.takeError();
  // Of a folder that is not what it should be, LLVM's pruning deletes nothing but files
  // whose names begin like this.
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "llvmcache-" + key->toString() + ".so");
  std::vector<std::string> warnings;
  if (File kept = openKept(path.str().str(), options.threads, warnings))
    return CompiledLibrary{std::move(kept), std::nullopt};
  auto library = compileTo(path.str().str(), input, options, progress);
  if (library && library->compiled)
    llvm::append_range(library->compiled->warnings, warnings);
  return library;
}
