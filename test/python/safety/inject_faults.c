/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Wraps functions of the C library, counts their calls, and makes chosen calls fail. faults.py
 * preloads it and sets environment variables:
 *
 *   FAULT_TABLE  a file for the counts, which remains however the program ends: one struct
 *                Row for each function, in the order of FUNCTIONS
 *   FAULT_CALL   the function that fails
 *   FAULT_AT     the first call of it that fails, counted from 0
 *   FAULT_TIMES  how many calls fail
 *   FAULT_HOW    "error" for an errno that fits the function; "short" for a part of the bytes,
 *                and "interrupted" for EINTR, both of which must do no harm
 *   FAULT_LEAST  bytes; smaller allocations never fail and are not counted
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The functions, and the errno of each. */
#define FUNCTIONS(X)                                                           \
  X(allocate, ENOMEM)                                                          \
  X(open, EMFILE)                                                              \
  X(read, EIO)                                                                 \
  X(pread, EIO)                                                                \
  X(write, ENOSPC)                                                             \
  X(pwrite, ENOSPC)                                                            \
  X(copy_file_range, EIO)                                                      \
  X(mmap, ENOMEM)                                                              \
  X(mprotect, ENOMEM)                                                          \
  X(mremap, ENOMEM)                                                            \
  X(fstat, EIO)                                                                \
  X(rename, EACCES)                                                            \
  X(linkat, EACCES)                                                            \
  X(unlink, EACCES)                                                            \
  X(mkdir, ENOSPC)                                                             \
  X(ftruncate, ENOSPC)                                                         \
  X(fallocate, ENOSPC)                                                         \
  X(posix_fallocate, ENOSPC)                                                   \
  X(fsync, EIO)                                                                \
  X(fdatasync, EIO)                                                            \
  X(flock, ENOLCK)                                                             \
  X(mkostemps, EMFILE)                                                         \
  X(memfd_create, EMFILE)                                                      \
  X(pthread_create, EAGAIN)

enum Function {
#define X(NAME, ERROR) IN_##NAME,
  FUNCTIONS(X)
#undef X
      functions
};
enum How { AS_ERROR, SHORT, INTERRUPTED };

struct Row {
  char name[24];
  atomic_ullong calls, failed;
};

static struct Row *table;
static int chosen = -1;
static unsigned long long first, times;
static size_t least;
static enum How how;

static const char *const names[] = {
#define X(NAME, ERROR) #NAME,
    FUNCTIONS(X)
#undef X
};
static const int errors[] = {
#define X(NAME, ERROR) ERROR,
    FUNCTIONS(X)
#undef X
};

static unsigned long long numberOf(const char *variable) {
  const char *text = getenv(variable);
  return text ? strtoull(text, NULL, 10) : 0;
}

static void begin(void) {
  const char *path = getenv("FAULT_TABLE"), *call = getenv("FAULT_CALL");
  const char *way = getenv("FAULT_HOW");
  size_t size = functions * sizeof(struct Row);
  /* Direct system calls, which are not counted. */
  long file =
      path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0)
    return;
  long address =
      syscall(SYS_mmap, 0L, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0L);
  syscall(SYS_close, file);
  if (address < 0 && address > -4096)
    return;
  struct Row *rows = (struct Row *)address;
  for (int i = 0; i < functions; ++i) {
    strncpy(rows[i].name, names[i], sizeof(rows[i].name) - 1);
    if (call && strcmp(call, names[i]) == 0)
      chosen = i;
  }
  first = numberOf("FAULT_AT");
  times = numberOf("FAULT_TIMES");
  least = numberOf("FAULT_LEAST");
  how = !way || strcmp(way, "error") == 0 ? AS_ERROR
        : strcmp(way, "short") == 0       ? SHORT
                                          : INTERRUPTED;
  table = rows;
}

/* The C library's own function. */
#define REAL(NAME) ((__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME))

/* Faults start at main(): before it the loader runs, which can only abort. */
typedef int Main(int, char **, char **);
static Main *programMain;
static int countFromHere(int argc, char **argv, char **environment) {
  begin();
  return programMain(argc, argv, environment);
}
int __libc_start_main(Main *main, int argc, char **argv, void (*first)(void),
                      void (*last)(void), void (*end)(void), void *stack) {
  programMain = main;
  return REAL(__libc_start_main)(countFromHere, argc, argv, first, last, end,
                                 stack);
}

/* Counts a call. Returns whether it must fail. */
static int fails(enum Function function) {
  if (!table)
    return 0;
  unsigned long long number = atomic_fetch_add(&table[function].calls, 1);
  if (chosen != (int)function || number < first || number - first >= times)
    return 0;
  atomic_fetch_add(&table[function].failed, 1);
  errno = how == INTERRUPTED ? EINTR : errors[function];
  return 1;
}

/* ---- Memory. */

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int refuses(size_t size) {
  return table && size >= least && fails(IN_allocate);
}
/* Only allocations by operator new: mlir::Operation::create calls malloc directly and does not
 * check the result. */
