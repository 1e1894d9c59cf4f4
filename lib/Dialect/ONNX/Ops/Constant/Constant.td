// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// The standard's set for the operator; initializers may have any type.
def ONNX_ConstantType : Var<"T", TensorIn<AllTypes>> {
  let tensors = AllTypes25;
}

def ONNX_ConstantOp : ONNX_Op<"Constant", 25, [Pure, ConstantLike, Folds]> {
  let summary = "a tensor that is part of the model";
  let description = [{
    Initializers are constants too, told by `onnx.initializer`. The importer turns the
    scalar and list attributes into `value`, which every opset has, so of the eight only
    `value` and `sparse_value` are met.

    Example:

    ```mlir
    %c = onnx.Constant dense<[1, 2]> : tensor<2xi64>
    ```

    - (C1) exactly one of the attributes is given.
    - (C2) the result has the type of the value.
  }];
  let arguments = (ins OptSparseTensor:$sparse_value, OptTensor:$value,
                   OptReal:$value_float, OptRealList:$value_floats, OptInt:$value_int,
                   OptIntList:$value_ints, OptStr:$value_string, OptStrList:$value_strings);
  let results = (outs ONNX_ConstantType:$output);
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value)>];
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}
