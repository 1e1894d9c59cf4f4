// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes seeds for the fuzzer into the given folder: programs that load.
#include "../unittests/Runtime/ProgramBuilder.h"
#include <cstdio>
#include <filesystem>
#include <fstream>

using namespace invar::testing;

/// A loop over a kernel.
static ProgramBuilder makeLoop() {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N", 4});
  uint32_t x = b.input("x", type), y = b.object();
  b.output("y", type);
  uint32_t left = b.immediate(int64_t(3)), one = b.immediate(int64_t(1)),
           n = b.number(), four = b.immediate(int64_t(4));
  Label again = b.label();
  b.node("loop");
  b.emit(INVAR_OP_SIZE, n, x, 0);
  b.place(again);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{n, four});
  b.emit(INVAR_OP_KERNEL, 0, List{x, y}, List{n});
  b.emit(INVAR_OP_SUB, left, left, one);
  b.emit(INVAR_OP_JUMP_IF, left, again);
  b.emit(INVAR_OP_RETURN, List{y});
  return b;
}

/// A call with attributes, constants, an omitted operand, and a check.
static ProgramBuilder makeCall() {
  ProgramBuilder b;
  uint32_t type = b.anyTensor(INVAR_FLOAT32), list = b.sequence(type);
  uint32_t maybe = b.optional(list);
  uint32_t x = b.input("x", maybe), c = b.object(), s = b.object();
  b.output("y", list);
  b.node("join");
  b.emit(INVAR_OP_CHECK_TYPE, x, maybe);
  b.emit(INVAR_OP_CONSTANT, c,
         b.constant<float>(b.tensor(INVAR_FLOAT32, {2}), {1, 2}));
  b.call("SequenceConstruct", {c, c}, {s}, {list},
         b.attributes({{"ints", std::vector<int64_t>{1, 2}},
                       {"floats", std::vector<double>{0.5}},
                       {"texts", std::vector<std::string>{"a", "b"}}}));
  b.call("SequenceErase", {s, INVAR_NONE}, {s}, {list});
  b.emit(INVAR_OP_CHECK, b.immediate(int64_t(1)), b.string("never"));
  b.emit(INVAR_OP_RETURN, List{s});
  return b;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  std::filesystem::path folder = argv[1];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const ProgramBuilder &builder : {makeLoop(), makeCall()}) {
    List words = builder.words();
    std::ofstream(folder / std::to_string(number++), std::ios::binary)
        .write(reinterpret_cast<const char *>(words.data()),
               std::streamsize(words.size() * sizeof(uint32_t)));
  }
  return 0;
}
