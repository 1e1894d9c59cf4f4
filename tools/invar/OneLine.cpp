// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Commands.h"

#include "invar/Files/Printable.h"

std::string invar::inOneLine(llvm::StringRef text) {
  return makePrintable(text);
}
