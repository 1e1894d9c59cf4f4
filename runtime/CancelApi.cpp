// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of invar-c/Cancel.h.
#include "invar-c/Cancel.h"

#include "invar/Stop/Stop.h"

static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may trigger");

InvarCancel *invar_cancel_create(void) { return new InvarCancel; }

void invar_cancel_retain(InvarCancel *cancel) {
  if (cancel)
    cancel->references.fetch_add(1, std::memory_order_relaxed);
}

void invar_cancel_release(InvarCancel *cancel) {
  if (cancel && cancel->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete cancel;
}

void invar_cancel_trigger(InvarCancel *cancel) {
  cancel->isTriggered.store(true, std::memory_order_relaxed);
}

void invar_cancel_reset(InvarCancel *cancel) {
  cancel->isTriggered.store(false, std::memory_order_relaxed);
}

int32_t invar_cancel_is_triggered(const InvarCancel *cancel) {
  return cancel->isTriggered.load(std::memory_order_relaxed);
}
