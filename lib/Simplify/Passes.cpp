// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that run the combined pass with a subset of its rules.
#include "invar/Simplify/Passes.h"

#include "invar/Simplify/Simplify.h"

using namespace mlir;
using namespace invar;

namespace invar {
#define GEN_PASS_DEF_PROPAGATECONSTANTSPASS
#define GEN_PASS_DEF_CANONICALIZEPASS
#define GEN_PASS_DEF_DECOMPOSEPASS
#define GEN_PASS_DEF_RECOMPOSEPASS
#define GEN_PASS_DEF_SIMPLIFYPASS
#define GEN_PASS_DEF_PREPARELOWERINGPASS
#include "invar/Simplify/Passes.h.inc"
} // namespace invar

/// Checks that these rules exist.
static LogicalResult readRules(ModuleOp module, ArrayRef<std::string> list,
                               llvm::StringSet<> &names) {
  for (StringRef name : list) {
    if (llvm::none_of(getRules(),
                      [&](const Rule &rule) { return rule.name == name; }))
      return module.emitError("expected a rule, but got '") << name << "'";
    names.insert(name);
  }
  return success();
}

namespace {
/// The common part of all passes; `Base` is the class that TableGen generates for a
/// pass.
template <typename Base> class RewritePass : public Base {
public:
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = this->getOperation();
    SimplifyOptions options = readOptions();
    restrictTo(StringRef(this->getArgument()).drop_front(strlen("invar-")),
               options);
    if (failed(readRules(module, this->disabled, options.rules.disabled)) ||
        failed(readRules(module, this->enabled, options.rules.enabled)))
      return this->signalPassFailure();
    if (failed(simplify(module, {}, options)))
      this->signalPassFailure();
  }

protected:
  virtual SimplifyOptions readOptions() {
    SimplifyOptions options;
    options.opset = this->opset;
    return options;
  }
};

/// The common part of the passes that fold.
template <typename Base> class FoldPass : public RewritePass<Base> {
public:
  using RewritePass<Base>::RewritePass;

protected:
  SimplifyOptions readOptions() override {
    SimplifyOptions options = RewritePass<Base>::readOptions();
    options.rules.wide = this->wide;
    options.rules.fuse = this->fuse;
    options.growth.bytes = this->growth;
    options.fold->numerics =
        this->wide ? onnx::Numerics::Wide : onnx::Numerics::Exact;
    options.fold->exactOnly = this->exactOnly;
    return options;
  }
};

struct PropagateConstantsPass
    : FoldPass<
          invar::impl::PropagateConstantsPassBase<PropagateConstantsPass>> {
  using FoldPass::FoldPass;
};
struct CanonicalizePass
    : RewritePass<invar::impl::CanonicalizePassBase<CanonicalizePass>> {
  using RewritePass::RewritePass;
};
struct DecomposePass
    : RewritePass<invar::impl::DecomposePassBase<DecomposePass>> {
  using RewritePass::RewritePass;
};
struct RecomposePass
    : RewritePass<invar::impl::RecomposePassBase<RecomposePass>> {
  using RewritePass::RewritePass;
};
struct SimplifyPass : FoldPass<invar::impl::SimplifyPassBase<SimplifyPass>> {
  using FoldPass::FoldPass;

protected:
  SimplifyOptions readOptions() override {
    SimplifyOptions options = FoldPass::readOptions();
    options.rules.decompose = decompose;
    options.rules.recompose = recompose;
    return options;
  }
};

struct PrepareLoweringPass
    : invar::impl::PrepareLoweringPassBase<PrepareLoweringPass> {
  void runOnOperation() override {
    if (failed(simplify(getOperation(), {}, SimplifyOptions::forLowering())))
      signalPassFailure();
  }
};

/// Simplifies as its caller says, for pipelines that need the result.
class GivenSimplifyPass
    : public PassWrapper<GivenSimplifyPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GivenSimplifyPass)

  GivenSimplifyPass(const onnx::ShapeFacts &facts,
                    const SimplifyOptions &options, SimplifyResult &result)
      : facts(facts), options(options), result(result) {}

  StringRef getName() const override { return "SimplifyPass"; }
  StringRef getArgument() const override {
    return options.rules.lowers ? "invar-prepare" : "invar-simplify";
  }

  void runOnOperation() override {
    FailureOr<SimplifyResult> done = simplify(getOperation(), facts, options);
    if (failed(done))
      return signalPassFailure();
    result = std::move(*done);
  }

private:
  const onnx::ShapeFacts &facts;
  const SimplifyOptions &options;
  SimplifyResult &result;
};
} // namespace

std::unique_ptr<Pass> invar::createSimplifyPass(const onnx::ShapeFacts &facts,
                                                const SimplifyOptions &options,
                                                SimplifyResult &result) {
  return std::make_unique<GivenSimplifyPass>(facts, options, result);
}
