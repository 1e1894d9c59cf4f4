// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Stop/Scope.h"

#include <utility>

using namespace invar;

// Not a global state: each thread has its own, like its stack.
static thread_local Stop *current = nullptr; // NOLINT

StopScope::StopScope(Stop *stop) : outer(std::exchange(current, stop)) {}
StopScope::~StopScope() { current = outer; }
Stop *StopScope::get() { return current; }
