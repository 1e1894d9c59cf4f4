// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Calls.h"

#include <algorithm>

using namespace invar::runtime;

static constexpr CallFunction functions[] = {
#define INVAR_CALL(NAME, OPERANDS, RESULTS)                                    \
  {#NAME, {OPERANDS}, {RESULTS}, &call##NAME},
#include "Calls.def"
};

static constexpr bool isBefore(const CallFunction &function,
                               std::string_view name) {
  return function.name < name;
}

static_assert(std::is_sorted(std::begin(functions), std::end(functions),
                             [](const CallFunction &a, const CallFunction &b) {
                               return isBefore(a, b.name);
                             }),
              "Calls.def is not in the order of names");

const CallFunction *invar::runtime::findCall(std::string_view name) {
  const CallFunction *found = std::lower_bound(
      std::begin(functions), std::end(functions), name, isBefore);
  return found != std::end(functions) && found->name == name ? found : nullptr;
}
