// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Library.h"

#include "CpuFeatures.h"

#include <algorithm>

using namespace invar::runtime;

static Status checkModule(const InvarModule &module) {
  if (module.abi_version != INVAR_ABI_VERSION)
    return fail(INVAR_BAD_MODEL, "expected a model compiled for version ",
                INVAR_ABI_VERSION,
                " of the runtime's interface, but got version ",
                module.abi_version);
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

/// Whether all that a module points to lies in its library.
static bool isWhole(const InvarModule &module, const ElfImage &image) {
  auto isString = [&](const char *text) {
    return !text || image.containsString(text);
  };
  // A table without entries may be nowhere.
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
  // More than there are kinds of processors.
  constexpr int mostModules = 64;
  const InvarModule *each = module;
  for (int i = 0; each && each->abi_version == INVAR_ABI_VERSION;
       each = each->next)
    if (++i > mostModules || !isWhole(*each, *image) ||
        (each->next && !image->contains(each->next, 1)))
      return fail(INVAR_BAD_MODEL,
                  "expected tables that lie in the library, but they do not");
  return chooseModule(module);
}

Status Library::open(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library) {
  LibraryFile file;
  if (Status status = LibraryFile::open(descriptor, around, file))
    return status;
  std::unique_ptr<Library> made(new Library);
  if (Status status = ElfImage::load(file.getHead(), made->image))
    return status;
  if (Status status = made->findModule())
    return status;
  made->constantsFile = std::move(file.constantsFile);
  made->store = std::move(file.constants);
  library = std::move(made);
  return Status::success();
}
