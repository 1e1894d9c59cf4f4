// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Frontend/Wire/TensorData.h"

#include "Rebuild.h"
#include "invar/Frontend/Wire/Fields.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace invar;
using field::tensor::DataLocation, field::tensor::DoubleData,
    field::tensor::FloatData, field::tensor::Int32Data,
    field::tensor::Int64Data, field::tensor::RawData, field::tensor::Segment,
    field::tensor::StringData, field::tensor::UInt64Data;

namespace {
/// A model with one initializer 't'.
struct OneTensor {
  using Fill = llvm::function_ref<void(WireMessage &)>;

  OneTensor(int64_t type, llvm::ArrayRef<int64_t> dims, Fill fill) {
    WireWriter writer;
    WireMessage tensor(writer), graph(writer), whole(writer);
    tensor.addInts(field::tensor::Dims, dims);
    tensor.addInt(field::tensor::DataType, type);
    tensor.addString(field::tensor::Name, "t");
    fill(tensor);
    graph.addMessage(field::graph::Initializer, std::move(tensor));
    whole.addMessage(field::model::Graph, std::move(graph));
    bytes = serialize(std::move(whole));
    model = llvm::cantFail(WireModel::parse(bytes, "m.onnx"));
  }
  OneTensor(DataType type, llvm::ArrayRef<int64_t> dims, Fill fill)
      : OneTensor(int64_t(type), dims, fill) {}

  llvm::Expected<TensorData> read() {
    ExternalFiles files("m.onnx");
    return readTensor(model->getModel().graph->initializers[0], *model, files);
  }
  /// Returns the values in hexadecimal.
  std::string hex() {
    return llvm::toHex(llvm::cantFail(read()).bytes, /*LowerCase=*/true);
  }
  /// Returns the error, without the names of model and tensor.
  std::string error() {
    auto data = read();
    EXPECT_FALSE(bool(data));
    if (data)
      return "";
    std::string text = describe(data.takeError()).second;
    llvm::StringRef rest = text;
    EXPECT_TRUE(rest.consume_front("tensor 't': ")) << text;
    return rest.str();
  }

  std::string bytes;
  std::unique_ptr<WireModel> model;
};
} // namespace

static auto ints(uint32_t field, std::vector<int64_t> values) {
  return [=](WireMessage &out) { out.addPackedInts(field, values); };
}

TEST(TensorData, RawDataStaysInPlace) {
  OneTensor t(DataType::Float32, {2},
              [](WireMessage &out) { out.addString(RawData, "abcdefgh"); });
  TensorData data = llvm::cantFail(t.read());
  EXPECT_EQ(data.type, DataType::Float32);
  EXPECT_EQ(data.count, 2u);
  EXPECT_EQ(data.bytes, "abcdefgh");
  EXPECT_FALSE(data.owned);
  EXPECT_GE(data.bytes.data(), t.bytes.data());
  EXPECT_LE(data.bytes.end(), t.bytes.data() + t.bytes.size());
}

TEST(TensorData, FloatsArePackedOrNot) {
  OneTensor packed(DataType::Float32, {2}, [](WireMessage &out) {
    out.addPackedFloats(FloatData, {1, -1});
  });
  EXPECT_EQ(packed.hex(), "0000803f000080bf");
  EXPECT_FALSE(llvm::cantFail(packed.read()).owned); // the block itself
  OneTensor mixed(DataType::Complex64, {2}, [](WireMessage &out) {
    out.addFloats(FloatData, {1, 2});
    out.addPackedFloats(FloatData, {});
    out.addPackedFloats(FloatData, {3, 4});
  });
  EXPECT_EQ(mixed.hex(), "0000803f000000400000404000008040");
  OneTensor doubles(DataType::Float64, {1},
                    [](WireMessage &out) { out.addDouble(DoubleData, 1); });
  EXPECT_EQ(doubles.hex(), "000000000000f03f");
}

