// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DataTypes.h"

#include "Failure.h"

#include <algorithm>
#include <iterator>

using namespace invar::python;
using Code = nb::dlpack::dtype_code;

static constexpr nb::dlpack::dtype exchanged(Code code, uint8_t bits) {
  return {uint8_t(code), bits, 1};
}

static constexpr DataType dataTypes[] = {
    {INVAR_FLOAT32, "float32", exchanged(Code::Float, 32), false},
    {INVAR_UINT8, "uint8", exchanged(Code::UInt, 8), false},
    {INVAR_INT8, "int8", exchanged(Code::Int, 8), false},
    {INVAR_UINT16, "uint16", exchanged(Code::UInt, 16), false},
    {INVAR_INT16, "int16", exchanged(Code::Int, 16), false},
    {INVAR_INT32, "int32", exchanged(Code::Int, 32), false},
    {INVAR_INT64, "int64", exchanged(Code::Int, 64), false},
    {INVAR_BOOL, "bool", exchanged(Code::Bool, 8), false},
    {INVAR_FLOAT16, "float16", exchanged(Code::Float, 16), false},
    {INVAR_FLOAT64, "float64", exchanged(Code::Float, 64), false},
    {INVAR_UINT32, "uint32", exchanged(Code::UInt, 32), false},
    {INVAR_UINT64, "uint64", exchanged(Code::UInt, 64), false},
    {INVAR_COMPLEX64, "complex64", exchanged(Code::Complex, 64), false},
    {INVAR_COMPLEX128, "complex128", exchanged(Code::Complex, 128), false},
    {INVAR_BFLOAT16, "bfloat16", exchanged(Code::Bfloat, 16), true},
    {INVAR_FLOAT8E4M3FN, "float8_e4m3fn", exchanged(Code::Float8_E4M3FN, 8),
     true},
    {INVAR_FLOAT8E4M3FNUZ, "float8_e4m3fnuz",
     exchanged(Code::Float8_E4M3FNUZ, 8), true},
    {INVAR_FLOAT8E5M2, "float8_e5m2", exchanged(Code::Float8_E5M2, 8), true},
    {INVAR_FLOAT8E5M2FNUZ, "float8_e5m2fnuz",
     exchanged(Code::Float8_E5M2FNUZ, 8), true},
    {INVAR_FLOAT8E8M0, "float8_e8m0fnu", exchanged(Code::Float8_E8M0FNU, 8),
     true},
    {INVAR_UINT4, "uint4", {}, true},
    {INVAR_INT4, "int4", {}, true},
    {INVAR_UINT2, "uint2", {}, true},
    {INVAR_INT2, "int2", {}, true},
    {INVAR_FLOAT4E2M1, "float4_e2m1fn", {}, true},
    {INVAR_FLOAT6E2M3, "float6_e2m3fn", {}, true},
    {INVAR_FLOAT6E3M2, "float6_e3m2fn", {}, true},
};

template <typename Test> static const DataType *findIf(Test test) {
  const DataType *found =
      std::find_if(std::begin(dataTypes), std::end(dataTypes), test);
  return found == std::end(dataTypes) ? nullptr : found;
}

const DataType *invar::python::findDataType(InvarDataType number) {
  return findIf([&](const DataType &type) { return type.number == number; });
}

const DataType *invar::python::findDataType(std::string_view name) {
  return findIf([&](const DataType &type) { return type.name == name; });
}

const DataType *invar::python::findDataType(nb::dlpack::dtype exchanged) {
  return findIf(
      [&](const DataType &type) { return type.exchanged == exchanged; });
}

/// Whether an element takes one byte; elements of extension types take one or two.
static bool takesByte(const DataType &type) {
  return invar_data_type_size(type.number) == 1;
}

nb::dlpack::dtype DataType::getCarrier() const {
  return isExtension ? ::exchanged(Code::UInt, takesByte(*this) ? 8 : 16)
                     : exchanged;
}

const char *DataType::getCarrierName() const {
  return !isExtension ? name : takesByte(*this) ? "uint8" : "uint16";
}

nb::object DataType::getDtype() const {
  nb::object dtype = nb::module_::import_("numpy").attr("dtype");
  if (!isExtension)
    return dtype(name);
  try {
    return dtype(nb::module_::import_("ml_dtypes").attr(name));
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_ImportError) &&
        !error.matches(PyExc_AttributeError))
      throw;
  }
  throw Failure(
      INVAR_RUN_FAILED,
      std::string("expected a package 'ml_dtypes' that has the type '") + name +
          "', but there is none; install or update it");
}

std::string invar::python::describe(const InvarType *type) {
  switch (invar_type_kind(type)) {
  case INVAR_TYPE_TENSOR:
    return std::string("tensor(") +
           invar_data_type_name(invar_type_data_type(type)) + ")";
  case INVAR_TYPE_SEQUENCE:
    return "seq(" + describe(invar_type_element(type)) + ")";
  case INVAR_TYPE_MAP:
    return std::string("map(") + invar_data_type_name(invar_type_key(type)) +
           "," + describe(invar_type_element(type)) + ")";
  case INVAR_TYPE_OPTIONAL:
    break;
  }
  return "optional(" + describe(invar_type_element(type)) + ")";
}

nb::object invar::python::getShape(const InvarType *type) {
  if (invar_type_kind(type) != INVAR_TYPE_TENSOR || invar_type_rank(type) < 0)
    return nb::none();
  nb::list shape;
  for (size_t axis = 0; axis < size_t(invar_type_rank(type)); ++axis) {
    int64_t size = invar_type_size(type, axis);
    const char *name = invar_type_size_name(type, axis);
    if (size >= 0)
      shape.append(size);
    else if (name)
      shape.append(toStr(name));
    else
      shape.append(nb::none());
  }
  return shape;
}
