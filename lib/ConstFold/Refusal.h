// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why an expansion stays where it is.
#ifndef INVAR_LIB_CONSTFOLD_REFUSAL_H
#define INVAR_LIB_CONSTFOLD_REFUSAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdint>

namespace invar {

enum class Refusal : uint8_t {
  None,           ///< it has moved
  Nothing,        ///< nothing expands, or something is variable
  Marked,         ///< who marked it looks for it as it is
  Reduces,        ///< each element would be counted once instead of often
  SeveralResults, ///< all would have to be repeated
  ReadsResult,    ///< the tensor that is written to has a content
  AsksPlace,      ///< elements differ by their place
  HasEffects,     ///< doing less would be seen
  Traps,   ///< it may fail, and would run although there is nothing to run over
  Differs, ///< another operand is different for each repetition
  Disagrees,  ///< operands are repeated in other parts, or have other borders
  OpenSizes,  ///< how much there is to compute is not known
  OpenBorder, ///< what stands in the border is not one known number
  Computes,   ///< arithmetic on narrow elements is another one
  Shared,     ///< more elements would be extended than before
  Fills,      ///< a filled up tile has elements that were never extended
  Merges,     ///< it makes one axis of what is repeated and what repeats
  Parameter,  ///< a scale or zero point has no place in the moved tensor
};

inline llvm::StringRef toString(Refusal refusal) {
  switch (refusal) {
  case Refusal::None:
    return "it has moved";
  case Refusal::Nothing:
    return "nothing expands";
  case Refusal::Marked:
    return "this is marked";
  case Refusal::Reduces:
    return "this reduces";
  case Refusal::SeveralResults:
    return "this has several results";
  case Refusal::ReadsResult:
    return "this reads what it writes to";
  case Refusal::AsksPlace:
    return "this depends on the place of an element";
  case Refusal::HasEffects:
    return "this has effects";
  case Refusal::Traps:
    return "this may fail, and there may be nothing to compute";
  case Refusal::Differs:
    return "another operand differs from repetition to repetition";
  case Refusal::Disagrees:
    return "operands expand in different ways";
  case Refusal::OpenSizes:
    return "sizes are not known";
  case Refusal::OpenBorder:
    return "the border would not be one constant";
  case Refusal::Computes:
    return "this computes with extended elements";
  case Refusal::Shared:
    return "more elements would be extended";
  case Refusal::Fills:
    return "this fills up tiles";
  case Refusal::Merges:
    return "this merges axes";
  case Refusal::Parameter:
    return "a parameter of the extension cannot follow";
  }
  llvm_unreachable("all are there");
}

} // namespace invar

#endif // INVAR_LIB_CONSTFOLD_REFUSAL_H
