/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Wraps malloc. Counts the allocated bytes, and their maximum since the last call of
 * forget_most_counted_bytes(). memory_plan.py preloads it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

/* The C library's functions, under the names that it reserves for wrappers. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_size_t counted, most;

size_t counted_bytes(void) { return atomic_load(&counted); }
size_t most_counted_bytes(void) { return atomic_load(&most); }
void forget_most_counted_bytes(void) { atomic_store(&most, counted); }

static void *count(void *memory) {
  if (!memory)
    return NULL;
  size_t size = malloc_usable_size(memory);
  size_t now = atomic_fetch_add(&counted, size) + size;
  size_t before = atomic_load(&most);
  while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
    ;
  return memory;
}

void free(void *memory) {
  if (memory)
    atomic_fetch_sub(&counted, malloc_usable_size(memory));
  __libc_free(memory);
}
void *malloc(size_t size) { return count(__libc_malloc(size)); }
void *calloc(size_t n, size_t size) { return count(__libc_calloc(n, size)); }
void *realloc(void *memory, size_t size) {
  size_t before = memory ? malloc_usable_size(memory) : 0;
  void *moved = __libc_realloc(memory, size);
  if (moved || size == 0)
    atomic_fetch_sub(&counted, before);
  return count(moved);
}
void *memalign(size_t alignment, size_t size) {
  return count(__libc_memalign(alignment, size));
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
