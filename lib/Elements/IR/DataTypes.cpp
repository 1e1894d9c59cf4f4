// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/IR/DataTypes.h"

#include "invar/Elements/IR/ElementsDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;

Type elements::toType(MLIRContext *context, DataType type) {
  auto integer = [&](unsigned width) {
    return IntegerType::get(context, width);
  };
  auto natural = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (type) {
  case DataType::Bool:
    return integer(1);
  case DataType::Int2:
  case DataType::Int4:
  case DataType::Int8:
  case DataType::Int16:
  case DataType::Int32:
  case DataType::Int64:
    return integer(getBitWidth(type));
  case DataType::UInt2:
  case DataType::UInt4:
  case DataType::UInt8:
  case DataType::UInt16:
  case DataType::UInt32:
  case DataType::UInt64:
    return natural(getBitWidth(type));
  case DataType::Float16:
    return Float16Type::get(context);
  case DataType::BFloat16:
    return BFloat16Type::get(context);
  case DataType::Float32:
    return Float32Type::get(context);
  case DataType::Float64:
    return Float64Type::get(context);
  case DataType::Complex64:
    return ComplexType::get(Float32Type::get(context));
  case DataType::Complex128:
    return ComplexType::get(Float64Type::get(context));
  case DataType::Float8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DataType::Float8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case DataType::Float8E5M2:
    return Float8E5M2Type::get(context);
  case DataType::Float8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case DataType::Float8E8M0:
    return Float8E8M0FNUType::get(context);
  case DataType::Float6E2M3:
    return Float6E2M3FNType::get(context);
  case DataType::Float6E3M2:
    return Float6E3M2FNType::get(context);
  case DataType::Float4E2M1:
    return Float4E2M1FNType::get(context);
  case DataType::String:
    return StringType::get(context);
  }
  llvm_unreachable("every data type has an MLIR type");
}

static std::optional<DataType> integerDataType(IntegerType type) {
  if (type.isSigned())
    return std::nullopt;
  bool natural = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return natural ? std::nullopt : std::optional(DataType::Bool);
  case 2:
    return natural ? DataType::UInt2 : DataType::Int2;
  case 4:
    return natural ? DataType::UInt4 : DataType::Int4;
  case 8:
    return natural ? DataType::UInt8 : DataType::Int8;
  case 16:
    return natural ? DataType::UInt16 : DataType::Int16;
  case 32:
    return natural ? DataType::UInt32 : DataType::Int32;
  case 64:
    return natural ? DataType::UInt64 : DataType::Int64;
  default:
    return std::nullopt;
  }
}

std::optional<DataType> elements::toDataType(Type type) {
  using Result = std::optional<DataType>;
  return llvm::TypeSwitch<Type, Result>(type)
      .Case<IntegerType>(integerDataType)
      .Case<Float32Type>([](auto) { return DataType::Float32; })
      .Case<Float64Type>([](auto) { return DataType::Float64; })
      .Case<Float16Type>([](auto) { return DataType::Float16; })
      .Case<BFloat16Type>([](auto) { return DataType::BFloat16; })
      .Case<Float8E4M3FNType>([](auto) { return DataType::Float8E4M3FN; })
      .Case<Float8E4M3FNUZType>([](auto) { return DataType::Float8E4M3FNUZ; })
      .Case<Float8E5M2Type>([](auto) { return DataType::Float8E5M2; })
      .Case<Float8E5M2FNUZType>([](auto) { return DataType::Float8E5M2FNUZ; })
      .Case<Float8E8M0FNUType>([](auto) { return DataType::Float8E8M0; })
      .Case<Float6E2M3FNType>([](auto) { return DataType::Float6E2M3; })
      .Case<Float6E3M2FNType>([](auto) { return DataType::Float6E3M2; })
      .Case<Float4E2M1FNType>([](auto) { return DataType::Float4E2M1; })
      .Case<StringType>([](auto) { return DataType::String; })
      .Case<ComplexType>([](ComplexType complex) -> Result {
        if (complex.getElementType().isF32())
          return DataType::Complex64;
        if (complex.getElementType().isF64())
          return DataType::Complex128;
        return std::nullopt;
      })
      .Default([](Type) { return std::nullopt; });
}
