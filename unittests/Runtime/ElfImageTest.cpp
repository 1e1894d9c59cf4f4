// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the loader with libraries that the compiler does not write: bad ones made by a
// linker (TestModel.c), and a good one with changed bytes.
#include "runtime/ElfImage.h"
#include "invar-c/Abi.h"
#include "gtest/gtest.h"

#include <cstring>
#include <elf.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <set>
#include <string>

using namespace invar::runtime;

namespace {
/// The bytes of a library, as tables whose entries can be changed.
class Elf {
public:
  explicit Elf(const std::string &name) {
    std::ifstream file(std::string(TEST_LIBRARIES) + "/" + name + ".so",
                       std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    EXPECT_FALSE(bytes.empty());
  }

  template <typename T> T &at(uint64_t offset) {
    EXPECT_LE(offset + sizeof(T), bytes.size());
    return *reinterpret_cast<T *>(bytes.data() + offset);
  }
  Elf64_Ehdr &header() { return at<Elf64_Ehdr>(0); }
  Elf64_Phdr &segment(unsigned number) {
    return at<Elf64_Phdr>(header().e_phoff + number * sizeof(Elf64_Phdr));
  }
  /// Returns the first segment of a type that has all these flags.
  Elf64_Phdr &segment(uint32_t type, uint32_t flags) {
    for (unsigned i = 0; i < header().e_phnum; ++i)
      if (segment(i).p_type == type && (segment(i).p_flags & flags) == flags)
        return segment(i);
    ADD_FAILURE() << "no segment of type " << type;
    return segment(0);
  }
  /// Returns the file offset of an address.
  uint64_t toOffset(uint64_t address) {
    for (unsigned i = 0; i < header().e_phnum; ++i)
      if (segment(i).p_type == PT_LOAD && address >= segment(i).p_vaddr &&
          address < segment(i).p_vaddr + segment(i).p_filesz)
        return address - segment(i).p_vaddr + segment(i).p_offset;
    ADD_FAILURE() << "no address " << address;
    return 0;
  }
  Elf64_Dyn &dynamic(int64_t tag) {
    uint64_t offset = segment(PT_DYNAMIC, 0).p_offset;
    while (at<Elf64_Dyn>(offset).d_tag != tag &&
           at<Elf64_Dyn>(offset).d_tag != DT_NULL)
      offset += sizeof(Elf64_Dyn);
    EXPECT_EQ(at<Elf64_Dyn>(offset).d_tag, tag);
    return at<Elf64_Dyn>(offset);
  }
  Elf64_Rela &relocation() {
    return at<Elf64_Rela>(toOffset(dynamic(DT_RELA).d_un.d_val));
  }
  /// The symbol `invar_module`.
  Elf64_Sym &symbol() {
    uint64_t strings = toOffset(dynamic(DT_STRTAB).d_un.d_val);
    uint64_t offset = toOffset(dynamic(DT_SYMTAB).d_un.d_val);
    while (std::strcmp(bytes.data() + strings + at<Elf64_Sym>(offset).st_name,
                       INVAR_MODULE_SYMBOL) != 0)
      offset += sizeof(Elf64_Sym);
    return at<Elf64_Sym>(offset);
  }

  /// Returns why it does not load; "no module" if the symbol is not found. Reads
  /// everything that the library provides.
  std::string whyNot() const {
    std::unique_ptr<ElfImage> image;
    if (Status status = ElfImage::load(bytes, image))
      return std::string(status.getText());
    const void *table = image->find(INVAR_MODULE_SYMBOL, sizeof(InvarModule));
    return table ? "" : "no module";
  }

  std::vector<char> bytes;
};

/// Returns how the page of an address is mapped, as "r-xp".
std::string getProtection(uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    char protection[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, protection) ==
            3 &&
        begin <= address && address < end)
      return protection;
  }
  return "nothing";
}

std::string whyNot(const std::function<void(Elf &)> &change) {
  Elf elf("Good");
  change(elf);
  return elf.whyNot();
}
} // namespace

