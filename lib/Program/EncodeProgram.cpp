// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes a whole model: its main program, followed by the folds.
#include "Encoder.h"
#include "FoldGroups.h"
#include "invar/Program/Encode.h"
#include "invar/Support/Hash.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace invar;

using Words = Assembler::Words;

static void append(Words &words, uint64_t number) {
  words.insert(words.end(), {uint32_t(number), uint32_t(number >> 32)});
}

/// A hash of everything that folded constants depend on: the code of folds, kernels, the
/// constants of the store, and `target`.
static Hash128 getRecipe(ModuleOp module, ArrayRef<Words> folds,
                         const ConstantPlaces &places, StringRef target) {
  Hasher hasher;
  hasher.add(target);
  for (const Words &fold : folds)
    hasher.add(ArrayRef(reinterpret_cast<const uint8_t *>(fold.data()),
                        fold.size() * sizeof(uint32_t)));
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function->hasAttr("invar.kernel"))
      continue;
    std::string text;
    llvm::raw_string_ostream stream(text);
    // With local scope: to name values, the printer would otherwise go through the whole
    // module.
    function.print(stream, OpPrintingFlags().useLocalScope());
    hasher.add(text);
  }
  for (const StoredConstant &constant : places.getStored())
    hasher.add(constant.content.getRecipe());
  return hasher.finish();
}

FailureOr<EncodedProgram> invar::encodeProgram(func::FuncOp main,
                                               const EncodeOptions &options) {
  auto module = main->getParentOfType<ModuleOp>();
  ConstantPlaces places(module, options.keepsParameters);
  // Folded constants are placed in the order in which the model uses them.
  KernelNumbers kernels = numberKernels(module);
  Encoder encoder(kernels, places);
  std::vector<ConstantPlaces::FirstUse> uses = places.placeInOrder(main);
  std::optional<MemoryLayout> layout;
  if (options.plansMemory)
    layout.emplace(main);
  if (failed(encoder.encode(main, layout ? &*layout : nullptr)))
    return failure();
  EncodedProgram program;
  if (layout) {
    program.memory = layout->takeReport();
    for (const auto &[place, isFolded, user] : uses)
      program.memory.constants.push_back({place.offset, place.size,
                                          layout->getLifetimes().getTime(user),
                                          isFolded});
  }
  std::vector<Words> folds;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto time = function->getAttrOfType<StringAttr>(constants::foldAttribute);
    if (!time || time.getValue() != "run-once")
      continue;
    for (OwningOpRef<func::FuncOp> &group : splitIntoGroups(function)) {
      Encoder part(kernels, places);
      if (failed(part.encode(*group)))
        return failure();
      Words words = part.finish();
      words.insert(words.begin(), uint32_t(words.size()));
      for (unsigned i = 0; i < group->getNumResults(); ++i) {
        auto id =
            group->getResultAttrOfType<IntegerAttr>(i, constants::idAttribute);
        FailureOr<ConstantPlace> place =
            places.getFolded(id.getInt(), group->getResultTypes()[i]);
        if (failed(place))
          return failure();
        append(words, place->offset);
      }
      folds.push_back(std::move(words));
    }
  }
  program.words = encoder.finish(places.getParameters(), options.source);
  auto *header = reinterpret_cast<InvarProgramHeader *>(program.words.data());
  header->num_folds = uint32_t(folds.size());
  header->folded_size[0] = uint32_t(places.getFoldedSize());
  header->folded_size[1] = uint32_t(places.getFoldedSize() >> 32);
  if (!folds.empty()) {
    Hash128 recipe = getRecipe(module, folds, places, options.target);
    memcpy(header->recipe, &recipe, sizeof(header->recipe));
  }
  for (const Words &fold : folds)
    llvm::append_range(program.words, fold);
  program.folds = folds.size();
  program.parameters = places.getParameters().size();
  program.missingParameters =
      size_t(llvm::count_if(places.getParameters(), [](const auto &parameter) {
        return !parameter.place;
      }));
  program.foldedSize = places.getFoldedSize();
  program.constantsSize = places.getStoredSize();
  program.constants = places.takeStored();
  return program;
}
