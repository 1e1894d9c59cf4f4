// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of the address sanitizer for a program that is only partly instrumented.
// Debian's MLIR and LLVM are not instrumented: memory that one side poisons looks wrong
// to the other. A model may state any size. If the machine cannot allocate it, Invar must
// return an error; the sanitizer must not abort.

extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "allocator_may_return_null=1:max_allocation_size_mb=2048:detect_leaks="
         "1";
}
