// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an operator describes its shapes. The description is written once and used by
// inference, folding, lowering and planning (ShapeHelper.h).
#ifndef INVAR_INDEXEXPR_SHAPEINTERFACES_TD
#define INVAR_INDEXEXPR_SHAPEINTERFACES_TD

include "mlir/IR/OpBase.td"

def ShapeOpInterface : OpInterface<"ShapeOpInterface"> {
  let cppNamespace = "::invar";
  let description = "An operator whose results' shapes follow from its operands.";
  let methods = [
    InterfaceMethod<[{
      Sets the dims of each result in `shape`, and the element type where it is not that
      of an operand. What cannot be known yet is left unset. Fails, having emitted an
      error, if the operands contradict each other.
    }], "::llvm::LogicalResult", "computeShape", (ins "::invar::ShapeHelper &":$shape)>
  ];
}

def EntriesOpInterface : OpInterface<"EntriesOpInterface"> {
  let cppNamespace = "::invar";
  let description = [{
    An operator that shapes are calculated with: where a result is a small tensor of
    integers, each of its entries is an expression of the entries and sizes of operands.
  }];
  let methods = [
    InterfaceMethod<[{
      The entries of a result of rank 0 or 1, or none where they are not known. Called
      when computeShape() has found how many there are.
    }], "::std::optional<::invar::DimsExpr>", "computeEntries",
        (ins "::invar::ShapeHelper &":$shape, "unsigned":$result)>
  ];
}

#endif // INVAR_INDEXEXPR_SHAPEINTERFACES_TD
