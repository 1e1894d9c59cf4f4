// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `invar`. Each option names the commands that have it; --help
// lists the options by group. Options that only users of other tools type are in
// Compatibility.td.
include "llvm/Option/OptParser.td"

def OptimizeOption : OptionVisibility;
def InspectOption : OptionVisibility;
def CompileOption : OptionVisibility;
def RunOption : OptionVisibility;
def VerifyOption : OptionVisibility;
def CacheOption : OptionVisibility;
defvar Running = [RunOption, VerifyOption];
defvar All = [OptimizeOption, InspectOption, CompileOption, RunOption, VerifyOption];

/// Takes all arguments after it up to the next option: `--name a b` is `--name=a --name=b`.
def TakesList : OptionFlag;
/// Takes the argument after it if that begins with a digit.
def TakesNumber : OptionFlag;
/// Is rejected without a value.
def NeedsValue : OptionFlag;
/// Has no effect: Invar does the same anyway, as its help explains.
def Noted : OptionFlag;
/// Is refused: its help explains what to do instead.
def Refused : OptionFlag;

class Of<list<OptionVisibility> commands> : Visibility<commands>;

class Switch<string name, string help>
    : Option<["--"], name, KIND_FLAG>, HelpText<help>;

/// `--name=VALUE`, and `--name VALUE` by an alias that --help does not show.
multiclass Setting<string name, string meta, string help, list<OptionVisibility> commands> {
  def NAME : Option<["--"], name # "=", KIND_JOINED>, HelpText<help>, MetaVarName<meta>,
             Of<commands>;
  def NAME # _separate : Option<["--"], name, KIND_SEPARATE>,
             Alias<!cast<Option>(NAME)>, Flags<[HelpHidden]>, Of<commands>;
}

/// `--name`, and `--name=VALUE`.
multiclass MayHave<string name, string meta, string help, list<OptionFlag> flags = [],
                   list<OptionVisibility> commands = [OptimizeOption],
                   list<string> prefixes = ["--"]> {
  def NAME : Option<prefixes, name, KIND_FLAG>, HelpText<help>, MetaVarName<"[=" # meta # "]">,
             Flags<flags>, Of<commands>;
  def NAME # _eq : Option<prefixes, name # "=", KIND_JOINED>, Flags<[HelpHidden]>,
             Of<commands>;
}

/// `--name=VALUE`, `--name VALUE …`.
multiclass List<string name, string meta, string help, list<OptionFlag> flags = []> {
  def NAME : Option<["--"], name # "=", KIND_JOINED>, HelpText<help>, MetaVarName<meta>,
             Flags<flags>, Of<[OptimizeOption]>;
  def NAME # _list : Option<["--"], name, KIND_FLAG>,
             Flags<[HelpHidden, TakesList, NeedsValue]>, Of<[OptimizeOption]>;
}

def Writing : OptionGroup<"writing">, HelpText<"output">;
def Simplifying : OptionGroup<"simplifying">, HelpText<"optimization">;
def Knowing : OptionGroup<"knowing">, HelpText<"sizes of inputs">;
def Feeding : OptionGroup<"feeding">, HelpText<"inputs and outputs">;
def Telling : OptionGroup<"telling">, HelpText<"reports">;

