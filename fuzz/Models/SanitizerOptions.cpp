// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the address sanitizer must be told of a program that is only partly its own. Debian's
// MLIR and LLVM are not instrumented: memory that one side poisons looks wrong to the other.
// A model may state any size; what is too large for the machine is an error of ours and not
// one of the sanitizer's.

extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "allocator_may_return_null=1:max_allocation_size_mb=2048:detect_leaks="
         "1";
}
