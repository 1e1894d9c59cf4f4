// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test-shape-code MODELS CODE REPORT: the code that computes operators' shapes, to be run.
//
// MODELS lists files, one a line; each is a model of one node, whose small operands are
// initializers and whose others are inputs of static shape. For each, CODE has functions
// that compute the sizes of its results from operands of dynamic types, as a lowering to
// linalg would, in up to three ways of knowing less than the model says:
//
//   0  no size of an operand is known, only its rank; nor what is in it
//   1  the lengths of small operands are known, too
//   2  what is in small operands is known, too
//
// and @main, which calls all of them with operands of the model's sizes and prints lines
// of numbers: model, way, and of each result the rank and sizes (-1 where not known).
// REPORT has a line of JSON for each model: the sizes that inference found, those that it
// found by names of the inputs' sizes, with the numbers put in for the names, and why
// there is no code if there is none.
#include "invar/Dialect/ONNX/ONNXDialect.h"
#include "invar/Dialect/ONNX/TypeInference.h"
#include "invar/Frontend/Import/Import.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace invar;

namespace {
enum Way { Ranks, Lengths, Contents };
constexpr int64_t unknown = -1;

/// An operand as the model gives it.
struct Operand {
  RankedTensorType type;
  /// Null for large operands, and those of types that code cannot read.
  DenseElementsAttr contents;
};

class Generator {
public:
  explicit Generator(MLIRContext &context);
  /// Adds the code for a model and returns what is to be reported of it.
  llvm::json::Object add(unsigned number, StringRef path);
  /// Ends @main.
  ModuleOp finish();

private:
  /// Adds one function; the sizes it cannot know are counted, none if it was refused.
  std::optional<unsigned> addWay(unsigned number, Way way, Operation *op,
                                 ArrayRef<Operand> operands);
  std::optional<unsigned> emitSizes(func::FuncOp function, Operation *op,
                                    ValueRange operands);
  void addCall(unsigned number, Way way, func::FuncOp function,
               ArrayRef<Operand> operands, ArrayRef<bool> isGiven);
  void print(Value number);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  OpBuilder builder;
  Location loc;
  OwningOpRef<ModuleOp> code;
  func::FuncOp main, printNumber, printComma, printNewline;
  /// The ranks of the results of the function being added.
  SmallVector<int64_t> ranks;
};
} // namespace

//===-- Operands --------------------------------------------------------------===//

/// The type of a tensor's elements in code: integers have no sign there, and of what code
/// does not calculate with only the sizes matter.
static Type toCode(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  if (type.isF16() || type.isBF16() || type.isF32() || type.isF64())
    return type;
  return IntegerType::get(type.getContext(), 8);
}

/// The contents of a constant as an attribute that upstream knows; null if it has none.
static DenseElementsAttr toDense(ElementsAttr elements) {
  auto type = RankedTensorType::get(elements.getShapedType().getShape(),
                                    toCode(elements.getElementType()));
  if (isa<IntegerType>(elements.getElementType()))
    if (auto values = elements.tryGetValues<APInt>())
      return DenseElementsAttr::get(type, llvm::to_vector(*values));
  if (elements.getElementType() == type.getElementType())
    if (auto values = elements.tryGetValues<APFloat>())
      return DenseElementsAttr::get(type, llvm::to_vector(*values));
  return nullptr;
}

/// None if there is an operand that is no tensor.
static std::optional<SmallVector<Operand>> readOperands(Operation *op) {
  SmallVector<Operand> operands;
  for (Value value : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape())
      return std::nullopt;
    ElementsAttr elements;
    matchPattern(value, m_Constant(&elements));
    operands.push_back({type, elements ? toDense(elements) : nullptr});
  }
  return operands;
}

//===-- Functions -------------------------------------------------------------===//

