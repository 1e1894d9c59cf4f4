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
  None,    ///< it has moved
  Nothing, ///< no operand expands, or a value is variable
  Marked,  ///< an attribute marks it, and other code expects this form
  Reduces, ///< each element would be counted once instead of several times
  SeveralResults, ///< all results would have to be repeated
  ReadsResult,    ///< it reads the tensor that it writes to
  AsksPlace,      ///< elements depend on their positions
  HasEffects,     ///< running it less often would be observable
  Traps,          ///< it may fail, and would run even if there are no elements
  Differs,        ///< another operand differs for each repetition
  Disagrees, ///< operands are repeated in different parts, or have different borders
  OpenSizes,  ///< the amount of computation is unknown
  OpenBorder, ///< the border is not one known number
  Computes,   ///< arithmetic on narrow elements has other results
  Shared,     ///< more elements would be extended than before
  Fills,      ///< elements that fill up a tile were never extended
  Merges,     ///< it merges a repeated axis with a repetition
  Parameter,  ///< a scale or zero point has no position in the moved tensor
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
