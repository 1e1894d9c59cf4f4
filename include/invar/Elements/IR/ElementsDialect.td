// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small dialect that owns lazy constants: their attribute, its pool, and the one
// element type of ONNX that MLIR lacks.
#ifndef INVAR_ELEMENTS_IR_ELEMENTSDIALECT_TD
#define INVAR_ELEMENTS_IR_ELEMENTSDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Elements_Dialect : Dialect {
  let name = "elements";
  let cppNamespace = "::invar::elements";
  let summary = "constants that are computed when they are read, and freed when nothing needs them";
  let description = [{
    `#elements.lazy<dense<…>>` is an attribute over an `invar::Elements`: a strided view or
    an expression over shared buffers, often a range of a mapped file. It is an
    `ElementsAttr` like `dense<…>` is, but MLIR keeps no copy of its content, and the
    content goes when the pool's collector finds that no operation reaches it.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

def Elements_StringType
    : TypeDef<Elements_Dialect, "String"> {
  let mnemonic = "string";
  let summary = "an element type: a string of bytes, UTF-8 by convention";
}

#endif // INVAR_ELEMENTS_IR_ELEMENTSDIALECT_TD