Generator::Generator(MLIRContext &context)
    : builder(&context), loc(builder.getUnknownLoc()),
      code(ModuleOp::create(loc)) {
  builder.setInsertionPointToEnd(code->getBody());
  auto declare = [&](StringRef name, TypeRange inputs) {
    auto function = func::FuncOp::create(builder, loc, name,
                                         builder.getFunctionType(inputs, {}));
    function.setPrivate();
    return function;
  };
  // Of the runner's own library.
  printNumber = declare("printI64", builder.getI64Type());
  printComma = declare("printComma", {});
  printNewline = declare("printNewline", {});
  main = func::FuncOp::create(builder, loc, "main",
                              builder.getFunctionType({}, {}));
  main.addEntryBlock();
}

void Generator::print(Value number) {
  Value wide =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), number);
  func::CallOp::create(builder, loc, printNumber, wide);
  func::CallOp::create(builder, loc, printComma, ValueRange());
}

std::optional<unsigned> Generator::emitSizes(func::FuncOp function,
                                             Operation *op,
                                             ValueRange operands) {
  builder.setInsertionPointToStart(&function.front());
  SymbolicContext symbolic;
  IndexExprScope scope(symbolic, builder, loc);
  IndexExprBuilderForLinalg linalg(scope);
  ShapeHelper shape(op, operands, linalg);
  if (failed(shape.computeShape()))
    return std::nullopt;
  SmallVector<Value> sizes;
  unsigned unknowns = 0;
  ranks.clear();
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    ranks.push_back(shape.hasOutputDims(i)
                        ? int64_t(shape.getOutputDims(i).size())
                        : unknown);
    unknowns += !shape.hasOutputDims(i);
    if (!shape.hasOutputDims(i))
      continue;
    for (IndexExpr dim : shape.getOutputDims(i)) {
      unknowns += dim.hasQuestionmark();
      sizes.push_back(dim.hasQuestionmark() ? constant(unknown)
                                            : dim.getValue(scope));
    }
  }
  func::ReturnOp::create(builder, loc, sizes);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(sizes).getTypes()));
  return unknowns;
}

