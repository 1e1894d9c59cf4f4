// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Testing.h"

#include <regex>

using namespace invar;
using namespace invar::testing;

namespace {
/// Two nodes of one kernel, and one that calls a runtime function.
ProgramBuilder makeThreeNodes() {
  ProgramBuilder b;
  uint32_t type = b.tensor(INVAR_FLOAT32, {"N"}),
           intType = b.anyTensor(INVAR_INT64);
  uint32_t x = b.input("x", type), y = b.object(), z = b.object(),
           places = b.object();
  b.output("places", intType);
  uint32_t n = b.number(), kernel = addTwiceKernel(b);
  b.kernels[kernel].name = "twice_3";
  b.node("first");
  b.emit(INVAR_OP_SIZE, n, x, 0);
  b.emit(INVAR_OP_ALLOCATE, y, INVAR_FLOAT32, List{n});
  b.emit(INVAR_OP_KERNEL, kernel, List{x, y}, List{n});
  b.node("say \"second\"\n\x1b[2J");
  b.emit(INVAR_OP_ALLOCATE, z, INVAR_FLOAT32, List{n});
  b.emit(INVAR_OP_KERNEL, kernel, List{y, z}, List{n});
  b.node("third");
  b.call("NonZero", {z}, {places}, {intType});
  b.emit(INVAR_OP_RETURN, List{places});
  return b;
}
} // namespace

TEST(Profile, TableHasNodesAndKernels) {
  Model model(makeThreeNodes());
  rt::Session session = model.mustLoad();
  rt::Value x = tensor<float>({50}, std::vector<float>(50, 1));
  mustRun(session, {x});
  EXPECT_EQ(session.profile(INVAR_PROFILE_TABLE), "no runs\n");
  session.setProfile(true);
  for (int i = 0; i < 4; ++i)
    mustRun(session, {x});
  session.setProfile(false);
  mustRun(session, {x});
  std::string table = session.profile(INVAR_PROFILE_TABLE);
  auto has = [&](const char *pattern) {
    return std::regex_search(table, std::regex(pattern));
  };
  EXPECT_TRUE(has("^4 runs, [0-9.]+ ms each\n")) << table;
  EXPECT_TRUE(has("\n +[0-9.]+ +[0-9.]+ +1  first  twice_3\n")) << table;
  // A name of a model must not move the cursor.
  EXPECT_NE(table.find("  say \"second\"\\x0a\\x1b[2J  twice_3\n"),
            std::string::npos)
      << table;
  EXPECT_TRUE(has("\n +[0-9.]+ +[0-9.]+ +1  third  NonZero\n")) << table;
  EXPECT_TRUE(has("\n +[0-9.]+ +[0-9.]+ +2  twice\n")) << table;
}

TEST(Profile, TraceIsOfChrome) {
  Model model(makeThreeNodes());
  rt::Session session = model.mustLoad();
  session.setProfile(true);
  mustRun(session, {tensor<float>({50}, std::vector<float>(50, 1))});
  std::string trace = session.profile(INVAR_PROFILE_TRACE);
  EXPECT_EQ(trace.find("{\"displayTimeUnit\":\"ms\",\"traceEvents\":["), 0u);
  for (const char *part :
       {"\"name\":\"run\",\"cat\":\"run\",\"ph\":\"X\"",
        "\"name\":\"first\",\"cat\":\"kernel\"",
        "\"name\":\"say \\\"second\\\"\\u000a\\u001b[2J\",\"cat\":\"kernel\"",
        "\"name\":\"third\",\"cat\":\"call\"",
        "\"args\":{\"kernel\":\"twice_3\",\"units\":50}}"})
    EXPECT_NE(trace.find(part), std::string::npos) << part << "\n" << trace;
  // Brackets are balanced.
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '{'),
            std::count(trace.begin(), trace.end(), '}'));
}
