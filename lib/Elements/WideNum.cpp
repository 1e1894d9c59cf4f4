// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Elements/WideNum.h"

#include "invar/Elements/Cast.h"

using namespace invar;

int64_t WideNum::toInt(DataType type) const {
  return getKind(type) == NumberKind::Float ? truncateToInt64(f) : i;
}

double WideNum::toDouble(DataType type) const {
  switch (getKind(type)) {
  case NumberKind::Float:
    return f;
  case NumberKind::Signed:
    return static_cast<double>(i);
  default:
    return static_cast<double>(u);
  }
}

void invar::widenLanes(DataType type, const void *lanes,
                       llvm::MutableArrayRef<WideNum> numbers) {
  dispatch(type, [&](auto tag) {
    using Tag = decltype(tag);
    if constexpr (isNumericTag<Tag>) {
      const auto *in = static_cast<const typename Tag::Lane *>(lanes);
      for (WideNum &number : numbers)
        number = widen<Tag>(*in++);
    } else {
      llvm_unreachable("complex numbers and strings aren't wide numbers");
    }
  });
}

void invar::narrowLanes(DataType type, llvm::ArrayRef<WideNum> numbers,
                        void *lanes) {
  dispatch(type, [&](auto tag) {
    using Tag = decltype(tag);
    if constexpr (isNumericTag<Tag>) {
      auto *out = static_cast<typename Tag::Lane *>(lanes);
      for (WideNum number : numbers)
        *out++ = narrow<Tag>(number);
    } else {
      llvm_unreachable("complex numbers and strings aren't wide numbers");
    }
  });
}
