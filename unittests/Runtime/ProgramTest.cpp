// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests invalid programs: all must be rejected when they are loaded.
#include "Testing.h"

#include <random>
#include <zstd.h>

using namespace invar;
using namespace invar::testing;

namespace {
/// Returns the error for the program that `change` makes of a good one.
template <typename Change> std::string whyNotAfter(Change change) {
  ProgramBuilder b = makeTwice();
  List words = b.words();
  change(words);
  return Model(b, words).whyNot();
}

/// Returns the error for a program that returns its input, with code added by `emit`.
template <typename Emit> std::string whyNotWith(Emit emit) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"});
  uint32_t x = b.input("x", type);
  b.output("y", type);
  emit(b);
  b.emit(INVAR_OP_RETURN, List{x});
  return Model(b).whyNot();
}

/// Returns the text after the position, which depends on the tables.
std::string behindPlace(const std::string &text) {
  size_t colon = text.find(": expected");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}
} // namespace

TEST(Program, ABadHeaderIsRefused) {
  EXPECT_EQ(whyNotAfter([](List &words) { words.clear(); }),
            "model: program word 0: expected a header of 21 words, but got 0");
  EXPECT_EQ(whyNotAfter([](List &words) { words[0] = 5; }),
            "model: program word 21: expected the number 1347311177 of a "
            "program, but got 5");
  EXPECT_EQ(whyNotAfter([](List &words) { words[10] = 0xfffffff0; }),
            "model: program word 21: expected no more registers than words, "
            "but got 4294967280 and 2");
  EXPECT_EQ(whyNotAfter([](List &words) { words[6] = 3; }),
            "model: program word 21: expected a register for each of 3 inputs, "
            "but got 2");
  EXPECT_EQ(whyNotAfter([](List &words) {
              words[1] = 1 << 30;
            }).find("model: program word 21: expected no more entries than "),
            0u);
}

TEST(Program, EveryShorterProgramIsRefused) {
  ProgramBuilder b = makeTwice();
  List words = b.words();
  for (size_t size = 0; size < words.size(); ++size) {
    List shorter(words.begin(), words.begin() + size);
    EXPECT_NE(Model(b, shorter).whyNot(), "") << size;
  }
  words.push_back(0);
  EXPECT_EQ(behindPlace(Model(b, words).whyNot()),
            "expected the program's end, but got 1 words more");
}

/// Compresses the words, in the format of invar-c/Program.h.
static List pack(const List &words) {
  size_t size = words.size() * sizeof(uint32_t);
  std::vector<char> bytes(ZSTD_compressBound(size));
  bytes.resize(
      ZSTD_compress(bytes.data(), bytes.size(), words.data(), size, 3));
  List packed(3 + (bytes.size() + 3) / 4);
  packed[0] = INVAR_PACKED_MAGIC;
  packed[1] = uint32_t(words.size());
  packed[2] = uint32_t(bytes.size());
  memcpy(packed.data() + 3, bytes.data(), bytes.size());
  return packed;
}

TEST(Program, APackedProgramIsTheProgram) {
  ProgramBuilder b = makeTwice();
  List words = b.words(), packed = pack(words);
  EXPECT_EQ(Model(b, packed).whyNot(), "");
  // The unpacked program is checked as usual, and must not be packed twice.
  EXPECT_EQ(Model(b, pack(packed))
                .whyNot()
                .find("model: program word 21: expected the number 1347311177"),
            0u);
  words.pop_back();
  EXPECT_NE(Model(b, pack(words)).whyNot(), "");
}

TEST(Program, ABadPackedProgramIsRefused) {
  ProgramBuilder b = makeTwice();
  const List packed = pack(b.words());
  auto whyNotOf = [&](auto change) {
    List words = packed;
    change(words);
    return Model(b, words).whyNot();
  };
  EXPECT_EQ(whyNotOf([](List &words) { words.resize(2); }),
            "model: expected a packed program of 3 words or more, but got 2");
  for (size_t size = 3; size < packed.size(); ++size)
    EXPECT_NE(whyNotOf([&](List &words) { words.resize(size); }), "") << size;
  for (uint32_t count : {0u, packed[1] - 1, packed[1] + 1, ~0u})
    EXPECT_NE(whyNotOf([&](List &words) { words[1] = count; }), "") << count;
  for (uint32_t count : {0u, packed[2] - 1, ~0u})
    EXPECT_NE(whyNotOf([&](List &words) { words[2] = count; }), "") << count;
  EXPECT_EQ(whyNotOf([](List &words) {
              words[3] ^= 1;
            }).find("model: expected a packed program of "),
            0u);
}