let Group = Writing in {
def output : Option<["-"], "o", KIND_SEPARATE>, MetaVarName<" OUT">,
             HelpText<"Write to OUT">, Of<[OptimizeOption, CompileOption]>;
def output_long : Option<["--"], "output=", KIND_JOINED>, Alias<output>,
                  Flags<[HelpHidden]>, Of<[OptimizeOption, CompileOption]>;
defm target_cpu : Setting<"target-cpu", "NAME",
  "Compile for this processor (default: the host), or for several, best first: x86-64-v4,x86-64-v3", [CompileOption]>;
defm winograd : Setting<"winograd", "auto|off|fast|on",
  "Use transformed filters for 3x3 convolutions (default: auto, if faster and memory grows little)",
  [CompileOption, RunOption, VerifyOption]>;
defm fold_at : Setting<"fold-at", "auto|compile|run|never",
  "When to compute packed, cast and transformed weights (auto: now, unless the library grows; never: in each run)", [CompileOption]>;
def no_fold_constants : Switch<"no-fold-constants", "The same as --fold-at=never">, Of<[CompileOption]>;
def compress_weights : Switch<"compress-weights",
  "Compress weights without loss">, Of<[CompileOption]>;
def refittable : Switch<"refittable", "Allow weights to be replaced at run time">, Of<[CompileOption]>;
defm link_params : Setting<"link-params", "embed|file|none",
  "Where to store weights: in the library (default), in a safetensors file beside it, or nowhere", [CompileOption]>;
def strip_weights : Switch<"strip-weights", "The same as --link-params=none">, Of<[CompileOption]>;
defm weights : Setting<"weights", "FILE",
  "Read the weights of a library without weights from this model or safetensors file", [RunOption]>;
def library : Switch<"library",
  "Allow code of a library to run; without it, 'verify' refuses '.so' files and 'run' goes by the name">, Of<Running>;
def check_kernels : Switch<"check-kernels",
  "Write the library only if every kernel agrees with plain loops on random inputs">, Of<[CompileOption]>;
def unchecked_indices : Switch<"unchecked-indices",
  "Clamp indices that are out of bounds instead of failing">, Of<[CompileOption]>;
def no_memory_plan : Switch<"no-memory-plan", "Allocate tensors at run time instead of planning memory">, Of<[CompileOption]>;
defm emit : Setting<"emit", "onnx|linalg|kernels|library",
  "Stop at this stage and print it as MLIR, or write it to OUT", [CompileOption]>;
def mlir : Option<["--"], "mlir-", KIND_JOINED>, MetaVarName<"OPTION">, Of<[CompileOption]>,
           HelpText<"Pass an option to MLIR: --mlir-print-ir-after-all, --mlir-timing …">;
defm opset : Setting<"opset", "N", "Convert the model to opset N (1 to 28, or latest)",
                     [OptimizeOption]>;
defm external_data : MayHave<"external-data", "FILE",
  "Write weights to FILE beside OUT (automatic above 2 GB); 'reference' leaves them">;
defm inputs : List<"inputs", "NAMES", "Cut the model: begin at these values">;
defm outputs : List<"outputs", "NAMES", "Cut the model: end at these values">;
defm unused_output : List<"unused-output", "NAMES", "Remove these outputs">;
def fix_defaults : Switch<"fix-defaults",
  "Treat overridable initializers as constants">,
  Of<[OptimizeOption, CompileOption, RunOption, VerifyOption]>;
defm check : MayHave<"check", "N",
  "Write only if outputs on N random inputs stay the same (default 1; needs onnxruntime)",
  [TakesNumber]>;
def sandbox : Switch<"sandbox", "Fail if the process cannot be confined (docs/Security.md)">,
  Flags<[HelpHidden]>, Of<[OptimizeOption, CompileOption, InspectOption]>;
def no_sandbox : Switch<"no-sandbox", "Do not confine the process to the folders of IN and OUT">,
  Of<[OptimizeOption, CompileOption, InspectOption]>;
def durable : Switch<"durable", "Return only after the data is on the disk">, Of<[OptimizeOption]>;
}

let Group = Simplifying in {
defm passes : Setting<"passes", "LIST",
  "Passes to run, in order (default: simplify; none changes nothing)", [OptimizeOption]>;
defm max_growth : Setting<"max-growth", "N%|SIZE",
  "Let constants grow by this much if that folds more (default 64K)", [OptimizeOption]>;
defm fuse : Setting<"fuse", "on|off",
  "Fuse BatchNormalization and similar operators into weights (default on)", [OptimizeOption]>;
defm disable : Setting<"disable", "RULES", "Disable these rules", [OptimizeOption]>;
defm enable : Setting<"enable", "RULES", "Enable these rules", [OptimizeOption]>;
defm recompose : Setting<"recompose", "on|off",
  "Recognize LayerNormalization, Gelu and others, if the opset has them (default on)",
  [OptimizeOption]>;
def decompose : Switch<"decompose",
  "Replace operators by simpler ones, for compilers">, Of<[OptimizeOption]>;
def decompose_batchnorm : Switch<"decompose-batchnorm",
  "Replace remaining BatchNormalization by Mul and Add">, Flags<[HelpHidden]>, Of<[OptimizeOption]>;
defm numerics : Setting<"numerics", "exact|wide",
  "Round after every operator (default), or only at the end of a chain", [OptimizeOption]>;
def exact_only : Switch<"exact-only",
  "Make only changes that keep every bit in every engine">, Of<[OptimizeOption]>;
defm memory_limit : Setting<"memory-limit", "SIZE",
  "Limit the memory of tensors, e.g. 512M; above it, optimize uses the disk and run fails",
  [OptimizeOption, RunOption]>;
defm timeout : Setting<"timeout", "SECONDS", "Fail if it takes longer; for 'run', the limit of one run",
  [OptimizeOption, CompileOption, RunOption]>;
defm threads : Setting<"threads", "N", "Use N threads (default: all cores)",
                       [OptimizeOption, CompileOption, RunOption, VerifyOption]>;
def strict : Switch<"strict", "Fail instead of warning">, Of<[OptimizeOption, CompileOption]>;
def forget_source : Switch<"forget-source",
  "Encode every node again, even unchanged ones (for testing)">, Flags<[HelpHidden]>,
  Of<[OptimizeOption]>;
}

