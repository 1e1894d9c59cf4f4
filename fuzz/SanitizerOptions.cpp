// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of the address sanitizer for all fuzzers. An input may state any size. If the
// machine cannot allocate it, Invar must return an error; the sanitizer must not abort.
//
// Debian's MLIR and LLVM are not instrumented: memory that one side poisons looks wrong
// to the other.

extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=2048:"
         "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=1";
}
