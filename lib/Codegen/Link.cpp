// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Codegen/Link.h"

#include "EmitObject.h"
#include "invar-c/Abi.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "invar/Support/MemoryFile.h"
#include "lld/Common/Driver.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace invar;

//===----------------------------------------------------------------------===//
// Objects besides those of kernels
//===----------------------------------------------------------------------===//

namespace {
/// The object that contains the table `invar_module`, as IR.
class ModuleTable {
public:
  ModuleTable() : module("invar_module", context), builder(context) {}

  Module &make(ArrayRef<KernelVariant> variants,
               const ModuleDescription &description);

private:
  Constant *makeKernel(const Twine &symbol, StringRef name);
  Constant *makeKernels(ArrayRef<KernelObject> kernels);
  Constant *makeChecks(ArrayRef<KernelObject> kernels);
  Constant *makeTable(ArrayRef<Constant *> entries, const Twine &name);
  Constant *makeString(StringRef text) {
    return builder.CreateGlobalString(text, "", 0, &module);
  }
  Constant *makeFunction(const Twine &name) {
    auto *function =
        Function::Create(FunctionType::get(builder.getVoidTy(), false),
                         GlobalValue::ExternalLinkage, name, module);
    function->setVisibility(GlobalValue::HiddenVisibility);
    return function;
  }
  Constant *makeGlobal(Constant *value, const Twine &name,
                       GlobalValue::LinkageTypes linkage) {
    return new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                              linkage, value, name);
  }

  LLVMContext context;
  Module module;
  IRBuilder<> builder;
};
} // namespace

Constant *ModuleTable::makeKernel(const Twine &symbol, StringRef name) {
  return ConstantStruct::getAnon({makeFunction(symbol + ".run"),
                                  makeFunction(symbol + ".plan"),
                                  makeString(name)});
}

/// A table of entries of one type; a null pointer if there are none.
Constant *ModuleTable::makeTable(ArrayRef<Constant *> entries,
                                 const Twine &name) {
  if (entries.empty())
    return ConstantPointerNull::get(builder.getPtrTy());
  auto *type = ArrayType::get(entries.front()->getType(), entries.size());
  return makeGlobal(ConstantArray::get(type, entries), name,
                    GlobalValue::InternalLinkage);
}

Constant *ModuleTable::makeKernels(ArrayRef<KernelObject> kernels) {
  SmallVector<Constant *> entries;
  for (const KernelObject &kernel : kernels)
    entries.push_back(makeKernel(kernel.symbol, kernel.name));
  return makeTable(entries, "kernels");
}

Constant *ModuleTable::makeChecks(ArrayRef<KernelObject> kernels) {
  SmallVector<Constant *> entries;
  for (const KernelObject &kernel : kernels)
    if (!kernel.meaning.empty())
      entries.push_back(ConstantStruct::getAnon(
          {makeKernel(kernel.symbol + meaningSuffix, kernel.name),
           makeString(kernel.emitter), builder.getInt32(kernel.numResults),
           builder.getInt32(kernel.isExact)}));
  return makeTable(entries, "checks");
}

Module &ModuleTable::make(ArrayRef<KernelVariant> variants,
                          const ModuleDescription &description) {
  Constant *program =
      makeGlobal(ConstantDataArray::get(context, description.program),
                 "program", GlobalValue::InternalLinkage);
  Constant *compiler = makeString(description.compiler);
  Constant *next = ConstantPointerNull::get(builder.getPtrTy());
  for (const KernelVariant &variant : reverse(variants)) {
    bool isFirst = &variant == &variants.front();
    next = makeGlobal(
        ConstantStruct::getAnon({builder.getInt32(INVAR_ABI_VERSION),
                                 builder.getInt32(variant.kernels.size()),
                                 makeKernels(variant.kernels), program,
                                 builder.getInt64(description.program.size()),
                                 compiler, makeString(variant.target.required),
                                 next, makeChecks(variant.kernels)}),
        isFirst ? INVAR_MODULE_SYMBOL : "next",
        isFirst ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
  }
  return module;
}

/// The functions that code may call.
static constexpr StringLiteral libraryFunctions[] = {
#define INVAR_LIBRARY_FUNCTION(NAME) #NAME,
#include "invar-c/LibraryFunctions.def"
};

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

namespace {
/// Receives the linker's output without a file on disk. The linker accepts only file
/// names, and replaces a regular file, but writes to a pipe. A thread reads the other end
/// of the pipe.
class LinkerOutput {
public:
  ~LinkerOutput() { finish(); }

  Error open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return systemError("library", "link", errno);
    read = ends[0];
    write = ends[1];
    auto run = [](void *self) -> void * {
      static_cast<LinkerOutput *>(self)->gather();
      return nullptr;
    };
    if (int code = pthread_create(&reader, nullptr, run, this)) {
      close(read);
      close(write);
      return systemError("library", "link", code);
    }
    isReading = true;
    return Error::success();
  }
  std::string getPath() const {
    return "/proc/self/fd/" + std::to_string(write);
  }
  /// Returns the whole output.
  Expected<SmallString<0>> take() {
    finish();
    if (failure)
      return systemError("library", "link", failure);
    return std::move(bytes);
  }

private:
  void gather() {
    char piece[1 << 16];
    // A read that fails takes nothing out of the pipe. If this thread stopped reading,
    // the writer would be killed.
    constexpr int mostFailures = 100;
    for (int failures = 0; failures < mostFailures;) {
      ssize_t size = ::read(read, piece, sizeof(piece));
      if (size == 0)
        break;
      if (size > 0)
        bytes.append(piece, piece + size);
      else if (errno != EINTR && ++failures == mostFailures)
        failure = errno;
    }
    close(read);
  }
  void finish() {
    if (!isReading)
      return;
    close(write);
    pthread_join(reader, nullptr);
    isReading = false;
  }

  int read = -1, write = -1;
  // Not std::thread, which ends the process if no thread can be created.
  pthread_t reader = {};
  bool isReading = false;
  int failure = 0;
  SmallString<0> bytes;
};
} // namespace

