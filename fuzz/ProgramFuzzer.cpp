// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any words must load as a program or cause an error.
#include "invar-c/Session.h"
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  alignas(64) static const char constants[1024] = {};
  auto run = [](void *const *, const int64_t *, int64_t, int64_t, void *) {};
  auto plan = [](const int64_t *, InvarKernelPlan *plan) { *plan = {}; };
  const InvarKernel kernels[] = {{run, plan, "first"}, {run, plan, "second"}};
  std::vector<uint32_t> words(size / sizeof(uint32_t));
  if (!words.empty())
    std::memcpy(words.data(), data, words.size() * sizeof(uint32_t));
  InvarModule module = {INVAR_ABI_VERSION, 2,      kernels, words.data(),
                        words.size(),      "fuzz", ""};

  InvarSession *session = nullptr;
  InvarStatus *status = invar_session_create(
      &module, constants, sizeof(constants), "fuzz", nullptr, &session);
  if (!status) {
    invar_session_free(session);
    return 0;
  }
  // An error must state what was expected.
  if (!std::strstr(invar_status_text(status), "expected"))
    std::abort();
  invar_status_free(status);
  return 0;
}
