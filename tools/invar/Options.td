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

def Writing : OptionGroup<"writing">, HelpText<"what is written">;
def Simplifying : OptionGroup<"simplifying">, HelpText<"what is done">;
def Knowing : OptionGroup<"knowing">, HelpText<"what is known of inputs">;
def Feeding : OptionGroup<"feeding">, HelpText<"what goes in and comes out">;
def Telling : OptionGroup<"telling">, HelpText<"what is told">;

let Group = Writing in {
def output : Option<["-"], "o", KIND_SEPARATE>, MetaVarName<" OUT">,
             HelpText<"Write to OUT">, Of<[OptimizeOption, CompileOption]>;
def output_long : Option<["--"], "output=", KIND_JOINED>, Alias<output>,
                  Flags<[HelpHidden]>, Of<[OptimizeOption, CompileOption]>;
defm target_cpu : Setting<"target-cpu", "NAME",
  "The processor to compile for (default: this one), or several, the best first: x86-64-v4,x86-64-v3", [CompileOption]>;
defm winograd : Setting<"winograd", "auto|off|fast|on",
  "Whether convolutions of 3 x 3 use transformed filters (default: where that is faster and memory grows little)",
  [CompileOption, RunOption, VerifyOption]>;
defm fold_at : Setting<"fold-at", "auto|compile|run|never",
  "When to compute what weights are turned into (auto: now, unless the library grows; never: in each run)", [CompileOption]>;
def no_fold_constants : Switch<"no-fold-constants", "The same as --fold-at=never">, Of<[CompileOption]>;
def compress_weights : Switch<"compress-weights",
  "Keep weights in fewer bytes, without loss, where they have the structure for it">, Of<[CompileOption]>;
def refittable : Switch<"refittable", "Let weights be replaced when the model runs">, Of<[CompileOption]>;
defm link_params : Setting<"link-params", "embed|file|none",
  "Where weights lie (default: in the library; file: beside it, as safetensors; none: whoever runs it brings them)", [CompileOption]>;
def strip_weights : Switch<"strip-weights", "The same as --link-params=none">, Of<[CompileOption]>;
defm weights : Setting<"weights", "FILE",
  "The model or safetensors with the weights of a library that has none (default: the model, beside it)", [RunOption]>;
def library : Switch<"library",
  "Run the code of a library: of MODEL whatever its name, or, to compare it, of what is named '.so'">, Of<Running>;
def check_kernels : Switch<"check-kernels",
  "Write only if every kernel computes the same as plain loops do, on random inputs">, Of<[CompileOption]>;
def unchecked_indices : Switch<"unchecked-indices",
  "Take the nearest place where an index is outside of its axis, and do not fail">, Of<[CompileOption]>;
def no_memory_plan : Switch<"no-memory-plan", "Decide when it runs where tensors lie">, Of<[CompileOption]>;
defm emit : Setting<"emit", "onnx|linalg|kernels|library",
  "How far to go; all but the library is MLIR, printed unless there is an OUT", [CompileOption]>;
defm opset : Setting<"opset", "N", "Write all nodes in opset N (1 to 28, or latest)",
                     [OptimizeOption]>;
defm external_data : MayHave<"external-data", "FILE",
  "Put weights into FILE beside OUT (done anyway past 2 GB); 'reference' leaves them">;
defm inputs : List<"inputs", "NAMES", "Let the model begin at these values">;
defm outputs : List<"outputs", "NAMES", "Let the model end at these values">;
defm unused_output : List<"unused-output", "NAMES", "Drop these outputs">;
def fix_defaults : Switch<"fix-defaults",
  "Make constants of initializers that callers may override">,
  Of<[OptimizeOption, CompileOption, RunOption, VerifyOption]>;
defm check : MayHave<"check", "N",
  "Write only if outputs are as before on N inputs (default 1; needs onnxruntime)",
  [TakesNumber]>;
def sandbox : Switch<"sandbox", "Fail where the process cannot be confined (docs/Security.md)">,
  Flags<[HelpHidden]>, Of<[OptimizeOption, CompileOption, InspectOption]>;
def no_sandbox : Switch<"no-sandbox", "Do not confine the process to the folders of IN and OUT">,
  Of<[OptimizeOption, CompileOption, InspectOption]>;
def durable : Switch<"durable", "Return only when the disk has the data">, Of<[OptimizeOption]>;
}

