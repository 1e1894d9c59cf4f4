// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Library.h"

#include "CpuFeatures.h"

#include <algorithm>

using namespace invar::runtime;

static Status checkVersion(const InvarModule &module) {
  return module.abi_version == INVAR_ABI_VERSION
             ? Status::success()
             : fail(INVAR_BAD_MODEL, "expected a model compiled for version ",
                    INVAR_ABI_VERSION,
                    " of the runtime's interface, but got version ",
                    module.abi_version);
}

static Status checkModule(const InvarModule &module) {
  if (Status status = checkVersion(module))
    return status;
  return checkCpuFeatures(module.features ? module.features : "");
}

Status invar::runtime::chooseModule(const InvarModule *&module) {
  Status status = checkModule(*module);
  while (status && module->abi_version == INVAR_ABI_VERSION && module->next) {
    module = module->next;
    status = checkModule(*module);
  }
  return status;
}

/// Whether all pointers of a module point into its library.
static bool isWhole(const InvarModule &module, const ElfImage &image) {
  auto isString = [&](const char *text) {
    return !text || image.containsString(text);
  };
  // The pointer of an empty table is not checked.
  auto contains = [&](const auto *table, uint64_t count) {
    return !count || image.contains(table, count);
  };
  uint32_t numChecks = module.checks ? module.num_kernels : 0;
  if (!contains(module.kernels, module.num_kernels) ||
      !contains(module.checks, numChecks) ||
      !contains(module.program, module.program_words) ||
      !isString(module.compiler) || !isString(module.features))
    return false;
  auto isKernel = [&](const InvarKernel &kernel) {
    return image.containsCode(reinterpret_cast<const void *>(kernel.run)) &&
           image.containsCode(reinterpret_cast<const void *>(kernel.plan)) &&
           image.containsString(kernel.name);
  };
  return std::ranges::all_of(std::span(module.kernels, module.num_kernels),
                             isKernel) &&
         std::ranges::all_of(std::span(module.checks, numChecks),
                             [&](const InvarKernelCheck &check) {
                               return isKernel(check.meaning) &&
                                      image.containsString(check.emitter);
                             });
}

Status Library::findModule() {
  module = static_cast<const InvarModule *>(
      image->find(INVAR_MODULE_SYMBOL, sizeof(InvarModule)));
  if (!module)
    return fail(INVAR_BAD_MODEL, "expected a symbol '", INVAR_MODULE_SYMBOL,
                "', but there is none");
  // More modules than there are kinds of processors.
  constexpr int mostModules = 64;
  int count = 0;
  for (const InvarModule *each = module; each; each = each->next) {
    if (Status status = checkVersion(*each))
      return status;
    if (++count > mostModules || !isWhole(*each, *image) ||
        (each->next && !image->contains(each->next, 1)))
      return fail(INVAR_BAD_MODEL,
                  "expected tables that lie in the library, but they do not");
  }
  return Status::success();
}

Status Library::read(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library) {
  LibraryFile file;
  if (Status status = LibraryFile::open(descriptor, around, file))
    return status;
  std::unique_ptr<Library> made(new Library);
  if (Status status = ElfImage::read(file.getHead(), made->image))
    return status;
  if (Status status = made->findModule())
    return status;
  made->key = file.key;
  made->constantsFile = std::move(file.constantsFile);
  made->store = std::move(file.constants);
  library = std::move(made);
  return Status::success();
}

Status Library::open(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library) {
  std::unique_ptr<Library> made;
  if (Status status = read(descriptor, around, made))
    return status;
  if (Status status = made->image->makeExecutable())
    return status;
  if (Status status = chooseModule(made->module))
    return status;
  library = std::move(made);
  return Status::success();
}
