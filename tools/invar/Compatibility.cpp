// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Compatibility.h"

#include "Options.h"
#include "invar/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace invar;
using namespace invar::options;
using llvm::StringRef;

namespace {
/// Another tool's name of a rewrite, and a rule that does the same. A name may have
/// several rules.
struct Equivalent {
  StringRef theirs;
  StringRef rule;
};
} // namespace

/// Passes of onnxsim.
static constexpr Equivalent passes[] = {
    {"eliminate_common_subexpression", "merge-equal"},
    {"eliminate_consecutive_idempotent_ops", "drop-repeated"},
    {"eliminate_deadend", "drop-dead"},
    {"eliminate_duplicate_initializer", "merge-equal-constants"},
    {"eliminate_identity", "drop-identity"},
    {"eliminate_if_with_const_cond", "inline-if"},
    {"eliminate_nop_cast", "drop-cast"},
    {"eliminate_nop_concat", "drop-concat"},
    {"eliminate_nop_dropout", "drop-dropout"},
    {"eliminate_nop_expand", "drop-unmoved"},
    {"eliminate_nop_flatten", "drop-unmoved"},
    {"eliminate_nop_pad", "drop-unmoved"},
    {"eliminate_nop_reshape", "drop-unmoved"},
    {"eliminate_nop_transpose", "drop-transpose"},
    {"eliminate_nop_with_unit", "drop-neutral"},
    {"eliminate_shape_gather", "fold-known"},
    {"eliminate_shape_op", "fold-known"},
    {"eliminate_slice_after_shape", "part-of-shape"},
    {"eliminate_unused_initializer", "drop-dead"},
    {"extract_constant_to_initializer", "constant-to-initializer"},
    {"fuse_add_bias_into_conv", "fuse-add"},
    {"fuse_bn_into_conv", "fuse-batchnorm"},
    {"fuse_concat_into_reshape", "fix-reshape"},
    {"fuse_consecutive_concats", "flatten-concat"},
    {"fuse_consecutive_log_softmax", "make-log-softmax"},
    {"fuse_consecutive_slices", "merge-slices"},
    {"fuse_consecutive_squeeze_unsqueeze", "cancel-squeeze"},
    {"fuse_consecutive_squeeze_unsqueeze", "cancel-unsqueeze"},
    {"fuse_consecutive_squeezes", "merge-squeezes"},
    {"fuse_consecutive_transposes", "merge-transposes"},
    {"fuse_consecutive_unsqueezes", "merge-unsqueezes"},
    {"fuse_matmul_add_bias_into_gemm", "make-gemm"},
    {"fuse_pad_into_conv", "pad-conv"},
    {"fuse_pad_into_pool", "pad-averagepool"},
    {"fuse_pad_into_pool", "pad-maxpool"},
    {"fuse_transpose_into_gemm", "transpose-gemm"},
    {"replace_einsum_with_matmul", "name-product"},
};

/// Patterns of OnnxSlim.
static constexpr Equivalent patterns[] = {
    {"EliminationConcat", "flatten-concat"},
    {"EliminationConcat", "drop-concat"},
    {"EliminationReshape", "merge-reshapes"},
    {"EliminationReshape", "drop-unmoved"},
    {"EliminationReshapeAs", "fix-reshape"},
    {"EliminationSlice", "merge-slices"},
    {"EliminationTranspose", "merge-transposes"},
    {"EliminationTranspose", "drop-transpose"},
    {"EliminationTransposeViewTranspose", "cancel-transposes"},
    {"EliminationUnsqueeze", "merge-unsqueezes"},
    {"FusionConcatReshape", "fix-reshape"},
    {"FusionConvAdd", "fuse-add"},
    {"FusionConvBN", "fuse-batchnorm"},
    {"FusionConvMul", "fuse-mul"},
    {"FusionConvTransposeAdd", "fuse-add"},
    {"FusionConvTransposeBN", "fuse-batchnorm"},
    {"FusionConvTransposeMul", "fuse-mul"},
    {"FusionGemm", "make-gemm"},
    {"FusionGemmAdd", "fuse-add"},
    {"FusionGemmMul", "fuse-mul"},
    {"FusionPadConv", "pad-conv"},
};

static bool isRule(StringRef name) {
  return llvm::any_of(getRules(),
                      [&](const Rule &rule) { return rule.name == name; });
}

/// The rules for a name of another tool or of Invar; none if no rule does the same.
static llvm::SmallVector<StringRef>
findRules(StringRef name, llvm::ArrayRef<Equivalent> equivalents) {
  llvm::SmallVector<StringRef> rules;
  if (isRule(name))
    rules.push_back(name);
  for (const Equivalent &equivalent : equivalents)
    if (equivalent.theirs == name && isRule(equivalent.rule))
      rules.push_back(equivalent.rule);
  return rules;
}

