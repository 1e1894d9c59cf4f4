// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckOutputs.h"

#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace invar;
using llvm::StringRef;

/// The text of check_outputs.py.
static constexpr const char *program =
#include "CheckOutputsProgram.inc"
    ;

static llvm::Expected<std::string> findPython() {
  if (std::optional<std::string> named =
          llvm::sys::Process::GetEnv("INVAR_PYTHON");
      named && !named->empty())
    return *named;
  if (llvm::ErrorOr<std::string> found =
          llvm::sys::findProgramByName("python3"))
    return *found;
  return outOfResources("expected python3 with onnxruntime for '--check', but "
                        "there is none; $INVAR_PYTHON says where one is");
}

static llvm::json::Value toJson(StringRef original, StringRef written,
                                const CheckRequest &request) {
  llvm::json::Object shapes, data;
  for (auto &[name, sizes] : request.shapes)
    shapes[llvm::json::fixUTF8(name)] = llvm::json::Array(sizes);
  for (auto &[name, file] : request.data)
    data[llvm::json::fixUTF8(name)] = llvm::json::fixUTF8(file);
  llvm::json::Object object{{"original", llvm::json::fixUTF8(original)},
                            {"written", llvm::json::fixUTF8(written)},
                            {"runs", request.runs},
                            {"shapes", std::move(shapes)},
                            {"data", std::move(data)},
                            {"fill", request.fill}};
  if (request.relative)
    object["rtol"] = *request.relative;
  if (request.absolute)
    object["atol"] = *request.absolute;
  if (!request.library.empty())
    object["library"] = llvm::json::fixUTF8(request.library);
  return object;
}

/// Runs the program and returns its answer.
static llvm::Expected<llvm::json::Value> ask(StringRef python,
                                             const llvm::json::Value &request) {
  llvm::SmallString<128> answers, complaints;
  for (llvm::SmallString<128> *path : {&answers, &complaints})
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("invar-check", "txt", *path))
      return systemError("--check", "write", error.value());
  llvm::FileRemover removal(answers), otherRemoval(complaints);
  std::string text, reason;
  llvm::raw_string_ostream(text) << request;
  int code = llvm::sys::ExecuteAndWait(
      python, {python, "-c", program, text}, std::nullopt,
      {StringRef(), StringRef(answers), StringRef(complaints)},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &reason);
  auto read = [](StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().trim().str() : std::string();
  };
  if (code == 0)
    if (llvm::Expected<llvm::json::Value> answer =
            llvm::json::parse(read(answers)))
      return answer;
    else
      llvm::consumeError(answer.takeError());
  if (reason.empty())
    reason = StringRef(read(complaints)).rsplit('\n').second.str();
  return outOfResources("expected '" + python +
                        "' to compare outputs, but it failed: " + reason);
}

llvm::Expected<std::vector<OutputDifference>>
invar::checkOutputs(StringRef original, StringRef written,
                    const CheckRequest &request) {
  llvm::Expected<std::string> python = findPython();
  if (!python)
    return python.takeError();
  llvm::Expected<llvm::json::Value> answer =
      ask(*python, toJson(original, written, request));
  if (!answer)
    return answer.takeError();
  const llvm::json::Object *object = answer->getAsObject();
  if (!object)
    return outOfResources("expected '" + *python +
                          "' to compare outputs, but it said nothing");
  StringRef text = object->getString("text").value_or("");
  if (std::optional<StringRef> kind = object->getString("error")) {
    if (*kind == "no-engine")
      return outOfResources(
          "expected onnxruntime for '--check', but got: " + text +
          "; 'pip install onnxruntime' installs it, $INVAR_PYTHON names "
          "another Python, and without '--check' the model is written "
          "unchecked");
    return badInput(original + ": " + text +
                    (*kind == "original"
                         ? "; --test-input-shape and --input-data-path state "
                           "what inputs can be"
                         : ""));
  }
  if (std::optional<StringRef> failed = object->getString("failed"))
    return badInput(original + ": " + *failed);
  std::vector<OutputDifference> differences;
  std::string wrong;
  if (const llvm::json::Array *outputs = object->getArray("outputs"))
    for (const llvm::json::Value &value : *outputs) {
      const llvm::json::Object *output = value.getAsObject();
      if (!output)
        continue;
      OutputDifference difference{output->getString("name").value_or("").str(),
                                  output->getNumber("absolute").value_or(0),
                                  output->getNumber("relative").value_or(0),
                                  output->getBoolean("random").value_or(false)};
      if (!output->getBoolean("agrees").value_or(false))
        wrong += llvm::formatv("{0}'{1}' by {2:E1} ({3:E1} relatively)",
                               wrong.empty() ? "" : ", ", difference.name,
                               difference.absolute, difference.relative);
      differences.push_back(std::move(difference));
    }
  if (!wrong.empty())
    return badInput(original +
                    ": expected the outputs of the original, but got others: " +
                    wrong + "; nothing was written");
  return differences;
}
