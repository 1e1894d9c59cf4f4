// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Codegen/Link.h"

#include "EmitObject.h"
#include "invar-c/Abi.h"
#include "invar/Support/Error.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace invar;

//===----------------------------------------------------------------------===//
// Objects besides those of kernels
//===----------------------------------------------------------------------===//

namespace {
/// The object that has the table `invar_module`, as IR.
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

/// A table of entries of one type; a null pointer where there are none.
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

/// What code may call. A library of these names stands in for the C library, which need not
/// be installed for linking.
static constexpr StringLiteral libraryFunctions[] = {
#define INVAR_LIBRARY_FUNCTION(NAME) #NAME,
#include "invar-c/LibraryFunctions.def"
};

static SmallString<0> makeLibraryStub(const CpuTarget &target,
                                      TargetMachine &machine) {
  LLVMContext context;
  Module module("libm", context);
  IRBuilder<> builder(context);
  for (StringRef name : libraryFunctions) {
    auto *function =
        Function::Create(FunctionType::get(builder.getVoidTy(), false),
                         GlobalValue::ExternalLinkage, name, module);
    builder.SetInsertPoint(BasicBlock::Create(context, "", function));
    builder.CreateRetVoid();
  }
  return emitObject(module, target, machine);
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

namespace {
/// A folder of our own for what lld reads and writes: it takes names of files only.
class LinkFolder {
public:
  Error create() {
    if (std::error_code code =
            sys::fs::createUniqueDirectory("invar-link", path))
      return systemError(path, "create a temporary folder", code.value());
    return Error::success();
  }
  ~LinkFolder() {
    if (!path.empty())
      sys::fs::remove_directories(path);
  }

  std::string getFile(const Twine &name) const {
    return (path + "/" + name).str();
  }

  Error write(const std::string &file, StringRef bytes) const {
    std::error_code code;
    raw_fd_ostream stream(file, code);
    if (!code) {
      stream << bytes;
      stream.close();
      code = stream.error();
      stream.clear_error();
    }
    return code ? systemError(file, "write", code.value()) : Error::success();
  }

private:
  SmallString<128> path;
};
} // namespace

static Error runLinker(ArrayRef<std::string> arguments) {
  SmallVector<const char *> command = {"ld.lld", "-shared", "--threads=1"};
  for (const std::string &argument : arguments)
    command.push_back(argument.c_str());
  std::string messages;
  raw_string_ostream stream(messages);
  // The linker keeps its state in variables of the process.
  static std::mutex mutex;
  std::scoped_lock lock(mutex);
  lld::Result result =
      lld::lldMain(command, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode)
    return badInput("cannot link the kernels: " + StringRef(messages).trim());
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>>
invar::linkModule(ArrayRef<KernelVariant> variants,
                  const ModuleDescription &description) {
  // What is no kernel must run everywhere.
  const CpuTarget &target = variants.back().target;
  LinkFolder folder;
  if (Error error = folder.create())
    return error;
  std::unique_ptr<TargetMachine> machine = makeMachine(target);

  std::string stub = folder.getFile("libm.o"), libm = folder.getFile("libm.so");
  if (Error error = folder.write(stub, makeLibraryStub(target, *machine)))
    return error;
  if (Error error = runLinker({"-soname=libm.so.6", "-o", libm, stub}))
    return error;

  std::string library = folder.getFile("module.so");
  // The old kind of hash table says how many symbols there are, and its loader is ours.
  std::vector<std::string> arguments = {
      "-o", library, "--no-undefined", "--as-needed", "--hash-style=sysv",
      libm};
  auto add = [&](const Twine &name, StringRef bytes) {
    arguments.push_back(folder.getFile(name));
    return folder.write(arguments.back(), bytes);
  };
  ModuleTable table;
  if (Error error = add("table.o", emitObject(table.make(variants, description),
                                              target, *machine)))
    return error;
  for (const KernelVariant &variant : variants)
    for (const KernelObject &kernel : variant.kernels) {
      if (Error error = add(kernel.symbol + ".o", kernel.bytes))
        return error;
      if (kernel.meaning.empty())
        continue;
      if (Error error =
              add(kernel.symbol + meaningSuffix + ".o", kernel.meaning))
        return error;
    }
  if (Error error = runLinker(arguments))
    return error;
  auto bytes = MemoryBuffer::getFile(library, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!bytes)
    return systemError(library, "read", bytes.getError().value());
  return std::move(*bytes);
}