let Group = Simplifying in {
defm passes : Setting<"passes", "LIST",
  "Passes to run, in order (default: simplify; none to change nothing)", [OptimizeOption]>;
defm max_growth : Setting<"max-growth", "N%|SIZE",
  "Let constants grow by so much (default 64K) where that folds more", [OptimizeOption]>;
defm fuse : Setting<"fuse", "on|off",
  "Take BatchNormalization and the like into weights (default on)", [OptimizeOption]>;
defm disable : Setting<"disable", "RULES", "Do without these rules", [OptimizeOption]>;
defm enable : Setting<"enable", "RULES", "Apply these rules too", [OptimizeOption]>;
defm recompose : Setting<"recompose", "on|off",
  "Find LayerNormalization, Gelu and the like, if the opset has them (default on)",
  [OptimizeOption]>;
def decompose : Switch<"decompose",
  "Express operators by simpler ones, for those who lower the result">, Of<[OptimizeOption]>;
def decompose_batchnorm : Switch<"decompose-batchnorm",
  "Turn only BatchNormalization that stays into Mul and Add">, Flags<[HelpHidden]>, Of<[OptimizeOption]>;
defm numerics : Setting<"numerics", "exact|wide",
  "Round after every operator (default), or at the end of a chain", [OptimizeOption]>;
def exact_only : Switch<"exact-only",
  "Do only what keeps every bit in every engine">, Of<[OptimizeOption]>;
defm memory_limit : Setting<"memory-limit", "SIZE",
  "The most memory for tensors, e.g. 512M; beyond it optimize uses the disk, and run fails",
  [OptimizeOption, RunOption]>;
defm timeout : Setting<"timeout", "SECONDS", "Fail where it takes longer; of run, one run of the model",
  [OptimizeOption, CompileOption, RunOption]>;
defm threads : Setting<"threads", "N", "Use N threads (default: all cores)",
                       [OptimizeOption, CompileOption, RunOption, VerifyOption]>;
def strict : Switch<"strict", "Refuse what would be a warning">, Of<[OptimizeOption, CompileOption]>;
def forget_source : Switch<"forget-source",
  "Encode every node anew, also untouched ones (for testing)">, Flags<[HelpHidden]>,
  Of<[OptimizeOption]>;
}

let Group = Knowing in {
defm shape : Setting<"shape", "INPUT=1x3x?x?",
  "State the shape of an input; may be given several times", All>;
defm dim : Setting<"dim", "NAME=8", "State the size of a named dimension", All>;
defm dim_range : Setting<"dim-range", "NAME=1..512",
  "State what a named dimension may be", All>;
def require_static : Switch<"require-static",
  "Fail unless every shape is known in the end">, Of<[OptimizeOption]>;
}

let Group = Feeding in {
defm input : Setting<"input", "[NAME=]FILE.npy|FILE.npz|FILE.json",
  "The content of an input, or of all; may be given several times", Running>;
defm random : MayHave<"random", "SEED",
  "Draw the inputs that are not given (default seed 0)", [], [RunOption]>;
defm seed : Setting<"seed", "N", "Draw others of the inputs that are not given (default 0)", [VerifyOption]>;
defm runs : Setting<"runs", "N", "Compare on N inputs (default 3, or 1 if all are given)", [VerifyOption]>;
defm rtol : Setting<"rtol", "X",
  "How far outputs may be apart, relatively (default 1e-4; 1e-2 for float16 and bfloat16)",
  [VerifyOption]>;
defm atol : Setting<"atol", "X",
  "The same absolutely (default 1e-5; 1e-3 for float16 and bfloat16)", [VerifyOption]>;
defm output_dir : Setting<"output-dir", "DIR",
  "Write each output to DIR/NAME.npy, with '_' for '/' in names", [RunOption]>;
defm repeat : Setting<"repeat", "N", "Run N times (default 1)", [RunOption]>;
defm cache_dir : Setting<"cache-dir", "DIR",
  "Where compiled models and their constants are kept (default: $XDG_CACHE_HOME/invar or ~/.cache/invar)",
  [RunOption, VerifyOption, CacheOption]>;
defm older_than : Setting<"older-than", "DAYS",
  "Let 'gc' remove what was not used for so many days (default 30)", [CacheOption]>;
def no_cache : Switch<"no-cache", "Keep nothing of a model that is compiled">, Of<Running>;
}

let Group = Telling in {
// Another prefix distinguishes it from the option that 'invar optimize' refuses.
defm run_profile : MayHave<"profile", "TRACE.json",
  "Tell how long each node took; with a name, also write a trace for chrome://tracing", [],
  [RunOption], ["--", "-"]>;
defm constants : Setting<"constants", "N", "List the N largest constants (default 10)",
                         [InspectOption]>;
def shapes : Switch<"shapes", "List every node with the shapes of its results">,
             Of<[InspectOption]>;
def ir : Switch<"ir", "Print the model as MLIR instead, without large constants">,
         Of<[InspectOption]>;
defm diff : MayHave<"diff", "json", "Tell which nodes went and came, by which rule">;
defm explain : MayHave<"explain", "json",
  "Tell what became of every operator of constants, why, and how long rules took">;
defm list_rules : MayHave<"list-rules", "json", "List all rules, and which are on">;
def json : Switch<"json", "Print machine-readable JSON">, Of<!listconcat(All, [CacheOption])>;
def verbose : Switch<"verbose", "Leave nothing out of the report">, Of<[OptimizeOption]>;
def print_memory_plan : Switch<"print-memory-plan",
  "Print which tensor lies where in memory, from when to when, beside the least that any plan needs">,
  Of<[CompileOption]>;
defm memory_plan_svg : Setting<"memory-plan-svg", "FILE",
  "Draw the same, with time to the right and addresses upwards", [CompileOption]>;
def quiet : Switch<"quiet", "Print nothing but errors">, Of<[OptimizeOption, CompileOption]>;
def help : Switch<"help", "Show this help">, Of<!listconcat(All, [CacheOption])>;
def h : Flag<["-"], "h">, Alias<help>, Flags<[HelpHidden]>, Of<!listconcat(All, [CacheOption])>;
def help_all : Switch<"help-all",
  "Show the options of onnxsim and OnnxSlim too">, Of<[OptimizeOption]>;
}

include "Compatibility.td"