TEST(Program, NumbersOfThingsAreChecked) {
  EXPECT_EQ(behindPlace(whyNotWith(
                [](ProgramBuilder &b) { b.emit(INVAR_OP_DROP, 7); })),
            "expected the number of an object register below 1, but got 7");
  EXPECT_EQ(behindPlace(whyNotWith(
                [](ProgramBuilder &b) { b.emit(INVAR_OP_DROP, INVAR_NONE); })),
            "expected the number of an object register below 1, but got "
            "4294967295");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.emit(INVAR_OP_NUMBER, 0, int64_t(1));
            })),
            "expected the number of a number register below 0, but got 0");
  EXPECT_EQ(behindPlace(whyNotWith(
                [](ProgramBuilder &b) { b.emit(INVAR_OP_CONSTANT, 0, 0); })),
            "expected the number of a constant below 0, but got 0");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.emit(INVAR_OP_KERNEL, 0, List{}, List{});
            })),
            "expected the number of a kernel below 0, but got 0");
  EXPECT_EQ(behindPlace(whyNotWith(
                [](ProgramBuilder &b) { b.emit(INVAR_OP_CHECK_TYPE, 0, 9); })),
            "expected the number of a type below 1, but got 9");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.emit(INVAR_OP_CHECK, b.number(), 99);
            })),
            "expected the number of a string below 3, but got 99");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.emit(INVAR_OP_ALLOCATE, 0, 0, List{});
            })),
            "expected a data type, but got 0");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.emit(InvarOpcode(INVAR_NUM_OPCODES), 0);
            })),
            "expected the number of an opcode below " +
                std::to_string(INVAR_NUM_OPCODES) + ", but got " +
                std::to_string(INVAR_NUM_OPCODES));
}

TEST(Program, InstructionsAreChecked) {
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              uint32_t n = b.immediate(int64_t(1));
              b.emit(INVAR_OP_SIGN_EXTEND, n, n, 0);
            })),
            "expected 1 to 64 bits, but got 0");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              uint32_t n = b.immediate(int64_t(1));
              b.emit(INVAR_OP_ALLOCATE, 0, INVAR_INT8, List(65, n));
            })),
            "expected at most 64 axes, but got 65");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.emit(INVAR_OP_RETURN, List{0, 0});
            })),
            "expected to return 1 outputs, but got 2");
  EXPECT_EQ(behindPlace(whyNotWith(
                [](ProgramBuilder &b) { b.emit(INVAR_OP_JUMP, 1); })),
            "expected a jump to an instruction, but got word 1");
  EXPECT_EQ(behindPlace(whyNotWith(
                [](ProgramBuilder &b) { b.emit(INVAR_OP_JUMP, 100000); })),
            "expected a jump to an instruction, but got word 100000");
  ProgramBuilder b;
  b.immediate(int64_t(0));
  EXPECT_EQ(behindPlace(Model(b).whyNot()),
            "expected the code to end with a RETURN or JUMP");
  // An instruction that extends beyond the code, into the data after it.
  ProgramBuilder cut;
  cut.emit(INVAR_OP_RETURN, List{});
  List words = cut.words();
  words[9] = 1;
  EXPECT_EQ(behindPlace(Model(cut, words).whyNot()),
            "expected the code to have 1 words, but its last instruction ends "
            "behind 2");
}

