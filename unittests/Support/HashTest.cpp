// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Support/Hash.h"
#include "gtest/gtest.h"
#include <vector>

using namespace invar;

static std::vector<uint8_t> someBytes(size_t size) {
  std::vector<uint8_t> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  return bytes;
}

TEST(Hash, PrintsTheHighHalfFirst) {
  EXPECT_EQ((Hash128{0x1, 0xab}).toString(),
            "00000000000000ab0000000000000001");
}

TEST(Hash, FieldsDoNotRunIntoOneAnother) {
  EXPECT_NE(Hasher().add("ab").add("c").finish(),
            Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("").finish(), Hasher().finish());
  EXPECT_EQ(Hasher().add("ab").add("c").finish(),
            Hasher().add("ab").add("c").finish());
}

TEST(Hash, ThreadsDoNotChangeTheTree) {
  for (size_t size : {size_t(0), size_t(1), size_t(hashBlockSize),
                      size_t(hashBlockSize * 20 + 17)}) {
    std::vector<uint8_t> bytes = someBytes(size);
    EXPECT_EQ(hashContent(bytes, 1), hashContent(bytes, 4));
  }
}

TEST(Hash, SeesEveryBlockAndTheLength) {
  std::vector<uint8_t> bytes = someBytes(3 * hashBlockSize);
  Hash128 whole = hashContent(bytes);
  for (size_t i = 0; i < 3; ++i) {
    std::vector<uint8_t> changed = bytes;
    changed[i * hashBlockSize + 5] ^= 1;
    EXPECT_NE(hashContent(changed), whole);
  }
  EXPECT_NE(hashContent(std::vector<uint8_t>(1, 0)),
            hashContent(std::vector<uint8_t>(2, 0)));
}
