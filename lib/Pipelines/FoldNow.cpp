// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FoldNow.h"

#include "invar-c/Invar.hpp"
#include "invar/Codegen/Link.h"
#include "invar/Constness/Constness.h"
#include "invar/Dialect/Const/Const.h"
#include "invar/Elements/ElementsBuilder.h"
#include "invar/Elements/IR/DataTypes.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "invar/Program/Encode.h"
#include "invar/Stop/Scope.h"
#include "invar/Support/Error.h"
#include "invar/Support/MemoryFile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace invar;

static llvm::Error toError(const rt::Error &error) {
  return badInput(StringRef(error.text()));
}

/// Whether a function reads weights that may be replaced at run time.
static bool readsAny(func::FuncOp function,
                     const llvm::DenseSet<Operation *> &parameters) {
  return function
      .walk([&](constants::RefOp ref) {
        return parameters.contains(ref) ? WalkResult::interrupt()
                                        : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool canFold(func::FuncOp function,
                    const llvm::DenseSet<Operation *> &parameters) {
  return function.getNumArguments() == 0 && !readsAny(function, parameters) &&
         llvm::all_of(function.getResultTypes(), [](Type type) {
           auto element =
               elements::toDataType(cast<ShapedType>(type).getElementType());
           return element && !isPacked(*element);
         });
}

/// A module with a fold as its main function, and everything that it calls and refers to.
static OwningOpRef<ModuleOp> isolate(ModuleOp module, func::FuncOp fold) {
  OwningOpRef<ModuleOp> made = ModuleOp::create(module.getLoc());
  auto builder = OpBuilder::atBlockEnd(made->getBody());
  if (auto store = constants::StoreOp::find(module))
    builder.clone(*store);
  llvm::StringSet<> called;
  fold.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
  for (auto function : module.getOps<func::FuncOp>())
    if (called.contains(function.getName()))
      builder.clone(*function);
  auto main = cast<func::FuncOp>(builder.clone(*fold));
  main.setName("main");
  main->removeAttr(constants::foldAttribute);
  return made;
}

static llvm::Expected<std::vector<rt::Value>>
run(ModuleOp module, const MappedFiles &sources,
    const EvalOptions &evaluation) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  llvm::Expected<CpuTarget> host = CpuTarget::getHost();
  if (!host)
    return host.takeError();
  FailureOr<EncodedProgram> program =
      encodeProgram(main, {.target = host->cpu, .plansMemory = false});
  auto kernels =
      compileKernels(module, {.target = *host, .threads = evaluation.threads});
  if (failed(program) || failed(kernels))
    return badInput("expected constants that can be computed when compiling; "
                    "'--fold-at=run' computes them later");
  auto library = linkModule(KernelVariant{*host, std::move(*kernels)},
                            {.program = program->words, .compiler = "invar"});
  if (!library)
    return library.takeError();
  llvm::Expected<MemoryFile> file = MemoryFile::create("constants");
  if (!file)
    return file.takeError();
  auto written =
      writeLibrary(file->getPath(), (*library)->getBuffer(), *program,
                   {.evaluation = evaluation, .sources = sources});
  if (!written)
    return written.takeError();
  InvarSessionOptions options = INVAR_SESSION_OPTIONS;
  options.num_threads = int32_t(evaluation.threads);
  InvarSession *loaded = nullptr;
  if (rt::Error error{invar_session_load_descriptor(
          file->getDescriptor(), "constants", &options, &loaded)})
    return toError(error);
  rt::Session session(loaded);
  InvarRunOptions bounds = INVAR_RUN_OPTIONS;
  bounds.poll = [](void *) -> int32_t { return StopScope::isDue(); };
  auto outputs = session.run({}, StopScope::get() ? &bounds : nullptr);
  if (!outputs)
    return toError(outputs.error());
  return std::move(*outputs);
}

/// The computed value, without a copy. It stays alive as long as the constant.
static llvm::Expected<Elements> toElements(rt::Value computed,
                                           RankedTensorType type) {
  auto owner = std::make_shared<rt::Value>(std::move(computed));
  DataType element = *elements::toDataType(type.getElementType());
  llvm::ArrayRef bytes(owner->data<uint8_t>(),
                       size_t(type.getNumElements()) * getLaneSize(element));
  auto buffer = Buffer::unowned(element, type.getNumElements(), bytes, owner);
  if (!buffer)
    return buffer.takeError();
  return ElementsBuilder().fromBuffer(*buffer, type.getShape());
}

/// Replaces arguments that stand for folded constants by the computed constants.
static void replaceArguments(func::FuncOp function,
                             const llvm::DenseMap<int64_t, Elements> &folded) {
  auto builder = OpBuilder::atBlockBegin(&function.front());
  llvm::BitVector gone(function.getNumArguments());
  for (unsigned number = function.getNumArguments(); number-- > 0;) {
    auto id =
        function.getArgAttrOfType<IntegerAttr>(number, constants::idAttribute);
    auto found = id ? folded.find(id.getInt()) : folded.end();
    if (found == folded.end())
      continue;
    BlockArgument argument = function.getArgument(number);
    auto content =
        elements::LazyElementsAttr::get(function.getContext(), found->second);
    auto ref = constants::RefOp::create(builder, argument.getLoc(),
                                        argument.getType(), content);
    argument.replaceAllUsesWith(ref.getResult());
    gone.set(number);
  }
  if (gone.any())
    eraseArguments(function, gone);
}

llvm::Error invar::foldNow(ModuleOp module, const MappedFiles &sources,
                           const EvalOptions &evaluation) {
  llvm::DenseMap<int64_t, Elements> folded;
  llvm::DenseSet<Operation *> parameters = findParameters(module);
  for (auto fold : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (!fold->hasAttr(constants::foldAttribute))
      continue;
    if (!canFold(fold, parameters)) {
      // The first run computes it instead.
      fold->setAttr(constants::foldAttribute,
                    StringAttr::get(fold.getContext(), "run-once"));
      continue;
    }
    OwningOpRef<ModuleOp> alone = isolate(module, fold);
    auto results = run(*alone, sources, evaluation);
    if (!results)
      return results.takeError();
    for (auto [i, result] : llvm::enumerate(*results)) {
      auto id = fold.getResultAttrOfType<IntegerAttr>(unsigned(i),
                                                      constants::idAttribute);
      auto elements = toElements(
          std::move(result), cast<RankedTensorType>(fold.getResultTypes()[i]));
      if (!elements)
        return elements.takeError();
      folded.try_emplace(id.getInt(), std::move(*elements));
    }
    fold.erase();
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      replaceArguments(function, folded);
  return llvm::Error::success();
}
