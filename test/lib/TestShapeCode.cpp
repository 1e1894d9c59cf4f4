// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test-shape-code MODELS CODE REPORT: the code that computes operators' shapes, to be run.
//
// MODELS lists files, one a line; each is a model of one node, whose small operands are
// initializers and whose others are inputs of static shape. For each, CODE has functions
// that compute the sizes of its results from operands of dynamic types, as a lowering to
// linalg would, in up to four ways of knowing less than the model says:
//
//   0  no size of an operand is known, only its rank; nor what is in it
//   1  the lengths of small operands are known, too
//   2  which axes are meant is known, too
//   3  what is in small operands is known, too
//
// and @main, which calls all of them with operands of the model's sizes and prints lines
// of numbers: model, way, and of each result the rank and sizes (-1 where not known).
// REPORT has a line of JSON for each model: the sizes that inference found, those that it
// found by names of the inputs' sizes, with the numbers put in for the names, and why
// there is no code if there is none.
#include "ShapeCode.h"
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Frontend/Import/Import.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace invar;

/// Reported for a size that is not known.
static constexpr int64_t unknown = -1;

/// The operator whose results are the model's; null if it has constants alone. Older forms
/// may have become several operators: those before it are operands like inputs.
static Operation *findOperator(ModuleOp module) {
  auto main = *module.getOps<func::FuncOp>().begin();
  for (Operation &op : llvm::reverse(main.front().without_terminator()))
    if (!op.hasTrait<OpTrait::ConstantLike>())
      return &op;
  return nullptr;
}

/// The sizes of each result, by what is known of names; null where there is no rank.
static llvm::json::Array readSizes(Operation *op, SymbolicContext &known) {
  llvm::json::Array results;
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) {
      results.push_back(nullptr);
      continue;
    }
    llvm::json::Array sizes;
    auto names = dyn_cast_or_null<onnx::DimsAttr>(tensor.getEncoding());
    for (auto [axis, size] : llvm::enumerate(tensor.getShape())) {
      if (names && ShapedType::isDynamic(size)) {
        Symbolic expr = known.resolve(known.parse(names.getNames()[axis]));
        sizes.push_back(expr->isConstant() ? expr->getConstant() : unknown);
      } else {
        sizes.push_back(ShapedType::isDynamic(size) ? unknown : size);
      }
    }
    results.push_back(std::move(sizes));
  }
  return results;
}

/// Takes the sizes of the inputs of a model away and gives them names, and states in
/// `sizes` what each name stands for.
static void nameSizes(ModuleOp module, SymbolicContext &sizes) {
  auto main = *module.getOps<func::FuncOp>().begin();
  MLIRContext *context = module.getContext();
  for (BlockArgument argument : main.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    SmallVector<StringAttr> names;
    for (auto [axis, size] : llvm::enumerate(type.getShape())) {
      names.push_back(StringAttr::get(
          context, "n" + Twine(argument.getArgNumber()) + "_" + Twine(axis)));
      sizes.unify(sizes.getAtom(names.back()), sizes.getConstant(size));
    }
    SmallVector<int64_t> dynamic(names.size(), ShapedType::kDynamic);
    argument.setType(RankedTensorType::get(
        dynamic, type.getElementType(), onnx::DimsAttr::get(context, names)));
  }
  main.setType(FunctionType::get(context, main.front().getArgumentTypes(),
                                 main.getResultTypes()));
}

/// Adds the code for a model and returns what is to be reported of it.
static llvm::json::Object addModel(ShapeCode &code, MLIRContext *context,
                                   unsigned number, StringRef path) {
  llvm::json::Object report;
  std::string errors;
  ScopedDiagnosticHandler collect(context, [&](Diagnostic &diagnostic) {
    errors += (errors.empty() ? "" : "; ") + diagnostic.str();
  });
  auto because = [&](StringRef kind, const Twine &why) {
    report[kind] = why.str();
    return std::move(report);
  };
  llvm::Expected<ImportedModel> model = importModel(*context, path);
  if (!model)
    return because("error", llvm::toString(model.takeError()));
  OwningOpRef<ModuleOp> named(model->module->clone());
  if (failed(onnx::inferTypes(*model->module)))
    return because("error", "inference: " + errors);
  SymbolicContext sizes;
  nameSizes(*named, sizes);
  if (failed(onnx::inferTypes(*named)))
    return because("error", "inference by names: " + errors);
  Operation *op = findOperator(*model->module);
  if (!op)
    return because("skipped", "a constant");
  report["inferred"] = readSizes(op, sizes);
  report["named"] = readSizes(findOperator(*named), sizes);
  if (isa<onnx::TypesOpInterface>(op) || !isa<ShapeOpInterface>(op))
    return because("skipped",
                   "not a matter of sizes: graphs, sequences, types");
  std::optional<SmallVector<Operand>> operands = readOperands(op);
  if (!operands)
    return because("skipped", "an operand that is no tensor");
  auto hasConstants = [&](Way way) {
    return llvm::any_of(*operands,
                        [&](const Operand &o) { return o.isConstant(way); });
  };
  bool knowsAll = false;
  for (Way way : {Ranks, Lengths, Axes, Contents}) {
    // What the way before knew all of, it knows, too; the last is what inference knows.
    if (way == Lengths && (knowsAll || !hasConstants(Contents)))
      continue;
    if (way == Axes && (knowsAll || !hasConstants(Axes)))
      continue;
    if (way == Contents && !hasConstants(Contents))
      continue;
    std::optional<unsigned> unknowns = code.add(number, way, op, *operands);
    if (!unknowns)
      return because("error", "way " + Twine(int(way)) + ": " +
                                  (errors.empty() ? "refused" : errors));
    knowsAll |= *unknowns == 0;
  }
  return report;
}

int main(int argc, char **argv) {
  auto fail = [](const Twine &why) {
    llvm::errs() << "test-shape-code: " << why << "\n";
    return 2;
  };
  if (argc != 4)
    return fail("expected MODELS CODE REPORT");
  auto list = llvm::MemoryBuffer::getFile(argv[1]);
  std::error_code error;
  llvm::ToolOutputFile code(argv[2], error, llvm::sys::fs::OF_None);
  if (!list || error)
    return fail("expected files that can be read and written");
  llvm::raw_fd_ostream report(argv[3], error);
  if (error)
    return fail("expected a file for the report");
  DialectRegistry registry;
  registry.insert<onnx::ONNXDialect, affine::AffineDialect, arith::ArithDialect,
                  func::FuncDialect, tensor::TensorDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  ShapeCode shapes(context);
  unsigned number = 0;
  for (llvm::line_iterator line(**list); !line.is_at_eof(); ++line) {
    report << llvm::json::Value(addModel(shapes, &context, number++, *line))
           << "\n";
    report.flush(); // What a crash leaves tells where it was.
  }
  shapes.finish().print(code.os());
  code.keep();
  return 0;
}
