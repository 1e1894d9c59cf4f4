// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Files/Printable.h"
#include "gtest/gtest.h"

using namespace invar;

TEST(Printable, KeepsTextAndSpellsOutControls) {
  EXPECT_EQ(makePrintable(""), "");
  EXPECT_EQ(makePrintable("/model/conv1 'x'"), "/model/conv1 'x'");
  EXPECT_EQ(makePrintable("größe 大きさ 🙂"), "größe 大きさ 🙂");
  EXPECT_EQ(makePrintable("a\x1b[2Jb\r\n\t\x7f"),
            "a\\x1b[2Jb\\x0d\\x0a\\x09\\x7f");
  EXPECT_EQ(makePrintable(std::string_view("a\0b", 3)), "a\\x00b");
  // U+009B begins a control sequence, like ESC [.
  EXPECT_EQ(makePrintable("\xc2\x9b"
                          "2J"),
            "\\xc2\\x9b2J");
  EXPECT_EQ(makePrintable("\xc2\xa0"), "\xc2\xa0");
}

TEST(Printable, SpellsOutWhatIsNoText) {
  for (const char *text : {"\x9b", "\xff", "\xc3", "\xe5\xa4", "\xf0\x9f\x99",
                           "\xc0", "\xf8\x80\x80\x80\x80"}) {
    std::string printed = makePrintable(text);
    EXPECT_EQ(printed.size(), 4 * std::string_view(text).size()) << printed;
  }
  EXPECT_EQ(makePrintable("\xc3("), "\\xc3(");
}

TEST(Printable, IsCutBetweenCharacters) {
  EXPECT_EQ(makePrintable("abcdef", 6), "abcdef");
  EXPECT_EQ(makePrintable("abcdefg", 6), "abcde…");
  EXPECT_EQ(makePrintable("äöüäöü", 6), "äö…");
}
