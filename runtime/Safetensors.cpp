// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads safetensors files: 8 bytes with the length of the header, the header, which is
// JSON and has the offsets of each tensor, and the tensors.
#include "Weights.h"

#include <algorithm>
#include <cstring>

#define JSON_NOEXCEPTION
#include <nlohmann/json.hpp>

using namespace invar::runtime;
using nlohmann::json;

static std::optional<InvarDataType> getDataType(std::string_view name) {
  static constexpr std::pair<std::string_view, InvarDataType> all[] = {
      {"F64", INVAR_FLOAT64},        {"F32", INVAR_FLOAT32},
      {"F16", INVAR_FLOAT16},        {"BF16", INVAR_BFLOAT16},
      {"I64", INVAR_INT64},          {"I32", INVAR_INT32},
      {"I16", INVAR_INT16},          {"I8", INVAR_INT8},
      {"U64", INVAR_UINT64},         {"U32", INVAR_UINT32},
      {"U16", INVAR_UINT16},         {"U8", INVAR_UINT8},
      {"BOOL", INVAR_BOOL},          {"F8_E4M3", INVAR_FLOAT8E4M3FN},
      {"F8_E5M2", INVAR_FLOAT8E5M2}, {"C64", INVAR_COMPLEX64}};
  for (auto [each, type] : all)
    if (each == name)
      return type;
  return std::nullopt;
}

/// Reads a list of non-negative numbers.
static bool readNumbers(const json &list, std::vector<int64_t> &numbers) {
  if (!list.is_array())
    return false;
  for (const json &number : list) {
    if (!number.is_number_unsigned() ||
        number.get<uint64_t>() > uint64_t(INT64_MAX))
      return false;
    numbers.push_back(number.get<int64_t>());
  }
  return true;
}

namespace {
class Safetensors final : public Weights {
public:
  explicit Safetensors(Store::Ref file) : file(std::move(file)) {}

  Status read() {
    uint64_t length;
    std::memcpy(&length, file->getData(), sizeof(length));
    const char *text = file->getData() + sizeof(length);
    begin = sizeof(length) + length;
    header = json::parse(text, text + length, nullptr,
                         /*allow_exceptions=*/false);
    if (!header.is_object())
      return fail(INVAR_BAD_MODEL,
                  "expected a header of JSON, but it cannot be read");
    return checkSize();
  }

  Status find(const std::string &name, bool &isFound,
              Weight &weight) const override {
    auto entry = header.find(name);
    isFound = entry != header.end();
    if (!isFound)
      return Status::success();
    std::vector<int64_t> range;
    const json none;
    auto get = [&](const char *key) -> const json & {
      return entry->is_object() && entry->contains(key) ? (*entry)[key] : none;
    };
    const json &type = get("dtype");
    std::optional<InvarDataType> known;
    if (type.is_string())
      known = getDataType(type.get_ref<const std::string &>());
    if (!known || !readNumbers(get("shape"), weight.sizes) ||
        !readNumbers(get("data_offsets"), range) || range.size() != 2)
      return fail(INVAR_BAD_MODEL,
                  "expected a type, a shape and two offsets, but the header "
                  "has something else");
    weight.type = *known;
    std::optional<int64_t> bytes =
        countBytes(*known, weight.sizes.data(), weight.sizes.size());
    uint64_t rest = file->getSize() - begin;
    if (!bytes || range[0] > range[1] || range[1] - range[0] != *bytes ||
        uint64_t(range[1]) > rest)
      return fail(INVAR_BAD_MODEL, "expected ",
                  describeTensor(*known, weight.sizes), " in ", rest,
                  " bytes, but got those from ", range[0], " to ", range[1]);
    weight.place = {file, begin + uint64_t(range[0])};
    return Status::success();
  }

private:
  /// Checks that a file is as long as its header requires. A truncated file is rejected
  /// even if the missing part is not needed.
  Status checkSize() const {
    uint64_t end = 0;
    for (const json &entry : header) {
      std::vector<int64_t> range;
      if (entry.is_object() && entry.contains("data_offsets") &&
          readNumbers(entry["data_offsets"], range) && range.size() == 2)
        end = std::max(end, uint64_t(range[1]));
    }
    uint64_t rest = file->getSize() - begin;
    return end <= rest ? Status::success()
                       : fail(INVAR_BAD_MODEL, "expected ", end,
                              " bytes of tensors, but got ", rest,
                              ": the file was cut short");
  }

  Store::Ref file;
  uint64_t begin = 0; ///< offsets count from here
  json header;
};
} // namespace

Status invar::runtime::openSafetensors(Store::Ref file,
                                       std::unique_ptr<Weights> &weights) {
  auto opened = std::make_unique<Safetensors>(std::move(file));
  if (Status status = opened->read())
    return status;
  weights = std::move(opened);
  return Status::success();
}