TEST(TensorData, VarintsBecomeRawData) {
  auto hex = [](DataType type, int64_t count, uint32_t field,
                std::vector<int64_t> values) {
    return OneTensor(type, {count}, ints(field, std::move(values))).hex();
  };
  EXPECT_EQ(hex(DataType::Int32, 2, Int32Data, {1, -2}), "01000000feffffff");
  EXPECT_EQ(hex(DataType::Int16, 1, Int32Data, {-2}), "feff");
  EXPECT_EQ(hex(DataType::Int8, 2, Int32Data, {-128, 127}), "807f");
  EXPECT_EQ(hex(DataType::UInt8, 1, Int32Data, {255}), "ff");
  EXPECT_EQ(hex(DataType::UInt16, 1, Int32Data, {65535}), "ffff");
  EXPECT_EQ(hex(DataType::Bool, 3, Int32Data, {1, 0, 1}), "010001");
  EXPECT_EQ(hex(DataType::Float16, 1, Int32Data, {0x3c00}), "003c");
  EXPECT_EQ(hex(DataType::BFloat16, 1, Int32Data, {0xbf80}), "80bf");
  EXPECT_EQ(hex(DataType::Float8E4M3FN, 1, Int32Data, {0xff}), "ff");
  EXPECT_EQ(hex(DataType::Int4, 3, Int32Data, {0xf1, 0x02}), "f102");
  EXPECT_EQ(hex(DataType::UInt2, 5, Int32Data, {0xe4, 0x01}), "e401");
  // Six bits each, low first: 000001 111111 000010 100000 100001
  EXPECT_EQ(hex(DataType::Float6E2M3, 5, Int32Data, {1, 63, 2, 32, 33}),
            "c12f8021");
  EXPECT_EQ(hex(DataType::Int64, 1, Int64Data, {INT64_MIN}),
            "0000000000000080");
  EXPECT_EQ(hex(DataType::UInt64, 1, UInt64Data, {-1}), "ffffffffffffffff");
  EXPECT_EQ(hex(DataType::UInt32, 1, UInt64Data, {UINT32_MAX}), "ffffffff");
}

TEST(TensorData, UnpackedVarintsToo) {
  OneTensor t(DataType::Int64, {3}, [](WireMessage &out) {
    out.addInts(Int64Data, {1, 2});
    out.addPackedInts(Int64Data, {3});
  });
  EXPECT_EQ(t.hex(), "010000000000000002000000000000000300000000000000");
}

TEST(TensorData, ValuesAreInRange) {
  auto error = [](DataType type, uint32_t field, int64_t value) {
    return OneTensor(type, {1}, ints(field, {value})).error();
  };
  EXPECT_EQ(error(DataType::Bool, Int32Data, 2),
            "int32_data[0]: expected a value from 0 to 1 for bool, but got 2");
  EXPECT_EQ(error(DataType::Int8, Int32Data, 128),
            "int32_data[0]: expected a value from -128 to 127 for int8, but "
            "got 128");
  EXPECT_EQ(error(DataType::UInt4, Int32Data, -1),
            "int32_data[0]: expected a value from 0 to 255 for uint4, but got "
            "-1");
  EXPECT_EQ(error(DataType::Float6E3M2, Int32Data, 64),
            "int32_data[0]: expected a value from 0 to 63 for float6e3m2, but "
            "got 64");
  EXPECT_EQ(error(DataType::UInt32, UInt64Data, int64_t(1) << 32),
            "uint64_data[0]: expected a value from 0 to 4294967295 for uint32, "
            "but got 4294967296");
}

TEST(TensorData, Strings) {
  OneTensor t(DataType::String, {2},
              [](WireMessage &out) { out.addStrings(StringData, {"a", ""}); });
  EXPECT_EQ(llvm::cantFail(t.read()).strings,
            (llvm::ArrayRef<llvm::StringRef>{"a", ""}));
  OneTensor raw(DataType::String, {2},
                [](WireMessage &out) { out.addString(RawData, "ab"); });
  EXPECT_EQ(raw.error(),
            "expected values of string in string_data, but got raw_data");
  OneTensor few(DataType::String, {2},
                [](WireMessage &out) { out.addStrings(StringData, {"a"}); });
  EXPECT_EQ(few.error(),
            "expected 2 strings of string_data for string[2], but got 1");
}

