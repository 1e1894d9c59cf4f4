// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiled model as a file: the library is opened as the system opens any, and the
// constants behind it are mapped, so that processes share them and pages that no kernel
// reads are never brought in.
//
// A file is looked at before the system's loader sees it, because that one crashes on a
// library that was cut short; and no code of it runs before its version and processor have
// been checked. It is opened by its descriptor and not by its name: the loader would
// return the library that it already has under a name, also when there is a new file.
#ifndef INVAR_RUNTIME_LIBRARY_H
#define INVAR_RUNTIME_LIBRARY_H

#include "Status.h"
#include "invar-c/Abi.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace invar::runtime {

/// The bytes of constants, which outputs may keep longer than a session lives.
class Store {
public:
  /// Of bytes that are somebody else's.
  Store(const char *data, size_t size) : data(data), size(size) {}
  /// Of a mapping, which is undone in the end.
  static Store *map(int descriptor, uint64_t offset, size_t size);
  /// Of zeros, which may be written; null where there are not so many addresses.
  static Store *make(size_t size);

  const char *getData() const { return data; }
  size_t getSize() const { return size; }
  /// States that a part will not be read soon: pages of a file need not stay in memory.
  /// Nothing changes but time.
  void dropPages(uint64_t offset, uint64_t size) const;

  void retain() { references.fetch_add(1, std::memory_order_relaxed); }
  static void release(void *store);

  /// A reference, or none.
  class Ref {
  public:
    Ref() = default;
    /// Takes over the caller's.
    explicit Ref(Store *store) : store(store) {}
    Ref(const Ref &other) : store(other.store) {
      if (store)
        store->retain();
    }
    Ref(Ref &&other) noexcept : store(std::exchange(other.store, nullptr)) {}
    Ref &operator=(Ref other) {
      std::swap(store, other.store);
      return *this;
    }
    ~Ref() {
      if (store)
        release(store);
    }

    Store *get() const { return store; }
    Store &operator*() const { return *store; }
    Store *operator->() const { return store; }
    explicit operator bool() const { return store != nullptr; }

  private:
    Store *store = nullptr;
  };

private:
  ~Store();

  std::atomic<int32_t> references{1};
  const char *data;
  size_t size;
  bool isMapped = false, isOfFile = false;
};

/// Where to look for what a library is without: constants in a file beside it, or weights.
struct Surroundings {
  std::string library; ///< its path; empty where it has none
  std::string
      weights; ///< a file that is stated to have them; empty where none is

  /// The path of a file beside the library; empty where that is nowhere.
  std::string findBeside(const std::string &file) const;
};

class Library {
public:
  /// Opens a compiled model; `descriptor` is duplicated.
  static Status open(int descriptor, const Surroundings &around,
                     std::unique_ptr<Library> &library);
  ~Library();
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  const InvarModule &getModule() const { return *module; }
  /// The file that has the constants; empty where they lie behind the library.
  const std::string &getConstantsFile() const { return constantsFile; }
  /// The constants; the caller gets the only reference.
  Store::Ref takeStore() { return std::move(store); }

private:
  Library() = default;
  Status load(const Surroundings &around);

  int descriptor = -1;
  void *handle = nullptr;
  const InvarModule *module = nullptr;
  std::string constantsFile;
  Store::Ref store;
};

/// Goes to the first of a chain of modules that can be run here. Fails where that can be
/// said of none before anything of it is run.
Status chooseModule(const InvarModule *&module);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_LIBRARY_H