void Generator::addCall(unsigned number, Way way, func::FuncOp function,
                        ArrayRef<Operand> operands, ArrayRef<bool> isGiven) {
  builder.setInsertionPointToEnd(code->getBody());
  auto run =
      func::FuncOp::create(builder, loc, ("run_" + function.getName()).str(),
                           builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(run.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [operand, given] : llvm::zip(operands, isGiven)) {
    if (!given)
      continue;
    Value value;
    if (operand.contents)
      value = arith::ConstantOp::create(builder, loc, operand.contents);
    else
      value = tensor::EmptyOp::create(builder, loc, operand.type.getShape(),
                                      toCode(operand.type.getElementType()));
    Type type = function.getArgumentTypes()[arguments.size()];
    if (value.getType() != type)
      value = tensor::CastOp::create(builder, loc, type, value);
    arguments.push_back(value);
  }
  auto call = func::CallOp::create(builder, loc, function, arguments);
  print(constant(number));
  print(constant(way));
  ValueRange sizes = call.getResults();
  for (int64_t rank : ranks) {
    print(constant(rank));
    for (Value size : sizes.take_front(std::max<int64_t>(rank, 0)))
      print(size);
    sizes = sizes.drop_front(std::max<int64_t>(rank, 0));
  }
  func::CallOp::create(builder, loc, printNewline, ValueRange());
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToEnd(&main.front());
  func::CallOp::create(builder, loc, run, ValueRange());
}

std::optional<unsigned> Generator::addWay(unsigned number, Way way,
                                          Operation *op,
                                          ArrayRef<Operand> operands) {
  // A graph that knows no more than it should; what of it is used in code by mistake,
  // instead of the operands that are given, makes the function invalid.
  OwningOpRef<ModuleOp> little(ModuleOp::create(loc));
  builder.setInsertionPointToEnd(little->getBody());
  auto graph = func::FuncOp::create(builder, loc, "graph",
                                    builder.getFunctionType({}, {}));
  Block *body = graph.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  SmallVector<bool> isGiven;
  SmallVector<Type> types;
  for (auto [value, operand] : llvm::zip(op->getOperands(), operands)) {
    bool isSmall = operand.contents != nullptr;
    isGiven.push_back(!isSmall || way != Contents);
    if (!isGiven.back()) {
      Operation *constant = builder.clone(*value.getDefiningOp());
      mapping.map(value, constant->getResult(0));
      continue;
    }
    SmallVector<int64_t> sizes(operand.type.getShape());
    if (!isSmall || way == Ranks)
      sizes.assign(sizes.size(), ShapedType::kDynamic);
    Type element = operand.type.getElementType();
    types.push_back(RankedTensorType::get(sizes, toCode(element)));
    mapping.map(value,
                body->addArgument(RankedTensorType::get(sizes, element), loc));
  }
  Operation *copy = builder.clone(*op, mapping);
  for (OpResult result : copy->getResults())
    result.setType(onnx::withoutShape(result.getType()));
  if (failed(copy->getName().verifyInvariants(copy)))
    return std::nullopt;

  builder.setInsertionPointToEnd(code->getBody());
  auto function = func::FuncOp::create(builder, loc,
                                       "sizes_" + std::to_string(number) + "_" +
                                           std::to_string(way),
                                       builder.getFunctionType(types, {}));
  function.addEntryBlock();
  SmallVector<Value> given;
  for (auto [i, operand] : llvm::enumerate(copy->getOperands()))
    given.push_back(isGiven[i] ? function.getArgument(llvm::count(
                                     ArrayRef(isGiven).take_front(i), true))
                               : operand);
  std::optional<unsigned> unknowns = emitSizes(function, copy, given);
  if (!unknowns || failed(verify(function))) {
    function->dropAllReferences();
    function.erase();
    return std::nullopt;
  }
  addCall(number, way, function, operands, isGiven);
  return unknowns;
}

//===-- Models ----------------------------------------------------------------===//

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

llvm::json::Object Generator::add(unsigned number, StringRef path) {
  llvm::json::Object report;
  std::string errors;
  ScopedDiagnosticHandler collect(
      builder.getContext(), [&](Diagnostic &diagnostic) {
        errors += (errors.empty() ? "" : "; ") + diagnostic.str();
      });
  auto because = [&](StringRef kind, const Twine &why) {
    report[kind] = why.str();
    return std::move(report);
  };
  llvm::Expected<ImportedModel> model =
      importModel(*builder.getContext(), path);
  if (!model)
    return because("error", llvm::toString(model.takeError()));
  OwningOpRef<ModuleOp> named(model->module->clone());
  if (failed(onnx::TypeInference(builder.getContext()).run(*model->module)))
    return because("error", "inference: " + errors);
  SymbolicContext sizes;
  nameSizes(*named, sizes);
  if (failed(onnx::TypeInference(builder.getContext()).run(*named)))
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
  bool hasContents = llvm::any_of(
      *operands, [](const Operand &o) { return o.contents != nullptr; });
  bool knowsAll = false;
  for (Way way : {Ranks, Lengths, Contents}) {
    if (way == Lengths ? knowsAll || !hasContents
                       : way == Contents && !hasContents)
      continue;
    std::optional<unsigned> unknowns = addWay(number, way, op, *operands);
    if (!unknowns)
      return because("error", "way " + Twine(int(way)) + ": " +
                                  (errors.empty() ? "refused" : errors));
    knowsAll |= *unknowns == 0;
  }
  return report;
}

ModuleOp Generator::finish() {
  builder.setInsertionPointToEnd(&main.front());
  func::ReturnOp::create(builder, loc);
  return *code;
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
  Generator generator(context);
  unsigned number = 0;
  for (llvm::line_iterator line(**list); !line.is_at_eof(); ++line) {
    report << llvm::json::Value(generator.add(number++, *line)) << "\n";
    report.flush(); // What a crash leaves tells where it was.
  }
  generator.finish().print(code.os());
  code.keep();
  return 0;
}
