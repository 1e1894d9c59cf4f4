// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests programs that decode constants.
#include "../Runtime/Testing.h"
#include "Testing.h"

using namespace invar;
using namespace invar::testing;

/// A program that decodes bytes to a tensor of a type, whose sizes may be open.
static Model makeDecoding(const Bytes &bytes, InvarDataType type,
                          const std::vector<Size> &sizes) {
  ProgramBuilder b;
  uint32_t encoded = b.object(), decoded = b.object();
  uint32_t of = b.tensor(type, sizes);
  b.output("y", of);
  uint32_t constant = b.constant<int8_t>(
      b.tensor(INVAR_INT8, {int(bytes.size())}), {bytes.begin(), bytes.end()});
  b.emit(INVAR_OP_CONSTANT, encoded, constant);
  b.node("n");
  b.call("Decode", {encoded}, {decoded}, {of});
  b.emit(INVAR_OP_RETURN, List{decoded});
  return Model(b);
}

static std::string whyFails(const Model &model) {
  return model.mustLoad().run({}).error().text();
}

TEST(DecodeCall, GivesTheElements) {
  std::mt19937 random(1);
  std::vector<float> numbers(3 * 262144 + 8);
  for (float &number : numbers)
    number = float(random() % 100) * 0.37f;
  auto count = int(numbers.size());
  Bytes bytes = encoded(makeElements(DataType::Float32, numbers));
  Model model = makeDecoding(bytes, INVAR_FLOAT32, {8, count / 8});
  for (int threads : {1, 3}) {
    rt::Session session = model.mustLoad(threads);
    EXPECT_EQ(elementsOf<float>(mustRun(session, {})[0]), numbers);
  }
}

TEST(DecodeCall, ChecksWhatItDecodes) {
  Bytes bytes =
      encoded(makeElements(DataType::Float32, std::vector<float>(1000, 1)));
  EXPECT_EQ(whyFails(makeDecoding(bytes, INVAR_FLOAT32, {1001})),
            "model: node 'n': encoded constant: expected 1001 elements of 4 "
            "bytes, but got 1000 of 4");
  EXPECT_EQ(whyFails(makeDecoding(bytes, INVAR_FLOAT16, {1000})),
            "model: node 'n': encoded constant: expected 1000 elements of 2 "
            "bytes, but got 1000 of 4");
  EXPECT_EQ(whyFails(makeDecoding(bytes, INVAR_FLOAT32, {"N"})),
            "model: node 'n': expected to decode numbers of known sizes, but "
            "got tensor(float)[N]");
  EXPECT_EQ(whyFails(makeDecoding(bytes, INVAR_STRING, {1000})),
            "model: node 'n': expected to decode numbers of known sizes, but "
            "got tensor(string)[1000]");
  // Damage within a piece is detected when it is decoded.
  std::vector<uint32_t> alike(3000, 0x3f800000);
  for (size_t i = 0; i < alike.size(); ++i)
    alike[i] += uint32_t(i * i) & 0xffff;
  bytes = encoded(makeElements(DataType::Float32, alike));
  size_t firstPiece = sizeof(InvarEncodedHeader) + sizeof(uint64_t);
  bytes[firstPiece] ^= 0xff;
  EXPECT_EQ(whyFails(makeDecoding(bytes, INVAR_FLOAT32, {3000})),
            "model: node 'n': encoded constant: expected a piece of 12000 "
            "bytes when decompressed, but it is damaged, or there is no memory "
            "for it");
}