TEST(ElfImage, LoadsWhatTheCompilerWrites) {
  Elf elf("Good");
  std::unique_ptr<ElfImage> image, other;
  ASSERT_FALSE(ElfImage::load(elf.bytes, image));
  ASSERT_FALSE(ElfImage::load(elf.bytes, other));
  auto find = [](ElfImage &in) {
    return static_cast<const InvarModule *>(
        in.find(INVAR_MODULE_SYMBOL, sizeof(InvarModule)));
  };
  const InvarModule *module = find(*image);
  ASSERT_TRUE(module);
  EXPECT_EQ(module->abi_version, INVAR_ABI_VERSION);
  EXPECT_TRUE(image->contains(module->kernels, module->num_kernels));
  EXPECT_TRUE(image->containsString(module->kernels->name));
  EXPECT_TRUE(image->containsCode(
      reinterpret_cast<const void *>(module->kernels->run)));
  EXPECT_FALSE(image->containsCode(module));
  // Two images of one file share nothing.
  EXPECT_NE(find(*other), module);
  EXPECT_FALSE(other->contains(module, 1));
  image.reset();
  InvarKernelPlan plan = {};
  int64_t number = 7;
  find(*other)->kernels->plan(&number, &plan);
  EXPECT_EQ(plan.units, 7);
}

TEST(ElfImage, RefusesWhatOtherLibrariesHave) {
  EXPECT_EQ(Elf("Constructor")
                .whyNot()
                .find("library: expected no code that runs when it is loaded"),
            0u)
      << Elf("Constructor").whyNot();
  EXPECT_EQ(Elf("ThreadLocal").whyNot(),
            "library: expected no variables of threads, but got 4 bytes");
  std::string relocations =
      "library: expected relocations of addresses and imports, but got one";
  EXPECT_EQ(Elf("Ifunc").whyNot(),
            "library: expected symbols of data and functions, but got "
            "'chosen' of type 10");
  EXPECT_EQ(Elf("Import").whyNot().find(relocations), 0u);
  EXPECT_EQ(Elf("Foreign").whyNot(), "no module");
}

TEST(ElfImage, RefusesBadHeaders) {
  EXPECT_EQ(whyNot([](Elf &elf) { elf.bytes.clear(); }),
            "library: expected an ELF header, but there is none");
  EXPECT_EQ(whyNot([](Elf &elf) { elf.header().e_machine = EM_ARM; }),
            "expected a library for machine 62, but got one for 40");
  std::string headers =
      "library: expected the headers of a shared library, but they are not "
      "there";
  EXPECT_EQ(whyNot([](Elf &elf) { elf.header().e_type = ET_EXEC; }), headers);
  EXPECT_EQ(whyNot([](Elf &elf) { elf.header().e_phoff = UINT64_MAX; }),
            headers);
  EXPECT_EQ(whyNot([](Elf &elf) { elf.header().e_phnum = 0xffff; }), headers);
  EXPECT_EQ(whyNot([](Elf &elf) { elf.header().e_phnum = 0; }),
            "library: expected a segment, but there is none");
}

