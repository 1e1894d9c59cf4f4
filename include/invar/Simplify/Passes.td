// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the ONNX dialect.
#ifndef INVAR_SIMPLIFY_PASSES_TD
#define INVAR_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapesPass : Pass<"invar-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "infer the types of all values";
  let description = [{
    Visits every operator once, from the top, and infers the types of its results: element types,
    ranks, sizes, and names of sizes (`#onnx.dims`) if the number is not known. Visits bodies of
    loops until the types of their states stop changing. Needs nothing; guarantees that a ranked
    type stays ranked; takes time linear in the model. Contradictory operands are an error.

    ```mlir
    %1 = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> tensor<*xi64>
    %2 = onnx.Concat(%1, %1) {axis = 0} : (tensor<*xi64>, tensor<*xi64>) -> tensor<*xi64>
    // becomes
    %1 = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> tensor<2xi64>
    %2 = onnx.Concat(%1, %1) {axis = 0} : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
    ```
  }];
  let options = [
    ListOption<"shapes", "shape", "std::string",
               "The shape of an input, as INPUT=1x3x?x? or INPUT=batch,3,?,?">,
    ListOption<"dims", "dim", "std::string", "The size of a named dimension, as NAME=8">,
    ListOption<"ranges", "dim-range", "std::string",
               "The range of a named dimension, as NAME=1..512">,
  ];
}

/// The base of all passes that run the combined pass (Simplify.h) with a subset of its
/// rules.
class RewritePass<string name> : Pass<name, "::mlir::ModuleOp"> {
  let dependentDialects = ["::invar::onnx::ONNXDialect"];
  list<Option> ruleOptions = [
    ListOption<"disabled", "disable", "std::string", "Rules to disable">,
    ListOption<"enabled", "enable", "std::string", "Rules to enable">,
    Option<"opset", "opset", "int64_t", "0",
           "The opset in which results must exist (default: the model's)">,
  ];
  list<Option> foldOptions = [
    Option<"wide", "wide", "bool", "false",
           "Keep floats as doubles along chains, and allow reassociation">,
    Option<"exactOnly", "exact-only", "bool", "false",
           "Fold only operators with the same bits in every engine">,
    Option<"fuse", "fuse", "bool", "true",
           "Fuse operators after a convolution or a product into its weights">,
    Option<"growth", "max-growth", "uint64_t", "65536",
           "The number of bytes that constants may grow">,
  ];
}

def PropagateConstantsPass : RewritePass<"invar-constprop"> {
  let summary = "replace constant computations by constants";
  let description = [{
    Infers all types as `invar-infer-shapes` does, and finds the constant values at the same time.
    Needs nothing; guarantees that the constants of the result take at most `max-growth` bytes more
    than before; takes time linear in the model. Computes only the constants that it stores, and
    frees intermediate values after their last use.

    ```mlir
    %1 = onnx.Constant dense<1.0> : tensor<f32>
    %2 = onnx.Constant dense<2.0> : tensor<f32>
    %3 = onnx.Add(%1, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = onnx.Constant dense<3.0> : tensor<f32>
    %5 = onnx.Add(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    // becomes
    %5 = onnx.Constant dense<6.0> : tensor<f32>
    ```
  }];
  let options = !listconcat(ruleOptions, foldOptions);
}

def CanonicalizePass : RewritePass<"invar-canonicalize"> {
  let summary = "apply the rules that keep every bit";
  let description = [{
    Removes operators that have no effect or no users, merges operators that are computed twice or
    in two steps, and brings constants together, but stores no new ones. Needs nothing; guarantees
    the same bits and no more operators; takes time linear in the model.

    ```mlir
    %1 = onnx.Transpose(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %2 = onnx.Transpose(%1) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %3 = onnx.Relu(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    // becomes
    %3 = onnx.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let options = ruleOptions;
}

def DecomposePass : RewritePass<"invar-decompose"> {
  let summary = "replace operators by simpler ones";
  let description = [{
    Replaces an operator that few compilers support by several that all support. Needs nothing;
    guarantees that no enabled rule applies any more; takes time linear in the model.

    ```mlir
    %1 = onnx.ReduceSumSquare(%x) {keepdims = 0} : (tensor<2x3xf32>) -> tensor<f32>
    // becomes
    %1 = onnx.Mul(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = onnx.ReduceSum(%1) {keepdims = 0} : (tensor<2x3xf32>) -> tensor<f32>
    ```
  }];
  let options = ruleOptions;
}

def RecomposePass : RewritePass<"invar-recompose"> {
  let summary = "recognize decomposed operators";
  let description = [{
    Replaces the operators that exporters write for an operator of a newer opset, such as
    LayerNormalization or Gelu, by that operator. Needs nothing; guarantees that the new operators
    exist in the opset of the model; takes time linear in the model. It never decomposes.

    ```mlir
    %1 = onnx.Sigmoid(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = onnx.Mul(%x, %1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    // becomes
    %2 = onnx.Swish(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let options = ruleOptions;
}

def SimplifyPass : RewritePass<"invar-simplify"> {
  let summary = "infer, fold and rewrite in one sweep";
  let description = [{
    Does the work of the passes above at each operator in turn, so that each finds what the others
    have uncovered: shapes, constants, rules; then recomposition; then the choice of the constants
    to store. Needs nothing; guarantees that a second run changes nothing, and that constants take
    at most `max-growth` bytes more; takes time linear in the model.

    ```mlir
    %1 = onnx.Shape(%x) : (tensor<?x8xf32, #onnx.dims<"n", "">>) -> tensor<2xi64>
    %2 = onnx.Constant dense<[2, 4]> : tensor<2xi64>
    %3 = onnx.Constant dense<0> : tensor<1xi64>
    %4 = onnx.Gather(%1, %3) {axis = 0} : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
    %5 = onnx.Concat(%4, %2) {axis = 0} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
    %6 = onnx.Reshape(%x, %5) : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<3xi64>) -> tensor<*xf32>
    // becomes
    %1 = onnx.Constant dense<[0, 2, 4]> : tensor<3xi64>
    %6 = onnx.Reshape(%x, %1) : (tensor<?x8xf32, #onnx.dims<"n", "">>, tensor<3xi64>) -> tensor<?x2x4xf32, #onnx.dims<"n", "", "">>
    ```
  }];
  let options = !listconcat(ruleOptions, foldOptions, [
    Option<"decompose", "decompose", "bool", "false", "Replace operators by simpler ones">,
    Option<"recompose", "recompose", "bool", "true", "Recognize decomposed operators">,
  ]);
}

def PrepareLoweringPass : Pass<"invar-prepare", "::mlir::ModuleOp"> {
  let summary = "simplify a model that is lowered next";
  let description = [{
    The same sweep as `invar-simplify`, with other choices, because nothing is written as
    ONNX again: operators without a lowering are decomposed, calls are inlined, no operators
    are recomposed, and constants may grow to five times their bytes. An If that squeezes an
    axis only if its size is 1 becomes the Squeeze; the compiled model checks the size. Needs
    nothing; guarantees that operators are of the newest opset; takes time linear in the model.

    ```mlir
    %1 = onnx.Einsum(%x, %w) {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<*xf32>
    // becomes
    %1 = onnx.MatMul(%x, %w) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let dependentDialects = ["::invar::onnx::ONNXDialect"];
}

#endif // INVAR_SIMPLIFY_PASSES_TD
