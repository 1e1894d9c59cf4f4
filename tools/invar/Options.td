// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `invar`. Each option says which commands have it.
include "llvm/Option/OptParser.td"

def OptimizeOption : OptionVisibility;
def InspectOption : OptionVisibility;

class Of<list<OptionVisibility> commands> : Visibility<commands>;

class Switch<string name, string help>
    : Option<["--"], name, KIND_FLAG>, HelpText<help>;

/// `--name=VALUE`, and `--name VALUE` by an alias that help does not show.
multiclass Setting<string name, string meta, string help, list<OptionVisibility> commands> {
  def NAME : Option<["--"], name # "=", KIND_JOINED>, HelpText<help>, MetaVarName<meta>,
             Of<commands>;
  def NAME # _separate : Option<["--"], name, KIND_SEPARATE>,
             Alias<!cast<Option>(NAME)>, Flags<[HelpHidden]>, Of<commands>;
}

defvar All = [OptimizeOption, InspectOption];

def help : Switch<"help", "Show this help">, Of<All>;
def h : Flag<["-"], "h">, Alias<help>, Flags<[HelpHidden]>, Of<All>;

def output : Option<["-"], "o", KIND_SEPARATE>, MetaVarName<"OUT">,
             HelpText<"Write the model to OUT (may be IN itself)">, Of<[OptimizeOption]>;
def output_long : Option<["--"], "output=", KIND_JOINED>, Alias<output>,
                  Flags<[HelpHidden]>, Of<[OptimizeOption]>;
defm passes : Setting<"passes", "LIST",
  "Passes to run, in order (default: simplify)", [OptimizeOption]>;
defm max_growth : Setting<"max-growth", "N%|SIZE",
  "Let constants grow by so much (default 64K) where that folds more", [OptimizeOption]>;
defm memory_limit : Setting<"memory-limit", "SIZE",
  "Keep computed tensors beyond SIZE on disk, e.g. 512M", [OptimizeOption]>;
defm numerics : Setting<"numerics", "exact|wide",
  "Round after every operator (default), or at the end of a chain", [OptimizeOption]>;
def exact_only : Switch<"exact-only",
  "Fold only what every engine computes to the same bits">, Of<[OptimizeOption]>;
defm fuse : Setting<"fuse", "on|off",
  "Take BatchNormalization and the like into weights (default on)", [OptimizeOption]>;
defm disable : Setting<"disable", "RULES", "Do without these rules", [OptimizeOption]>;
defm enable : Setting<"enable", "RULES", "Apply these rules too", [OptimizeOption]>;
def decompose_batchnorm : Switch<"decompose-batchnorm",
  "Turn BatchNormalization that stays into Mul and Add">, Of<[OptimizeOption]>;
def list_rules : Switch<"list-rules", "List all rules, and which are on">, Of<[OptimizeOption]>;
def explain : Switch<"explain",
  "Tell what became of every operator of constants, and why">, Of<[OptimizeOption]>;
def explain_eq : Option<["--"], "explain=", KIND_JOINED>, MetaVarName<"json">,
  HelpText<"The same for machines">, Of<[OptimizeOption]>;
defm threads : Setting<"threads", "N", "Use N threads (default: all cores)", [OptimizeOption]>;
defm shape : Setting<"shape", "INPUT=1x3x?x?",
  "State the shape of an input; may be given several times", All>;
defm dim : Setting<"dim", "NAME=8", "State the size of a named dimension", All>;
defm dim_range : Setting<"dim-range", "NAME=1..512",
  "State what a named dimension may be", All>;
def require_static : Switch<"require-static",
  "Fail unless every shape is known in the end">, Of<[OptimizeOption]>;
defm opset : Setting<"opset", "N", "Write all nodes in opset N (1 to 28)", [OptimizeOption]>;
def external_data : Switch<"external-data",
  "Put weights into a file beside OUT (always done past 2 GB)">, Of<[OptimizeOption]>;
def external_data_eq : Option<["--"], "external-data=", KIND_JOINED>,
  MetaVarName<"FILE|reference">,
  HelpText<"The same, into FILE; 'reference' leaves them in the files they are in">,
  Of<[OptimizeOption]>;
def durable : Switch<"durable", "Return only when the disk has the data">, Of<[OptimizeOption]>;
def forget_source : Switch<"forget-source",
  "Encode every node anew, also untouched ones (for testing)">, Of<[OptimizeOption]>;
def quiet : Switch<"quiet", "Print nothing but errors">, Of<[OptimizeOption]>;
defm constants : Setting<"constants", "N", "List the N largest constants (default 10)",
                         [InspectOption]>;
def shapes : Switch<"shapes", "List every node with the shapes of its results">,
             Of<[InspectOption]>;
def ir : Switch<"ir", "Print the model as MLIR instead, without large constants">,
         Of<[InspectOption]>;
def json : Switch<"json", "Print machine-readable JSON">, Of<All>;
