// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over the ONNX dialect.
#ifndef INVAR_SIMPLIFY_PASSES_TD
#define INVAR_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapesPass : Pass<"invar-infer-shapes", "::mlir::ModuleOp"> {
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

/// The base of all passes that run the combined pass (Simplify.h) with a subset of its
/// rules.
class RewritePass<string name> : Pass<name, "::mlir::ModuleOp"> {
  let dependentDialects = ["::invar::onnx::ONNXDialect"];
  list<Option> ruleOptions = [
    ListOption<"disabled", "disable", "std::string", "Rules to do without">,
    ListOption<"enabled", "enable", "std::string", "Rules to apply too">,
    Option<"opset", "opset", "int64_t", "0",
           "The opset that results must exist in (default: the model's)">,
  ];
  list<Option> foldOptions = [
    Option<"wide", "wide", "bool", "false",
           "Keep floats as doubles along chains, and reassociate them">,
    Option<"exactOnly", "exact-only", "bool", "false",
           "Fold only what every engine computes to the same bits">,
    Option<"fuse", "fuse", "bool", "true",
           "Take what follows a convolution or a product into its weights">,
    Option<"growth", "max-growth", "uint64_t", "65536",
           "By how many bytes the constants may grow">,
  ];
  list<Statistic> ruleStatistics = [
    Statistic<"numVisits", "visits", "Number of visits to operators">,
    Statistic<"numRules", "rules", "Number of times that a rule was applied">,
  ];
}

def PropagateConstantsPass : RewritePass<"invar-constprop"> {
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
  let options = !listconcat(ruleOptions, foldOptions);
  let statistics = !listconcat(ruleStatistics, [
    Statistic<"numFolded", "folded", "Number of operators that were folded">,
    Statistic<"numLeft", "left", "Number of operators of constants that were left">,
  ]);
}

def CanonicalizePass : RewritePass<"invar-canonicalize"> {
  let summary = "apply the rules that keep every bit";
  let description = [{
    Drops what changes nothing or is not used, merges what is done twice or in two steps,
    and brings constants together, without storing any that is not there. Needs nothing;
    guarantees the same bits and no more operators; takes time linear in the model.

    ```mlir
    %1 = onnx.Transpose(%x) {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %2 = onnx.Transpose(%1) {perm = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %3 = onnx.Relu(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    // becomes
    %3 = onnx.Relu(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let options = ruleOptions;
  let statistics = ruleStatistics;
}

def DecomposePass : RewritePass<"invar-decompose"> {
  let summary = "express operators by simpler ones";
  let description = [{
    Puts several operators that every compiler has in the place of one that few have, for
    those who lower the result. Needs nothing; guarantees that no rule that is on fits any
    more; takes time linear in the model.

    ```mlir
    %1 = onnx.ReduceSumSquare(%x) {keepdims = 0} : (tensor<2x3xf32>) -> tensor<f32>
    // becomes
    %1 = onnx.Mul(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = onnx.ReduceSum(%1) {keepdims = 0} : (tensor<2x3xf32>) -> tensor<f32>
    ```
  }];
  let options = ruleOptions;
  let statistics = ruleStatistics;
}

def RecomposePass : RewritePass<"invar-recompose"> {
  let summary = "find operators that were taken apart";
  let description = [{
    Puts one operator of a newer opset, such as LayerNormalization or Gelu, in the place
    of those that exporters write for it. Needs nothing; guarantees that what it makes is
    in the model's opset; takes time linear in the model. There is no way back in it.

    ```mlir
    %1 = onnx.Sigmoid(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = onnx.Mul(%x, %1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    // becomes
    %2 = onnx.Swish(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let options = ruleOptions;
  let statistics = ruleStatistics;
}

def SimplifyPass : RewritePass<"invar-simplify"> {
  let summary = "all of it in one sweep";
  let description = [{
    What the passes above do, at each operator in turn, so that each finds what the others
    have uncovered: shapes, constants, rules; then recomposition; then the choice of the
    constants to store. Needs nothing; guarantees that a second run changes nothing, and
    that constants take no more bytes but for a given growth; takes time linear in the
    model.

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
    Option<"decompose", "decompose", "bool", "false", "Express operators by simpler ones">,
    Option<"recompose", "recompose", "bool", "true", "Find operators that were taken apart">,
  ]);
  let statistics = !listconcat(ruleStatistics, [
    Statistic<"numFolded", "folded", "Number of operators that were folded">,
    Statistic<"numLeft", "left", "Number of operators of constants that were left">,
  ]);
}

#endif // INVAR_SIMPLIFY_PASSES_TD