static Expected<SmallString<0>> runLinker(ArrayRef<std::string> arguments) {
  LinkerOutput output;
  if (Error error = output.open())
    return error;
  std::string path = output.getPath();
  SmallVector<const char *> command = {"ld.lld", "-shared", "--threads=1", "-o",
                                       path.c_str()};
  for (const std::string &argument : arguments)
    command.push_back(argument.c_str());
  std::string messages;
  raw_string_ostream stream(messages);
  // The linker keeps its state in global variables.
  static std::mutex mutex;
  std::scoped_lock lock(mutex);
  lld::Result result =
      lld::lldMain(command, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode)
    return badInput("cannot link the kernels: " + StringRef(messages).trim());
  return output.take();
}

/// Checks that a library calls only functions that its loader provides.
static Error checkImports(StringRef library) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(library, "library"));
  if (!file)
    return file.takeError();
  auto *elf = cast<object::ELFObjectFileBase>(file->get());
  for (object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    Expected<uint32_t> flags = symbol.getFlags();
    Expected<StringRef> name = symbol.getName();
    if (!flags || !name)
      return joinErrors(flags.takeError(), name.takeError());
    if ((*flags & object::SymbolRef::SF_Undefined) && !name->empty() &&
        !is_contained(libraryFunctions, *name))
      return badInput("cannot link the kernels: expected functions that the "
                      "runtime has, but got '" +
                      *name + "'");
  }
  return Error::success();
}

/// Puts all objects into one file: a process may open fewer files than a model has
/// kernels.
static Expected<MemoryFile>
archiveObjects(ArrayRef<std::pair<std::string, StringRef>> objects) {
  std::vector<NewArchiveMember> members;
  for (const auto &[name, bytes] : objects)
    members.emplace_back(MemoryBufferRef(bytes, name));
  auto archive = writeArchiveToBuffer(members, SymtabWritingMode::NoSymtab,
                                      object::Archive::K_GNU,
                                      /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  return MemoryFile::create("kernels.a", (*archive)->getBuffer());
}

Expected<std::unique_ptr<MemoryBuffer>>
invar::linkModule(ArrayRef<KernelVariant> variants,
                  const ModuleDescription &description) {
  // Code that is not a kernel must run on all processors, so it needs the least demanding
  // target.
  const CpuTarget &target = variants.back().target;
  ModuleTable table;
  // The linker ends the process if an object is empty.
  std::optional<SmallString<0>> tableBytes =
      ObjectWriter(target).write(table.make(variants, description));
  if (!tableBytes)
    return outOfResources(StopScope::get()->explain());
  std::vector<std::pair<std::string, StringRef>> objects = {
      {"table.o", *tableBytes}};
  for (const KernelVariant &variant : variants)
    for (const KernelObject &kernel : variant.kernels) {
      objects.emplace_back(kernel.symbol + ".o", kernel.bytes);
      if (!kernel.meaning.empty())
        objects.emplace_back((kernel.symbol + meaningSuffix + ".o").str(),
                             kernel.meaning);
    }
  Expected<MemoryFile> archive = archiveObjects(objects);
  if (!archive)
    return archive.takeError();
  // The old kind of hash table stores the number of symbols, which the runtime's loader
  // reads.
  Expected<SmallString<0>> library =
      runLinker({"--hash-style=sysv", "--whole-archive", archive->getPath()});
  if (!library)
    return library.takeError();
  if (Error error = checkImports(*library))
    return error;
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(*library), /*RequiresNullTerminator=*/false);
}