static _Thread_local int isNew __attribute__((tls_model("initial-exec")));
void *malloc(size_t size) {
  return isNew && refuses(size) ? NULL : __libc_malloc(size);
}
/* operator new(size_t), under its mangled name. */
void *_Znwm(size_t size) {
  static void *(*next)(size_t);
  if (!next)
    next = (void *(*)(size_t))dlsym(RTLD_NEXT, "_Znwm");
  isNew = 1;
  void *made = next(size);
  isNew = 0;
  return made;
}
void *calloc(size_t count, size_t size) {
  return refuses(count * size) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
  return refuses(size) ? NULL : __libc_realloc(memory, size);
}
void *memalign(size_t alignment, size_t size) {
  return refuses(size) ? NULL : __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made)
    return ENOMEM;
  *memory = made;
  return 0;
}
void *mmap(void *address, size_t size, int protection, int flags, int file,
           off_t offset) {
  if (fails(IN_mmap))
    return MAP_FAILED;
  return (void *)syscall(SYS_mmap, address, size, protection, flags, file,
                         offset);
}
void *mmap64(void *address, size_t size, int protection, int flags, int file,
             off_t offset) {
  return mmap(address, size, protection, flags, file, offset);
}
int mprotect(void *address, size_t size, int protection) {
  return fails(IN_mprotect)
             ? -1
             : (int)syscall(SYS_mprotect, address, size, protection);
}
void *mremap(void *old, size_t oldSize, size_t size, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  void *target = va_arg(rest, void *);
  va_end(rest);
  return fails(IN_mremap)
             ? MAP_FAILED
             : (void *)syscall(SYS_mremap, old, oldSize, size, flags, target);
}

/* ---- Files. */

/* The mode is passed only if a file may be created, but reading it is harmless. */
#define READ_MODE()                                                            \
  va_list rest;                                                                \
  va_start(rest, flags);                                                       \
  mode_t mode = va_arg(rest, mode_t);                                          \
  va_end(rest)

int openat(int folder, const char *path, int flags, ...) {
  READ_MODE();
  return fails(IN_open) ? -1
                        : (int)syscall(SYS_openat, folder, path, flags, mode);
}
int open(const char *path, int flags, ...) {
  READ_MODE();
  return openat(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  READ_MODE();
  return openat(AT_FDCWD, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  READ_MODE();
  return openat(folder, path, flags, mode);
}

/* Transfers half of the bytes if the call must be short, otherwise returns an error. */
#define TRANSFER(FUNCTION, SIZE, CALL)                                         \
  if (fails(FUNCTION)) {                                                       \
    if (how != SHORT || SIZE < 2)                                              \
      return how == SHORT ? CALL : -1;                                         \
    SIZE /= 2;                                                                 \
  }                                                                            \
  return CALL

ssize_t read(int file, void *bytes, size_t size) {
  TRANSFER(IN_read, size, syscall(SYS_read, file, bytes, size));
}
ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
  TRANSFER(IN_pread, size, syscall(SYS_pread64, file, bytes, size, offset));
}
ssize_t pread64(int file, void *bytes, size_t size, off_t offset) {
  return pread(file, bytes, size, offset);
}
ssize_t write(int file, const void *bytes, size_t size) {
  /* Error messages must always be printed. */
  if (file == STDERR_FILENO)
    return syscall(SYS_write, file, bytes, size);
  TRANSFER(IN_write, size, syscall(SYS_write, file, bytes, size));
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  TRANSFER(IN_pwrite, size, syscall(SYS_pwrite64, file, bytes, size, offset));
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset) {
  return pwrite(file, bytes, size, offset);
}
ssize_t copy_file_range(int from, off64_t *fromOffset, int to,
                        off64_t *toOffset, size_t size, unsigned flags) {
  TRANSFER(IN_copy_file_range, size,
           syscall(SYS_copy_file_range, from, fromOffset, to, toOffset, size,
                   flags));
}

/* The other functions fail or call the C library. */
#define FAIL_OR(NAME, TYPE, PARAMETERS, ARGUMENTS)                             \
  TYPE NAME PARAMETERS { return fails(IN_##NAME) ? -1 : REAL(NAME) ARGUMENTS; }

FAIL_OR(fstat, int, (int file, struct stat *facts), (file, facts))
FAIL_OR(rename, int, (const char *from, const char *to), (from, to))
FAIL_OR(linkat, int,
        (int f, const char *from, int t, const char *to, int flags),
        (f, from, t, to, flags))
FAIL_OR(unlink, int, (const char *path), (path))
FAIL_OR(mkdir, int, (const char *path, mode_t mode), (path, mode))
FAIL_OR(ftruncate, int, (int file, off_t size), (file, size))
FAIL_OR(fallocate, int, (int file, int mode, off_t offset, off_t size),
        (file, mode, offset, size))
FAIL_OR(fsync, int, (int file), (file))
FAIL_OR(fdatasync, int, (int file), (file))
FAIL_OR(flock, int, (int file, int how), (file, how))
FAIL_OR(mkostemps, int, (char *path, int suffix, int flags),
        (path, suffix, flags))
FAIL_OR(memfd_create, int, (const char *name, unsigned flags), (name, flags))
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

/* These return the error number instead of setting errno. */
int posix_fallocate(int file, off_t offset, off_t size) {
  return fails(IN_posix_fallocate) ? errno
                                   : REAL(posix_fallocate)(file, offset, size);
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*run)(void *), void *argument) {
  return fails(IN_pthread_create)
             ? errno
             : REAL(pthread_create)(thread, attributes, run, argument);
}