TEST(ElfImage, RefusesBadSegments) {
  auto changed = [](uint32_t flags, auto change) {
    return whyNot([&](Elf &elf) { change(elf.segment(PT_LOAD, flags), elf); });
  };
  using Segment = Elf64_Phdr;
  std::string inFile = "library: expected a segment in ";
  EXPECT_EQ(changed(PF_X, [](Segment &s, Elf &) { s.p_offset = 1 << 30; })
                .find(inFile),
            0u);
  EXPECT_EQ(
      changed(PF_X, [](Segment &s, Elf &) { s.p_offset = -8; }).find(inFile),
      0u);
  EXPECT_EQ(
      changed(PF_X, [](Segment &s, Elf &) { s.p_filesz = -8; }).find(inFile),
      0u);
  std::string most = "library: expected a segment of at most 1073741824 bytes";
  EXPECT_EQ(changed(PF_X, [](Segment &s, Elf &) { s.p_memsz = -8; }).find(most),
            0u);
  EXPECT_EQ(changed(PF_X, [](Segment &s, Elf &) { s.p_memsz = 1; }).find(most),
            0u);
  EXPECT_EQ(
      changed(PF_X, [](Segment &s, Elf &) { s.p_vaddr = -4096; }).find(most),
      0u);
  EXPECT_EQ(changed(PF_X, [](Segment &s, Elf &) { s.p_vaddr = 0; })
                .find("library: expected a segment from "),
            0u);
  EXPECT_EQ(changed(PF_X, [](Segment &s, Elf &) { s.p_align = 3; })
                .find("library: expected a segment aligned to at most"),
            0u);
  std::string flags = "library: expected a segment that is readable, and not "
                      "writable and executable, but got flags ";
  EXPECT_EQ(changed(PF_X, [](Segment &s, Elf &) { s.p_flags |= PF_W; }),
            flags + "7");
  EXPECT_EQ(changed(PF_X, [](Segment &s, Elf &) { s.p_flags = PF_X; }),
            flags + "1");
  EXPECT_EQ(
      whyNot([](Elf &elf) { elf.segment(PT_GNU_STACK, 0).p_flags |= PF_X; }),
      "library: expected a stack that is not executable");
  EXPECT_EQ(
      whyNot([](Elf &elf) { elf.segment(PT_GNU_STACK, 0).p_type = PT_NULL; }),
      "library: expected a stack that is not executable, but got a library "
      "that does not say so");
  EXPECT_EQ(whyNot([](Elf &elf) {
              elf.segment(PT_GNU_STACK, 0) = elf.segment(PT_DYNAMIC, 0);
            }),
            "library: expected one dynamic table, but got two");
  EXPECT_EQ(
      whyNot([](Elf &elf) { elf.segment(PT_GNU_STACK, 0).p_type = PT_INTERP; }),
      "library: expected no segment of type 3");
}

TEST(ElfImage, RefusesBadDynamicTables) {
  EXPECT_EQ(
      whyNot([](Elf &elf) { elf.segment(PT_DYNAMIC, 0).p_type = PT_NULL; }),
      "library: expected a dynamic table, but it is not there");
  EXPECT_EQ(
      whyNot([](Elf &elf) { elf.segment(PT_DYNAMIC, 0).p_vaddr = 1 << 29; }),
      "library: expected a dynamic table, but it is not there");
  EXPECT_EQ(whyNot([](Elf &elf) { elf.segment(PT_DYNAMIC, 0).p_memsz = 40; }),
            "library: expected an end of the dynamic table, but there is none");
  // Replace the entry DT_RELACOUNT, which is not needed.
  auto other = [](int64_t tag, uint64_t value) {
    return whyNot([&](Elf &elf) {
      Elf64_Dyn &entry = elf.dynamic(DT_RELACOUNT);
      entry.d_tag = tag;
      entry.d_un.d_val = value;
    });
  };
  for (int64_t tag :
       {DT_INIT, DT_FINI, DT_INIT_ARRAY, DT_FINI_ARRAY, DT_PREINIT_ARRAY})
    EXPECT_EQ(other(tag, 8),
              "library: expected no code that runs when it is loaded or "
              "unloaded, but got dynamic entry " +
                  std::to_string(tag));
  EXPECT_EQ(other(DT_TEXTREL, 0), "library: expected no relocations of code");
  std::string flags =
      "library: expected no flags that need more than relocations, but got ";
  EXPECT_EQ(other(DT_FLAGS, DF_TEXTREL), flags + "4");
  EXPECT_EQ(other(DT_FLAGS, DF_STATIC_TLS), flags + "16");
  EXPECT_EQ(other(DT_FLAGS_1, DF_1_PIE), flags + "134217728");
  EXPECT_EQ(other(DT_RUNPATH, 1), "library: expected no dynamic entry 29");
  EXPECT_EQ(other(DT_REL, 1), "library: expected no dynamic entry 17");
  EXPECT_EQ(other(DT_RELAENT, 25),
            "library: expected 24 for dynamic entry 9, but got 25");
  EXPECT_EQ(other(DT_NEEDED, 1),
            "library: expected no other library that is needed: compile the "
            "model again");
  std::string strings =
      "library: expected a table of strings, but it is not there";
  for (uint64_t value : {uint64_t(0), uint64_t(1) << 40, UINT64_MAX})
    EXPECT_EQ(
        whyNot([&](Elf &elf) { elf.dynamic(DT_STRSZ).d_un.d_val = value; }),
        strings);
  EXPECT_EQ(whyNot([](Elf &elf) {
              elf.dynamic(DT_HASH).d_un.d_val = UINT64_MAX - 2;
            }),
            "library: expected a hash table of symbols, but it is not there");
  EXPECT_EQ(whyNot([](Elf &elf) {
              uint64_t hash = elf.toOffset(elf.dynamic(DT_HASH).d_un.d_val);
              elf.at<uint32_t>(hash + 4) = UINT32_MAX;
            }),
            "library: expected a table of 4294967295 symbols, but it is not "
            "there");
}