TEST(TensorData, CountsMustMatchTheShape) {
  OneTensor raw(DataType::Float32, {2, 3}, [](WireMessage &out) {
    out.addString(RawData, std::string(20, 'x'));
  });
  EXPECT_EQ(raw.error(),
            "expected 24 bytes of raw_data for float[2, 3], but got 20");
  OneTensor none(DataType::Float32, {2}, [](WireMessage &) {});
  EXPECT_EQ(none.error(),
            "expected 2 values of float_data for float[2], but got 0");
  OneTensor many(DataType::Int32, {2}, ints(Int32Data, {1, 2, 3}));
  EXPECT_EQ(many.error(),
            "expected 2 values of int32_data for int32[2], but got 3");
  OneTensor huge(DataType::Int8, {int64_t(1) << 55}, ints(Int32Data, {1}));
  EXPECT_EQ(huge.error(), "expected 36028797018963968 values of int32_data for "
                          "int8[36028797018963968], but got 1");
  OneTensor odd(DataType::Float32, {1},
                [](WireMessage &out) { out.addString(FloatData, "abcde"); });
  EXPECT_EQ(odd.error(), "float_data: expected a packed list of 4-byte "
                         "numbers, but got 5 bytes");
  OneTensor empty(DataType::Float32, {0, 3}, [](WireMessage &) {});
  EXPECT_EQ(empty.hex(), "");
}

TEST(TensorData, ValuesAreInOnePlaceThatFitsTheType) {
  OneTensor two(DataType::Float32, {1}, [](WireMessage &out) {
    out.addString(RawData, "abcd");
    out.addPackedFloats(FloatData, {1});
  });
  EXPECT_EQ(two.error(),
            "expected values in one place, but got float_data and raw_data");
  OneTensor wrong(DataType::Int64, {1}, ints(Int32Data, {1}));
  EXPECT_EQ(wrong.error(), "expected values of int64 in raw_data or "
                           "int64_data, but got int32_data");
  OneTensor location(DataType::Float32, {1},
                     [](WireMessage &out) { out.addInt(DataLocation, 2); });
  EXPECT_EQ(location.error(), "expected a data location of 0 or 1, but got 2");
  OneTensor both(DataType::Float32, {1}, [](WireMessage &out) {
    out.addInt(DataLocation, 1);
    out.addString(RawData, "abcd");
  });
  EXPECT_EQ(both.error(), "expected external data only, but got raw_data too");
  OneTensor segment(DataType::Float32, {1},
                    [](WireMessage &out) { out.addString(Segment, ""); });
  EXPECT_EQ(segment.error(),
            "expected a whole tensor, but got a segment of one");
}

TEST(TensorData, TypesAndShapesMakeSense) {
  auto none = [](WireMessage &) {};
  EXPECT_EQ(OneTensor(0, {1}, none).error(),
            "expected a data type from 1 to 28, but got 0");
  EXPECT_EQ(OneTensor(29, {1}, none).error(),
            "expected a data type from 1 to 28, but got 29");
  std::string shape = "expected a shape without negative dimensions and with "
                      "at most 36028797018963968 elements, but got ";
  EXPECT_EQ(OneTensor(1, {2, -1}, none).error(), shape + "[2, -1]");
  EXPECT_EQ(OneTensor(1, {INT64_MAX, 2}, none).error(),
            shape + "[9223372036854775807, 2]");
  EXPECT_EQ(OneTensor(15, {INT64_MAX}, none).error(),
            shape + "[9223372036854775807]");
  EXPECT_EQ(OneTensor(1, {0, INT64_MAX}, none).error(),
            shape + "[0, 9223372036854775807]");
  EXPECT_EQ(countElements({INT64_MAX, INT64_MAX, 0}), 0u);
  EXPECT_EQ(countElements({0, -1}), std::nullopt);
  EXPECT_EQ(countElements({}), 1u);
}