TEST(Program, CallsAreChecked) {
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.call("LaunchRockets", {}, {}, {});
            })),
            "expected a function of the runtime, but got 'LaunchRockets'");
  EXPECT_EQ(behindPlace(whyNotWith(
                [](ProgramBuilder &b) { b.call("NonZero", {0}, {0}, {}); })),
            "expected a type for each of 1 results, but got 0");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.call("NonZero", {0, 0}, {0}, {0});
            })),
            "expected operands 'T' of NonZero, but got 2");
  EXPECT_EQ(behindPlace(whyNotWith([](ProgramBuilder &b) {
              b.call("SequenceInsert", {0}, {0}, {0});
            })),
            "expected operands 'SVt' of SequenceInsert, but got 1");
  EXPECT_EQ(behindPlace(whyNotWith(
                [](ProgramBuilder &b) { b.call("NonZero", {0}, {}, {}); })),
            "expected results 'T' of NonZero, but got 0");
}

TEST(Program, TypesAreChecked) {
  auto whyNotType = [](const List &type) {
    ProgramBuilder b;
    b.addType(type);
    b.emit(INVAR_OP_RETURN, List{});
    return behindPlace(Model(b).whyNot());
  };
  EXPECT_EQ(whyNotType({4, 0}), "expected a kind of type, but got 4");
  EXPECT_EQ(whyNotType({INVAR_TYPE_TENSOR, 99, 0}),
            "expected a data type, but got 99");
  EXPECT_EQ(whyNotType({INVAR_TYPE_TENSOR, 1, 65}),
            "expected at most 64 axes, but got 65");
  EXPECT_EQ(whyNotType({INVAR_TYPE_TENSOR, 1, 1, uint32_t(-2), uint32_t(-1),
                        INVAR_NONE}),
            "expected a size, but got -2");
  EXPECT_EQ(whyNotType({INVAR_TYPE_TENSOR, 1, 1, 1, 0, 8}),
            "expected the number of a string below 0, but got 8");
  // A type cannot contain itself or a later type.
  EXPECT_EQ(whyNotType({INVAR_TYPE_SEQUENCE, 0}),
            "expected the number of a type below 0, but got 0");
  // A map is from int64 or strings to scalars.
  auto whyNotMap = [](InvarDataType key, auto value) {
    ProgramBuilder b;
    uint32_t type = value(b);
    b.addType({INVAR_TYPE_MAP, uint32_t(key), type});
    b.emit(INVAR_OP_RETURN, List{});
    return behindPlace(Model(b).whyNot());
  };
  auto single = [](ProgramBuilder &b) { return b.tensor(INVAR_FLOAT32, {}); };
  EXPECT_EQ(whyNotMap(INVAR_INT64, single), "");
  EXPECT_EQ(whyNotMap(INVAR_FLOAT32, single),
            "expected keys that are int64 or strings, but got float");
  EXPECT_EQ(
      whyNotMap(INVAR_STRING,
                [](ProgramBuilder &b) { return b.tensor(INVAR_FLOAT32, {1}); }),
      "expected a map to tensors of rank 0");
  EXPECT_EQ(whyNotMap(INVAR_INT64, [](ProgramBuilder &) { return 7; }),
            "expected the number of a type below 0, but got 7");
  ProgramBuilder deep;
  uint32_t type = deep.anyTensor(INVAR_INT8);
  for (int i = 0; i < 17; ++i)
    type = deep.optional(type);
  deep.emit(INVAR_OP_RETURN, List{});
  EXPECT_EQ(behindPlace(Model(deep).whyNot()),
            "expected at most 16 types in each other, but got more");
}

TEST(Program, DefaultsAreConstantsOfTheLastInputs) {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {1});
  uint32_t own = b.constant<float>(type, {1});
  auto whyNot = [&](uint32_t first, uint32_t second) {
    ProgramBuilder with = b;
    with.input("x", type, first);
    with.input("y", type, second);
    with.emit(INVAR_OP_RETURN, List{});
    return behindPlace(Model(with).whyNot());
  };
  EXPECT_EQ(whyNot(INVAR_NONE, own), "");
  EXPECT_EQ(whyNot(own, own), "");
  EXPECT_EQ(whyNot(own, INVAR_NONE),
            "expected inputs without a default before those that have one");
  EXPECT_EQ(whyNot(INVAR_NONE, own + 1),
            "expected the number of a constant below 1, but got 1");
}