TEST(ElfImage, RefusesBadRelocations) {
  auto changed = [](auto change) {
    return whyNot([&](Elf &elf) { change(elf.relocation(), elf); });
  };
  EXPECT_EQ(changed([](Elf64_Rela &r, Elf &elf) {
              r.r_offset = elf.segment(PT_LOAD, PF_X).p_vaddr;
            }).find("library: expected relocations in what is writable"),
            0u);
  EXPECT_EQ(changed([](Elf64_Rela &r, Elf &) {
              r.r_offset = UINT64_MAX - 3;
            }).find("library: expected relocations in what is writable"),
            0u);
  EXPECT_EQ(
      changed([](Elf64_Rela &r, Elf &) { r.r_addend = int64_t(1) << 40; }),
      "library: expected an address in the library, but got "
      "1099511627776");
  for (uint64_t type : {R_X86_64_IRELATIVE, R_X86_64_64, R_X86_64_COPY,
                        R_X86_64_DTPMOD64, R_X86_64_32})
    EXPECT_EQ(
        changed(
            [&](Elf64_Rela &r, Elf &) { r.r_info = ELF64_R_INFO(0, type); }),
        "library: expected relocations of addresses and imports, but got one "
        "of type " +
            std::to_string(type));
  EXPECT_EQ(changed([](Elf64_Rela &r, Elf &) {
              r = {r.r_offset, ELF64_R_INFO(9999, R_X86_64_GLOB_DAT), 0};
            }).find("library: expected a symbol below "),
            0u);
  EXPECT_EQ(changed([](Elf64_Rela &r, Elf &) {
              r = {r.r_offset, ELF64_R_INFO(1, R_X86_64_GLOB_DAT), 0};
            }),
            "library: expected an import, but got symbol 'invar_module', "
            "which is not one");
  EXPECT_EQ(changed([](Elf64_Rela &r, Elf &elf) {
              elf.symbol().st_shndx = SHN_UNDEF;
              r = {r.r_offset, ELF64_R_INFO(1, R_X86_64_GLOB_DAT), 0};
            }),
            "library: expected a function that libraries may call, but got "
            "'invar_module'");
  EXPECT_EQ(whyNot([](Elf &elf) {
              elf.dynamic(DT_RELASZ).d_un.d_val = 25;
            }).find("library: expected a table of relocations, but got 25"),
            0u);
}

TEST(ElfImage, RefusesBadSymbols) {
  std::string outside =
      "library: expected a symbol in the library, but got 'invar_module' at ";
  EXPECT_EQ(whyNot([](Elf &elf) { elf.symbol().st_value = 1 << 29; }),
            outside + "536870912");
  EXPECT_EQ(whyNot([](Elf &elf) {
              elf.symbol().st_value = UINT64_MAX;
            }).find(outside),
            0u);
  EXPECT_EQ(
      whyNot([](Elf &elf) { elf.symbol().st_size = UINT64_MAX; }).find(outside),
      0u);
  for (unsigned type : {STT_GNU_IFUNC, STT_TLS, STT_SECTION})
    EXPECT_EQ(whyNot([&](Elf &elf) { elf.symbol().st_info = char(type); }),
              "library: expected symbols of data and functions, but got "
              "'invar_module' of type " +
                  std::to_string(type));
  EXPECT_EQ(whyNot([](Elf &elf) {
              elf.symbol().st_name = UINT32_MAX;
            }).find("library: expected a symbol with a name, but got offset "),
            0u);
}

