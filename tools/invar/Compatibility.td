// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of onnxsim 0.8 and OnnxSlim 0.1 that Invar does not share by name. They
// are implemented, accepted because nothing has to be done, or refused with a hint what
// to do instead. docs/Migration.md lists all of them in a table.

def Familiar : OptionGroup<"familiar">, HelpText<"as onnxsim and OnnxSlim have it">;
def Needless : OptionGroup<"needless">, HelpText<"accepted, since nothing has to be done">;
def Elsewhere : OptionGroup<"elsewhere">, HelpText<"not for Invar to do">;

let Visibility = [OptimizeOption] in {

let Group = Familiar in {
class SameAs<string name, Option option>
    : Option<["--"], name, KIND_FLAG>, Alias<option>, Flags<[HelpHidden]>,
      HelpText<"The same as " # !head(option.Prefixes) # option.Name>;
class FamiliarSwitch<string name, string help>
    : Option<["--"], name, KIND_FLAG>, Flags<[HelpHidden]>, HelpText<help>;
multiclass FamiliarSetting<string name, string meta, string help> {
  def NAME : Option<["--"], name # "=", KIND_JOINED>, HelpText<help>, MetaVarName<meta>,
             Flags<[HelpHidden]>;
  def NAME # _separate : Option<["--"], name, KIND_SEPARATE>,
             Alias<!cast<Option>(NAME)>, Flags<[HelpHidden]>;
}
multiclass FamiliarList<string name, string meta, string help> {
  def NAME : Option<["--"], name # "=", KIND_JOINED>, HelpText<help>, MetaVarName<meta>,
             Flags<[HelpHidden]>;
  def NAME # _list : Option<["--"], name, KIND_FLAG>,
             Flags<[HelpHidden, TakesList, NeedsValue]>;
}

defm overwrite_input_shape : FamiliarList<"overwrite-input-shape", "NAME:1,3,224,224",
  "Give an input this shape, whatever the model says; the name may be left out where there is one input">;
defm input_shape : FamiliarList<"input-shape", "NAME:1,3,224,224",
  "The same as --overwrite-input-shape">;
defm input_shapes : FamiliarList<"input-shapes", "NAME:1,3,224,224",
  "The same as --overwrite-input-shape">;
defm test_input_shape : FamiliarList<"test-input-shape", "NAME:1,3,224,224",
  "The shape of an input in --check">;
defm input_data_path : FamiliarList<"input-data-path", "NAME:FILE",
  "The content of an input in --check, as raw bytes or .npy">;
defm model_check_inputs : FamiliarList<"model-check-inputs", "NAME:1,3,224,224|NAME:FILE.npy",
  "The shape or content of an input in --check">;
defm input_fill : FamiliarSetting<"input-fill", "random|ones|zeros|arange",
  "What inputs are in --check">;
defm check_rtol : FamiliarSetting<"check-rtol", "X",
  "How far outputs may be apart in --check, relatively (default 1e-4)">;
defm check_atol : FamiliarSetting<"check-atol", "X",
  "The same absolutely (default 1e-5)">;
defm custom_lib : FamiliarSetting<"custom-lib", "FILE",
  "A library of operators that onnxruntime needs for --check">;
def model_check : SameAs<"model-check", check>;
def skip_fuse_bn : FamiliarSwitch<"skip-fuse-bn", "The same as --disable=fuse-batchnorm">;
def skip_optimization_list : Option<["--"], "skip-optimization", KIND_FLAG>,
  Flags<[HelpHidden, TakesList]>, MetaVarName<"[=PASSES]">,
  HelpText<"Only fold constants; or do without the rules that do what these passes do">;
def skip_optimization : Option<["--"], "skip-optimization=", KIND_JOINED>, Flags<[HelpHidden]>;
defm skip_optimizer : FamiliarList<"skip-optimizer", "PASSES",
  "Do without the rules that do what these passes do">;
defm enable_optimization : FamiliarList<"enable-optimization", "PASSES",
  "Apply the rules that do what these passes do">;
defm skip_optimizations : FamiliarList<"skip-optimizations",
  "constant_folding|graph_fusion|dead_node_elimination|subexpression_elimination|weight_tying",
  "Do without these">;
defm skip_fusion_patterns : FamiliarList<"skip-fusion-patterns", "PATTERNS",
  "Do without the rules that do what these patterns do">;
def skip_constant_folding : FamiliarSwitch<"skip-constant-folding",
  "Leave operators of constants, and weights, as they are">;
def no_large_tensor : Option<["--"], "no-large-tensor", KIND_FLAG>,
  Flags<[HelpHidden, TakesNumber]>, MetaVarName<"[=SIZE]">,
  HelpText<"The same as --max-growth=SIZE, by default of 1 KB">;
def no_large_tensor_eq : Option<["--"], "no-large-tensor=", KIND_JOINED>, Flags<[HelpHidden]>;
defm size_threshold : FamiliarSetting<"size-threshold", "BYTES",
  "The same as --max-growth=BYTES">;
def inline_functions : FamiliarSwitch<"inline-functions",
  "The same as --enable=inline-functions">;
defm target_opset : FamiliarSetting<"target-opset", "N|latest", "The same as --opset">;
def save_as_external_data : SameAs<"save-as-external-data", external_data>;
defm external_data_threshold : FamiliarSetting<"external-data-threshold", "SIZE",
  "Put weights into a file beside OUT if they take more than SIZE (default 2 GB)">;
def graph_diff : SameAs<"graph-diff", diff>;
def list_default_optimizers : FamiliarSwitch<"list-default-optimizers",
  "List the rules that are on">;
def list_other_optimizers : FamiliarSwitch<"list-other-optimizers",
  "List the rules that are off">;
def inspect : FamiliarSwitch<"inspect", "The same as the command 'invar inspect'">;
def version : FamiliarSwitch<"version", "The same as 'invar --version'">;
def v : Option<["-"], "v", KIND_FLAG>, Alias<version>, Flags<[HelpHidden]>;
}

let Group = Needless in {
class Needlessly<string name, string why>
    : Option<["--"], name, KIND_FLAG>, Flags<[HelpHidden, Noted]>, HelpText<why>;
def enable_fuse_bn : Needlessly<"enable-fuse-bn",
  "BatchNormalization goes into weights by default">;
def skip_shape_inference : Needlessly<"skip-shape-inference",
  "shapes are inferred to simplify, and written only with --passes=infer-shapes,simplify">;
def no_shape_infer : Needlessly<"no-shape-infer",
  "shapes are inferred to simplify, and written only with --passes=infer-shapes,simplify">;
def enable_onnxruntime_optimization : Needlessly<"enable-onnxruntime-optimization",
  "Invar's own rules do what onnxruntime's basic level does">;
def dynamic_input_shape : Needlessly<"dynamic-input-shape",
  "dynamic sizes need no option">;
def include_subgraph : Needlessly<"include-subgraph",
  "graphs inside of nodes are always simplified">;
def no_certify : Needlessly<"no-certify", "nothing is certified">;
def mutable_initializer : Needlessly<"mutable-initializer",
  "initializers that callers may override stay so unless --fix-defaults is given">;
def skip_schema_import : Needlessly<"skip-schema-import",
  "no schemas are imported; unknown operators pass through as they are">;
def cuda : Needlessly<"cuda", "constants are computed by Invar itself">;
def providers : Option<["--"], "providers=", KIND_JOINED>, MetaVarName<"NAMES">,
  Flags<[HelpHidden, Noted]>, HelpText<"constants are computed by Invar itself">;
def providers_list : Option<["--"], "providers", KIND_FLAG>,
  Flags<[HelpHidden, TakesList, NeedsValue]>;
}

let Group = Elsewhere in {
multiclass NotHere<string name, string instead> {
  def NAME : Option<["--"], name, KIND_FLAG>, Flags<[HelpHidden, Refused]>, HelpText<instead>;
  def NAME # _eq : Option<["--"], name # "=", KIND_JOINED>, Flags<[HelpHidden, Refused]>,
             HelpText<instead>;
}
defvar quantizer = "it does not quantize or convert types; run a quantizer on OUT";
defvar converter = "it writes ONNX; give OUT to the converter";
defvar profiler = "--explain=json tells how long each rule took";
defm certify : NotHere<"certify",
  "it proves nothing; --check=N compares outputs, and --exact-only --fuse=off changes no bits">;
defm initializers_as_non_constants : NotHere<"initializers-as-non-constants",
  "--skip-constant-folding leaves weights as they are">;
defm dtype : NotHere<"dtype", quantizer>;
defm dump_to_disk : NotHere<"dump-to-disk", "'invar inspect IN --json > FILE' does it">;
defm profile : NotHere<"profile", profiler>;
defm ort_profile : NotHere<"ort-profile", profiler>;
defm merge_ort_profile : NotHere<"merge-ort-profile", profiler>;
defm node_reduction_plot : NotHere<"node-reduction-plot",
  "--json has the numbers of nodes by operator">;
defm emit_mlir : NotHere<"emit-mlir", "'invar inspect OUT --ir' prints the model as MLIR">;
defm mlir_target : NotHere<"mlir-target", "'invar inspect OUT --ir' prints the model as MLIR">;
defm onnx_mlir : NotHere<"onnx-mlir", "'invar inspect OUT --ir' prints the model as MLIR">;
foreach name = ["emit-coreml", "coreml-format", "coreml-compute-units", "coreml-io-dtype",
                "coreml-minimum-deployment-target", "emit-tflite", "tflite-optimize",
                "tflite-backend", "tflite-int8", "tflite-calibration-samples",
                "tflite-io-dtype", "tflite-flex", "tflite-layout", "tflite-edgetpu",
                "tflite-edgetpu-compiler", "tflite-edgetpu-check"] in
  defm !subst("-", "_", name) : NotHere<name, converter>;
foreach name = ["dynamic-quantize", "dynamic-quantize-matmul-integer-to-float",
                "ternary-quantize", "weight-only-quantize", "weight-only-quantize-int4",
                "weight-only-quantize-int16", "weight-only-quantize-int8-block",
                "fp16-quantize", "bf16-quantize", "fp8-quantize", "fp8-format",
                "static-quantize", "static-quantize-int16", "qoperator-quantize",
                "qoperator-quantize-elementwise", "qoperator-quantize-activation",
                "qoperator-quantize-concat", "qoperator-quantize-softmax",
                "qoperator-quantize-pool", "qoperator-quantize-where",
                "qoperator-quantize-gemm", "calibration-dataset", "calibration-samples",
                "calibration-method"] in
  defm !subst("-", "_", name) : NotHere<name, quantizer>;
}
}