let Group = Knowing in {
defm shape : Setting<"shape", "INPUT=1x3x?x?",
  "State the shape of an input; may be given several times", All>;
defm dim : Setting<"dim", "NAME=8", "State the size of a named dimension", All>;
defm dim_range : Setting<"dim-range", "NAME=1..512",
  "State the range of a named dimension", All>;
def require_static : Switch<"require-static",
  "Fail unless every shape is known">, Of<[OptimizeOption]>;
}

let Group = Feeding in {
defm input : Setting<"input", "[NAME=]FILE.npy|FILE.npz|FILE.json",
  "Read an input, or all inputs, from a file; may be given several times", Running>;
defm random : MayHave<"random", "SEED",
  "Use random values for inputs that are not given (default seed 0)", [], [RunOption]>;
defm seed : Setting<"seed", "N", "Seed of the random inputs (default 0)", [VerifyOption]>;
defm runs : Setting<"runs", "N", "Compare on N inputs (default 3, or 1 if all are given)", [VerifyOption]>;
defm rtol : Setting<"rtol", "X",
  "Relative tolerance of outputs (default 1e-4; 1e-2 for float16 and bfloat16)",
  [VerifyOption]>;
defm atol : Setting<"atol", "X",
  "Absolute tolerance of outputs (default 1e-5; 1e-3 for float16 and bfloat16)", [VerifyOption]>;
defm output_dir : Setting<"output-dir", "DIR",
  "Write each output to DIR/NAME.npy, with '_' for '/' in names", [RunOption]>;
defm repeat : Setting<"repeat", "N", "Run N times (default 1)", [RunOption]>;
defm cache_dir : Setting<"cache-dir", "DIR",
  "Folder of cached libraries and constants (default: $XDG_CACHE_HOME/invar or ~/.cache/invar)",
  [RunOption, VerifyOption, CacheOption]>;
defm older_than : Setting<"older-than", "DAYS",
  "Let 'gc' remove entries that were not used for this many days (default 30)", [CacheOption]>;
def no_cache : Switch<"no-cache", "Do not keep the compiled model">, Of<Running>;
}

let Group = Telling in {
// Another prefix distinguishes it from the option that 'invar optimize' refuses.
defm run_profile : MayHave<"profile", "TRACE.json",
  "Print the time of each node; with a name, also write a trace for chrome://tracing", [],
  [RunOption], ["--", "-"]>;
defm constants : Setting<"constants", "N", "List the N largest constants (default 10)",
                         [InspectOption]>;
def shapes : Switch<"shapes", "List every node with the shapes of its results">,
             Of<[InspectOption]>;
defm ir : MayHave<"ir", "full", "Print the model as MLIR instead; 'full' prints large constants too", [], [InspectOption]>;
defm diff : MayHave<"diff", "json", "List removed and added nodes with the rule that did it">;
defm explain : MayHave<"explain", "json",
  "List every operator of constants: folded or not, and why; and the time of each rule">;
defm list_rules : MayHave<"list-rules", "json", "List all rules and whether they are enabled">;
def json : Switch<"json", "Print machine-readable JSON">, Of<!listconcat(All, [CacheOption])>;
def verbose : Switch<"verbose", "Print the whole report">, Of<[OptimizeOption]>;
def print_memory_plan : Switch<"print-memory-plan",
  "Print the place and lifetime of each tensor, and the lower bound of the plan">,
  Of<[CompileOption]>;
defm memory_plan_svg : Setting<"memory-plan-svg", "FILE",
  "Draw the memory plan: time to the right, addresses upwards", [CompileOption]>;
def quiet : Switch<"quiet", "Print nothing but errors">, Of<[OptimizeOption, CompileOption]>;
def help : Switch<"help", "Show this help">, Of<!listconcat(All, [CacheOption])>;
def h : Flag<["-"], "h">, Alias<help>, Flags<[HelpHidden]>, Of<!listconcat(All, [CacheOption])>;
def help_all : Switch<"help-all",
  "Show the options of onnxsim and OnnxSlim too">, Of<[OptimizeOption]>;
}

include "Compatibility.td"