static void disable(const llvm::opt::InputArgList &arguments, ID option,
                    llvm::ArrayRef<Equivalent> equivalents, RuleOptions &rules,
                    std::vector<std::string> &notes) {
  for (const std::string &name : getNames(arguments, option)) {
    llvm::SmallVector<StringRef> found = findRules(name, equivalents);
    for (StringRef rule : found)
      rules.disabled.insert(rule);
    if (found.empty())
      notes.push_back("'" + name +
                      "' is not skipped: no rule goes by that "
                      "name; --list-rules shows which there are");
  }
}

/// Without stored constants, fusing would add operators for the weights that it
/// computes, so disable both.
static void skipFolding(SimplifyOptions &simplify) {
  simplify.storeConstants = false;
  simplify.rules.fuse = simplify.rules.wide = false;
}

static llvm::Error readSkips(const llvm::opt::InputArgList &arguments,
                             SimplifyOptions &simplify,
                             std::vector<std::string> &notes) {
  RuleOptions &rules = simplify.rules;
  if (arguments.hasArg(OPT_skip_fuse_bn))
    rules.disabled.insert("fuse-batchnorm");
  if (arguments.hasArg(OPT_skip_constant_folding))
    skipFolding(simplify);
  if (arguments.hasArg(OPT_skip_optimization_list))
    rules.exact = rules.fuse = rules.recompose = false;
  disable(arguments, OPT_skip_optimization, passes, rules, notes);
  disable(arguments, OPT_skip_optimizer, passes, rules, notes);
  disable(arguments, OPT_skip_fusion_patterns, patterns, rules, notes);
  for (const std::string &name : getNames(arguments, OPT_enable_optimization)) {
    llvm::SmallVector<StringRef> found = findRules(name, passes);
    if (found.empty())
      return badUsage("expected a rule, but got '" + name +
                      "'; 'invar optimize --list-rules' shows which there are");
    for (StringRef rule : found)
      rules.enabled.insert(rule);
  }
  for (const std::string &name : getNames(arguments, OPT_skip_optimizations)) {
    if (name == "constant_folding") {
      skipFolding(simplify);
    } else if (name == "graph_fusion") {
      rules.exact = rules.fuse = rules.recompose = false;
      for (StringRef rule :
           {"drop-dead", "merge-equal", "merge-equal-constants"})
        rules.enabled.insert(rule);
    } else if (name == "dead_node_elimination") {
      rules.disabled.insert("drop-dead");
    } else if (name == "subexpression_elimination") {
      rules.disabled.insert("merge-equal");
    } else if (name == "weight_tying") {
      rules.disabled.insert("merge-equal-constants");
    } else {
      return badUsage("expected 'constant_folding', 'graph_fusion', "
                      "'dead_node_elimination', 'subexpression_elimination' or "
                      "'weight_tying' for '--skip-optimizations', but got '" +
                      name + "'");
    }
  }
  return llvm::Error::success();
}

/// Parses NAME:1,3,224,224, or the same without a name. Sizes of -1 or 0 are unknown,
/// as in the other tools.
static llvm::Expected<onnx::ShapeFacts::Shape> parseShape(StringRef text,
                                                          StringRef option) {
  onnx::ShapeFacts::Shape shape;
  StringRef dims = text;
  // Names of inputs may contain a colon.
  if (text.contains(':'))
    std::tie(shape.input, dims) =
        std::pair(text.rsplit(':').first.str(), text.rsplit(':').second);
  for (StringRef dim : llvm::split(dims, ',')) {
    int64_t size = 0;
    if (dim.trim().getAsInteger(10, size) || size < -1)
      return badUsage("expected a shape such as 'NAME:1,3,224,224' for '" +
                      option + "', but got '" + text + "'");
    shape.dims.push_back(size > 0 ? std::to_string(size) : "");
  }
  return shape;
}

static llvm::Error readShapes(const llvm::opt::InputArgList &arguments,
                              OptimizeOptions &options) {
  for (const llvm::opt::Arg *argument : arguments.filtered(
           OPT_overwrite_input_shape, OPT_input_shape, OPT_input_shapes)) {
    llvm::Expected<onnx::ShapeFacts::Shape> shape =
        parseShape(argument->getValue(), argument->getSpelling().rtrim('='));
    if (!shape)
      return shape.takeError();
    options.cut.shapes.push_back(std::move(*shape));
  }
  return llvm::Error::success();
}

