# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The operator families of the ONNX dialect. Each family is a folder in lib/Dialect/ONNX/Ops with
#   F/F.td          the records
#   F/F.cpp         verifiers and shapes           (if the records need any)
#   F/FShape.cpp    shapes, if one file would be too long
#   F/FFold.cpp     folding of constants           (if operators fold), also F/…Fold.cpp
#   F/FFormulas.h   formulas of elements           (if operators are elementwise)
#   F/FToLinalg.cpp lowering to loops              (if operators can be compiled)
#   F/FCalls.cpp    functions of the runtime       (for operators that no loops express), also F/…Calls.cpp
#   F/FOpsets.cpp   adapters for older opsets      (if an operator's form has changed)
# A new family must be added only to this list; the build needs nothing else.
set(INVAR_FAMILIES
  Activation Arithmetic Attention Cast Compare Concat Constant Control Conv
  Expand Gather Generate Graph Logic ML MatMul Microsoft Normalize Pad Pool Quantize Random
  Recurrent Reduce Reshape Resize Scatter Sequence Signal Slice Softmax String
  Training Transpose Trigonometry)

set(INVAR_FAMILIES_DIR "${CMAKE_SOURCE_DIR}/lib/Dialect/ONNX/Ops")
