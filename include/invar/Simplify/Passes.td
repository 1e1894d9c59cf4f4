// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the ONNX dialect.
#ifndef INVAR_SIMPLIFY_PASSES_TD
#define INVAR_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapes : Pass<"invar-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "find the types of all values";
  let description = [{
    Visits every operator once, top down, and gives its results types: element types,
    ranks, sizes, and sizes by name (`#onnx.dims`) where no number is known. Bodies of
    loops are visited until the types of their states stay. Needs nothing; guarantees
    that a type that was ranked stays so; takes time linear in the model. Operands that
    contradict each other are an error.

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
               "What an input's shape is, as INPUT=1x3x?x? or INPUT=batch,3,?,?">,
    ListOption<"dims", "dim", "std::string", "What a named dimension is, as NAME=8">,
    ListOption<"ranges", "dim-range", "std::string",
               "What a named dimension may be, as NAME=1..512">,
  ];
  let statistics = [
    Statistic<"numVisits", "visits", "Number of visits to operators">,
    Statistic<"numKnown", "known", "Number of values of known shape">,
    Statistic<"numSymbolic", "symbolic", "Number of values whose shape has names in it">,
    Statistic<"numUnknown", "unknown", "Number of values of unknown rank or type">,
  ];
}

def PropagateConstants : Pass<"invar-constprop", "::mlir::ModuleOp"> {
  let summary = "replace what is constant by constants";
  let description = [{
    Infers all types as `invar-infer-shapes` does, and finds on the way which values are
    constant. Needs nothing; guarantees that the constants of the result take no more
    bytes than before but for a given growth; takes time linear in the model, and computes
    nothing but what it stores. Nothing in between is kept in memory longer than it is
    used.

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
  let dependentDialects = ["::invar::onnx::ONNXDialect"];
  let options = [
    Option<"wide", "wide", "bool", "false",
           "Keep floats as doubles along chains, and reassociate them">,
    Option<"exactOnly", "exact-only", "bool", "false",
           "Fold only what every engine computes to the same bits">,
    Option<"fuse", "fuse", "bool", "true",
           "Take what follows a convolution or a product into its weights">,
    Option<"growth", "max-growth", "uint64_t", "65536",
           "By how many bytes the constants may grow">,
    ListOption<"disabled", "disable", "std::string", "Rules to do without">,
    ListOption<"enabled", "enable", "std::string", "Rules to apply too">,
  ];
  let statistics = [
    Statistic<"numVisits", "visits", "Number of visits to operators">,
    Statistic<"numRules", "rules", "Number of times that a rule was applied">,
    Statistic<"numFolded", "folded", "Number of operators that were folded">,
    Statistic<"numLeft", "left", "Number of operators of constants that were left">,
  ];
}

#endif // INVAR_SIMPLIFY_PASSES_TD