TEST(ElfImage, FindsOnlyWhatIsThere) {
  EXPECT_EQ(whyNot([](Elf &elf) { elf.symbol().st_value += 1; }), "no module");
  EXPECT_EQ(whyNot([](Elf &elf) { elf.symbol().st_info = STT_FUNC; }),
            "no module");
  EXPECT_EQ(whyNot([](Elf &elf) { elf.symbol().st_name = 0; }), "no module");
}

TEST(ElfImage, ReadsWithoutExecuting) {
  Elf elf("Good");
  std::unique_ptr<ElfImage> image;
  ASSERT_FALSE(ElfImage::read(elf.bytes, image));
  auto *module = static_cast<const InvarModule *>(
      image->find(INVAR_MODULE_SYMBOL, sizeof(InvarModule)));
  ASSERT_TRUE(module);
  auto code = reinterpret_cast<uintptr_t>(module->kernels->run);
  EXPECT_EQ(getProtection(code), "r--p");
  EXPECT_EQ(getProtection(reinterpret_cast<uintptr_t>(module)), "r--p");
  ASSERT_FALSE(image->makeExecutable());
  EXPECT_EQ(getProtection(code), "r-xp");
  EXPECT_EQ(getProtection(reinterpret_cast<uintptr_t>(module)), "r--p");
}

TEST(ElfImage, ReadsWhatIsForAnotherProcessor) {
  constexpr bool isX86 =
#if defined(__x86_64__)
      true;
#else
      false;
#endif
  Elf elf("Good");
  elf.header().e_machine = isX86 ? EM_AARCH64 : EM_X86_64;
  uint64_t table = elf.toOffset(elf.dynamic(DT_RELA).d_un.d_val);
  uint64_t size = elf.dynamic(DT_RELASZ).d_un.d_val;
  for (uint64_t at = 0; at < size; at += sizeof(Elf64_Rela))
    elf.at<Elf64_Rela>(table + at).r_info =
        ELF64_R_INFO(0, isX86 ? R_AARCH64_RELATIVE : R_X86_64_RELATIVE);
  std::unique_ptr<ElfImage> image;
  ASSERT_FALSE(ElfImage::read(elf.bytes, image));
  auto *module = static_cast<const InvarModule *>(
      image->find(INVAR_MODULE_SYMBOL, sizeof(InvarModule)));
  ASSERT_TRUE(module);
  EXPECT_STREQ(module->compiler, "test");
  Status status = image->makeExecutable();
  EXPECT_EQ(status.getCode(), INVAR_BAD_PROCESSOR);
  EXPECT_EQ(getProtection(reinterpret_cast<uintptr_t>(module->kernels->run)),
            "r--p");
}

TEST(ElfImage, SurvivesAnyBytes) {
  Elf good("Good");
  for (size_t size = 0; size < good.bytes.size(); size += 61) {
    Elf cut = good;
    cut.bytes.resize(size);
    // The cut part may be sections, which are not needed.
    (void)cut.whyNot();
  }
  std::mt19937 random(1);
  std::set<std::string> reasons;
  for (int round = 0; round < 3000; ++round) {
    Elf bad = good;
    // Mostly in tables, which are at the beginning; code is not checked.
    for (int i = 0; i < 1 + round % 3; ++i)
      bad.bytes[random() % std::min<size_t>(bad.bytes.size(), 1500)] ^=
          char(1 << random() % 8);
    reasons.insert(bad.whyNot());
  }
  EXPECT_GT(reasons.size(), 20u);
}
