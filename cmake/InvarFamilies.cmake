# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The operator families of the ONNX dialect: a folder each in lib/Dialect/ONNX/Ops with
#   F/F.td          the records
#   F/F.cpp         verifiers and shapes        (where the records need any)
#   F/FShape.cpp    shapes, where one file would be too long
#   F/FFold.cpp     values of constants         (where operators fold), and F/…Fold.cpp
#   F/FFormulas.h   formulas of elements        (where they are elementwise)
#   F/FToLinalg.cpp loops that compute it    (what can be compiled)
#   F/FOpsets.cpp   adapters of older opsets    (where a form has changed)
# This list is all that the build needs to be told of a family.
set(INVAR_FAMILIES
  Activation Arithmetic Attention Cast Compare Concat Constant Control Conv
  Expand Gather Generate Graph Logic ML MatMul Microsoft Normalize Pad Pool Quantize Random
  Recurrent Reduce Reshape Resize Scatter Sequence Signal Slice Softmax String
  Training Transpose Trigonometry)

set(INVAR_FAMILIES_DIR "${CMAKE_SOURCE_DIR}/lib/Dialect/ONNX/Ops")
