// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a lazy constant exactly as the dense attribute of its content would be
// printed, but directly from the Elements: creating that attribute would copy the
// content into the context permanently.
#include "DenseForm.h"
#include "invar/Elements/IR/LazyElementsAttr.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace invar;
using namespace invar::elements;

static void printElement(AsmPrinter &printer, const Elements &content,
                         Type type, int64_t index) {
  raw_ostream &os = printer.getStream();
  if (isa<elements::StringType>(type)) {
    os << '"';
    llvm::printEscapedString(content.at<StringRef>(index), os);
    os << '"';
  } else if (auto complex = dyn_cast<ComplexType>(type)) {
    std::complex<APFloat> value = complexAt(content, complex, index);
    os << '(';
    printer.printFloat(value.real());
    os << ',';
    printer.printFloat(value.imag());
    os << ')';
  } else if (auto number = dyn_cast<FloatType>(type)) {
    printer.printFloat(floatAt(content, number, index));
  } else if (type.isInteger(1)) {
    os << (content.at<bool>(index) ? "true" : "false");
  } else {
    bitsAt(content, index).print(os, /*isSigned=*/!type.isUnsignedInteger());
  }
}

static void printNested(AsmPrinter &printer, const Elements &content, Type type,
                        ArrayRef<int64_t> shape, int64_t &index) {
  if (shape.empty())
    return printElement(printer, content, type, index++);
  raw_ostream &os = printer.getStream();
  os << '[';
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i)
      os << ", ";
    printNested(printer, content, type, shape.drop_front(), index);
  }
  os << ']';
}

static void printHex(raw_ostream &os, const Elements &content) {
  os << "\"0x";
  uint64_t size = getDenseSize(content);
  // A multiple of every element size.
  constexpr uint64_t chunk = 1 << 16;
  std::vector<char> bytes(std::min(size, chunk));
  for (uint64_t begin = 0; begin < size; begin += chunk) {
    MutableArrayRef<char> part =
        MutableArrayRef<char>(bytes).take_front(std::min(chunk, size - begin));
    readDenseBytes(content, begin, part);
    os << llvm::toHex(StringRef(part.data(), part.size()));
  }
  os << '"';
}

void elements::printAsDense(AsmPrinter &printer, LazyElementsAttr attribute) {
  const Elements &content = attribute.getElements();
  raw_ostream &os = printer.getStream();
  // The printer does not expose its flags; these are the flags of the command line.
  OpPrintingFlags flags;
  // A dense attribute also checks whether all elements are equal.
  bool isSplat = content.detectSplat();
  if (!isSplat && flags.shouldElideElementsAttr(attribute)) {
    os << "dense_resource<__elided__>";
    return;
  }
  os << "dense<";
  if (isSplat) {
    printElement(printer, content, attribute.getElementType(), 0);
  } else if (content.numElements() != 0) {
    int64_t limit = flags.getLargeElementsAttrHexLimit();
    if (content.getType() != DataType::String && limit >= 0 &&
        content.numElements() > limit) {
      printHex(os, content);
    } else {
      int64_t index = 0;
      printNested(printer, content, attribute.getElementType(),
                  content.getShape(), index);
    }
  }
  os << '>';
}
