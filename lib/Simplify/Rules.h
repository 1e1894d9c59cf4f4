// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of rules, each of which adds its own.
#ifndef INVAR_LIB_SIMPLIFY_RULES_H
#define INVAR_LIB_SIMPLIFY_RULES_H

#include "invar/Simplify/Rule.h"

namespace invar {

void addControlRules(std::vector<Rule> &rules);
void addFuseRules(std::vector<Rule> &rules);

} // namespace invar

#endif // INVAR_LIB_SIMPLIFY_RULES_H