TEST(Program, ConstantsLieInTheStore) {
  auto whyNotConstant = [](std::vector<Size> sizes, uint64_t offset,
                           uint64_t size) {
    ProgramBuilder b;
    b.store.resize(256);
    b.addConstant(b.tensor(INVAR_FLOAT32, sizes), offset, size);
    b.emit(INVAR_OP_RETURN, List{});
    return behindPlace(Model(b).whyNot());
  };
  EXPECT_EQ(whyNotConstant({16}, 192, 64), "");
  EXPECT_EQ(whyNotConstant({17}, 192, 68),
            "expected a constant in 256 bytes, but got 68 from 192");
  EXPECT_EQ(whyNotConstant({16}, UINT64_MAX - 63, 64),
            "expected a constant in 256 bytes, but got 64 from "
            "18446744073709551552");
  EXPECT_EQ(whyNotConstant({1}, 4, 4),
            "expected an offset that is a multiple of 64, but got 4");
  EXPECT_EQ(whyNotConstant({2}, 0, 4),
            "expected the bytes of a tensor of known sizes, but got 4 of "
            "tensor(float)[2]");
  EXPECT_EQ(whyNotConstant({"N"}, 0, 4),
            "expected the bytes of a tensor of known sizes, but got 4 of "
            "tensor(float)[N]");
}

TEST(Program, StringsOfConstantsLieInTheirBytes) {
  auto load = [](const std::vector<uint64_t> &lengths, const char *bytes) {
    ProgramBuilder b;
    uint32_t type = b.tensor(INVAR_STRING, {int(lengths.size())});
    uint32_t y = b.object();
    b.output("y", type);
    std::vector<char> content(lengths.size() * 8);
    std::memcpy(content.data(), lengths.data(), content.size());
    content.insert(content.end(), bytes, bytes + std::strlen(bytes));
    b.emit(INVAR_OP_CONSTANT, y, b.constant(type, content));
    b.emit(INVAR_OP_RETURN, List{y});
    return Model(b);
  };
  Model good = load({2, 0, 3}, "hiyou");
  EXPECT_EQ(stringsOf(mustRun(good.mustLoad(), {})[0]),
            (std::vector<std::string>{"hi", "", "you"}));
  EXPECT_EQ(load({2, 4}, "hiyou").whyNot(),
            "model: expected a constant string of 4 bytes, but got 3");
  EXPECT_EQ(load({UINT64_MAX}, "hi").whyNot(),
            "model: expected a constant string of 18446744073709551615 bytes, "
            "but got 2");
}

TEST(Program, NodesAscend) {
  ProgramBuilder b;
  b.emit(INVAR_OP_RETURN, List{});
  b.node("second");
  List words = b.words();
  ASSERT_EQ(words[words.size() - 4], 2u);
  words[words.size() - 4] = 3;
  EXPECT_EQ(behindPlace(Model(b, words).whyNot()),
            "expected the words of nodes to ascend from 0 to 2, but got 3");
}

TEST(Program, NoChangeOfAWordIsFatal) {
  // Loads a program after some of its words have changed. It may still be valid. It is
  // not run, because it might run forever.
  ProgramBuilder b = makeTwice();
  uint32_t sequence = b.sequence(b.anyTensor(INVAR_FLOAT32)), list = b.object();
  b.code.resize(b.code.size() - 3);
  b.call("SequenceConstruct", {0, 0}, {list}, {sequence},
         b.attributes({{"a", std::vector<double>{1, 2}},
                       {"b", std::vector<std::string>{"c"}}}));
  b.emit(INVAR_OP_DROP, list);
  b.emit(INVAR_OP_CONSTANT, 0,
         b.constant<float>(b.tensor(INVAR_FLOAT32, {2}), {1, 2}));
  b.emit(INVAR_OP_RETURN, List{1});
  List good = b.words();
  ASSERT_EQ(Model(b, good).whyNot(), "");
  std::mt19937 random(3);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    List words = good;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      uint32_t &word = words[random() % words.size()];
      switch (random() % 4) {
      case 0:
        word = random();
        break;
      case 1:
        word += random() % 9 - 4;
        break;
      case 2:
        word ^= 1u << random() % 32;
        break;
      case 3:
        word = random() % 70;
        break;
      }
    }
    refused += Model(b, words).whyNot() != "";
  }
  EXPECT_GT(refused, 10'000);
}
