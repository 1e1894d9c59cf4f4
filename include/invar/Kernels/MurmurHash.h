// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_KERNELS_MURMURHASH_H
#define INVAR_KERNELS_MURMURHASH_H

#include <cstdint>
#include <string_view>

namespace invar::kernels {

/// The hash MurmurHash3_x86_32 of bytes, the same on every machine.
uint32_t murmurHash3(std::string_view bytes, uint32_t seed);

} // namespace invar::kernels

#endif // INVAR_KERNELS_MURMURHASH_H