/// Invar limits the growth of the whole model instead of the size of single tensors.
static llvm::Error readThresholds(const llvm::opt::InputArgList &arguments,
                                  OptimizeOptions &options) {
  uint64_t &growth = options.simplify.growth.bytes;
  const llvm::opt::Arg *argument = arguments.getLastArg(
      OPT_no_large_tensor, OPT_no_large_tensor_eq, OPT_size_threshold);
  if (argument && !arguments.hasArg(OPT_max_growth)) {
    StringRef size = argument->getNumValues() ? argument->getValue() : "1K";
    if (llvm::Error error = parseSize(size, argument->getSpelling().rtrim('='))
                                .moveInto(growth))
      return error;
  }
  if (arguments.hasArg(OPT_external_data_threshold)) {
    uint64_t most = options.output.mostInline;
    if (llvm::Error error =
            parseSize(arguments.getLastArgValue(OPT_external_data_threshold),
                      "--external-data-threshold")
                .moveInto(most))
      return error;
    options.output.mostInline = std::min(most, options.output.mostInline);
  }
  return llvm::Error::success();
}

static llvm::Error addTestShape(StringRef text, StringRef option,
                                CheckRequest &check) {
  llvm::Expected<onnx::ShapeFacts::Shape> shape = parseShape(text, option);
  if (!shape)
    return shape.takeError();
  std::vector<int64_t> sizes;
  for (const std::string &dim : shape->dims) {
    int64_t size = 0;
    if (StringRef(dim).getAsInteger(10, size))
      return badUsage("expected sizes from 1 for '" + option + "', but got '" +
                      text + "'");
    sizes.push_back(size);
  }
  check.shapes[shape->input] = std::move(sizes);
  return llvm::Error::success();
}

static llvm::Error addTestData(StringRef text, StringRef option,
                               CheckRequest &check) {
  auto [name, file] = text.rsplit(':');
  if (name.empty() || file.empty())
    return badUsage("expected 'NAME:FILE' for '" + option + "', but got '" +
                    text + "'");
  check.data[name.str()] = file.str();
  return llvm::Error::success();
}

static llvm::Error readTolerance(const llvm::opt::InputArgList &arguments,
                                 ID option, std::optional<double> &tolerance) {
  const llvm::opt::Arg *argument = arguments.getLastArg(option);
  if (!argument)
    return llvm::Error::success();
  double number = 0;
  if (StringRef(argument->getValue()).getAsDouble(number) || !(number >= 0))
    return badUsage("expected a number from 0 for '" +
                    argument->getSpelling().rtrim('=') + "', but got '" +
                    argument->getValue() + "'");
  tolerance = number;
  return llvm::Error::success();
}

/// Reads the inputs for the comparison of outputs.
static llvm::Error readTestInputs(const llvm::opt::InputArgList &arguments,
                                  CheckRequest &check) {
  for (const llvm::opt::Arg *argument : arguments.filtered(
           OPT_test_input_shape, OPT_input_data_path, OPT_model_check_inputs)) {
    StringRef text = argument->getValue();
    StringRef option = argument->getSpelling().rtrim('=');
    bool isData = argument->getOption().matches(OPT_input_data_path) ||
                  (argument->getOption().matches(OPT_model_check_inputs) &&
                   text.ends_with(".npy"));
    if (llvm::Error error = isData ? addTestData(text, option, check)
                                   : addTestShape(text, option, check))
      return error;
  }
  if (llvm::Error error =
          readTolerance(arguments, OPT_check_rtol, check.relative))
    return error;
  if (llvm::Error error =
          readTolerance(arguments, OPT_check_atol, check.absolute))
    return error;
  check.library = arguments.getLastArgValue(OPT_custom_lib);
  check.fill = arguments.getLastArgValue(OPT_input_fill, "random");
  constexpr StringRef fills[] = {"random", "ones", "zeros", "arange"};
  if (!llvm::is_contained(fills, check.fill))
    return badUsage("expected 'random', 'ones', 'zeros' or 'arange' for "
                    "'--input-fill', but got '" +
                    check.fill + "'");
  return llvm::Error::success();
}

llvm::Error invar::readCompatibility(const llvm::opt::InputArgList &arguments,
                                     OptimizeOptions &options,
                                     CheckRequest &check,
                                     std::vector<std::string> &notes) {
  if (llvm::Error error = readSkips(arguments, options.simplify, notes))
    return error;
  if (llvm::Error error = readShapes(arguments, options))
    return error;
  if (llvm::Error error = readThresholds(arguments, options))
    return error;
  if (arguments.hasArg(OPT_inline_functions))
    options.simplify.rules.enabled.insert("inline-functions");
  return readTestInputs(arguments, check);
}
