// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rules.h"

using namespace invar;

llvm::ArrayRef<Rule> invar::getRules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    addControlRules(all);
    addFuseRules(all);
    return all;
  }();
  return rules;
}
