// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times kernels on one thread and compares them with the processor's peak.
//
//   invar-bench-kernels [--cpu=NAME] [--json] [WORD]
//
// prints a line for each kernel whose name contains WORD: billions of operations per
// second, the fraction of the peak, and the compile time. The peak is measured with
// multiplications and additions in registers. Measurements of the peak and of the kernel
// alternate, so that other load on the machine slows down both.
#include "../runtime/ElfImage.h"
#include "../unittests/Codegen/HotKernels.h"
#include "invar-c/Abi.h"
#include "invar/Codegen/Link.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <immintrin.h>

using namespace mlir;
using namespace invar;

static double getSeconds() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

//===----------------------------------------------------------------------===//
// The peak
//===----------------------------------------------------------------------===//

// Twelve independent sums hide the latency. The asm statements keep the compiler from
// removing the sums, whose results are not used.
#define INVAR_MEASURE(FEATURES, VECTOR, SET, MULTIPLY_ADD)                     \
  __attribute__((target(FEATURES))) static void measure##VECTOR(int rounds) {  \
    VECTOR sums[12], factor = SET(0.99f), term = SET(0.01f);                   \
    for (VECTOR &sum : sums)                                                   \
      sum = SET(1.0f);                                                         \
    for (int round = 0; round < rounds; ++round) {                             \
      _Pragma("clang loop unroll(full)") for (VECTOR &sum : sums) sum =        \
          MULTIPLY_ADD(sum, factor, term);                                     \
      asm volatile("" : "+v"(factor));                                         \
    }                                                                          \
    for (VECTOR &sum : sums)                                                   \
      asm volatile("" : : "v"(sum));                                           \
  }
INVAR_MEASURE("avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps)
INVAR_MEASURE("avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps)
#undef INVAR_MEASURE

/// Returns the floating-point operations per second of one core, sustained over
/// `seconds`: a core's short-term speed is higher.
static double measurePeak(const CpuTarget &target, double seconds) {
  constexpr int rounds = 100'000;
  unsigned lanes = target.vectorBits / 32;
  double operations = 0, begin = getSeconds(), passed;
  do {
    if (lanes == 16)
      measure__m512(rounds);
    else
      measure__m256(rounds);
    operations += 2.0 * 12 * lanes * rounds;
    passed = getSeconds() - begin;
  } while (passed < seconds);
  return operations / passed;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
struct Case {
  std::string name;
  KernelCase kernel;
  /// Multiplications and additions.
  double operations;
};

struct Outcome {
  double speed, peak, compileSeconds;
};
} // namespace

/// Loads a library from memory. The library stays loaded.
static const InvarKernel &load(const llvm::MemoryBuffer &library) {
  std::unique_ptr<runtime::ElfImage> image;
  if (runtime::Status status =
          runtime::ElfImage::load(library.getBuffer(), image))
    llvm::report_fatal_error(StringRef(status.getText()));
  const void *table =
      image.release()->find(INVAR_MODULE_SYMBOL, sizeof(InvarModule));
  return static_cast<const InvarModule *>(table)->kernels[0];
}

static int64_t getBytes(RankedTensorType type, ArrayRef<int64_t> &sizes) {
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size)) {
      size = sizes.front();
      sizes = sizes.drop_front();
    }
    bytes *= size;
  }
  return bytes;
}

/// Memory that is aligned to a cache line and filled with small numbers.
static std::unique_ptr<char, decltype(&free)> makeBuffer(int64_t bytes) {
  int64_t rounded = (bytes + 127) / 64 * 64;
  char *memory = static_cast<char *>(aligned_alloc(64, rounded));
  for (int64_t index = 0; index < rounded / 4; ++index)
    reinterpret_cast<float *>(memory)[index] = float(index % 7) - 3;
  return {memory, free};
}

static Outcome measure(const Case &given, const CpuTarget &target,
                       MLIRContext &context) {
  auto module = parseSourceString<ModuleOp>(given.kernel.text, &context);
  if (!module)
    llvm::report_fatal_error("expected a kernel that can be parsed");
  CompileOptions options{target, 1};
  double begin = getSeconds();
  FailureOr<std::vector<KernelObject>> objects =
      compileKernels(*module, options);
  if (failed(objects))
    llvm::report_fatal_error("expected a kernel that can be compiled");
  Outcome outcome{0, 0, getSeconds() - begin};
  auto library =
      llvm::cantFail(linkModule(KernelVariant{target, *objects}, {}));
  const InvarKernel &kernel = load(*library);

  std::vector<std::unique_ptr<char, decltype(&free)>> buffers;
  std::vector<void *> tensors;
  ArrayRef<int64_t> sizes = given.kernel.sizes;
  auto function = *module->getOps<func::FuncOp>().begin();
  for (Type type : function.getArgumentTypes()) {
    buffers.push_back(
        makeBuffer(getBytes(cast<RankedTensorType>(type), sizes)));
    tensors.push_back(buffers.back().get());
  }
  InvarKernelPlan plan;
  kernel.plan(given.kernel.sizes.data(), &plan);
  auto scratch = makeBuffer(plan.scratch);
  for (int round = 0; round < 8; ++round) {
    for (double until = getSeconds() + 0.05; getSeconds() < until;) {
      double start = getSeconds();
      kernel.run(tensors.data(), given.kernel.sizes.data(), 0, plan.units,
                 scratch.get());
      outcome.speed =
          std::max(outcome.speed, given.operations / (getSeconds() - start));
    }
    double seconds = given.operations / outcome.speed;
    outcome.peak = std::max(outcome.peak, measurePeak(target, seconds));
  }
  return outcome;
}

static std::vector<Case> makeCases(int64_t panel) {
  std::vector<Case> cases;
  auto addProduct = [&](Product product, std::string kind = "matmul") {
    product.panel = panel;
    cases.push_back({kind + " " + std::to_string(product.rows) + "x" +
                         std::to_string(product.reduced) + "x" +
                         std::to_string(product.columns),
                     product.get(),
                     2.0 * product.batch * product.rows * product.reduced *
                         product.columns});
  };
  addProduct({1, 128, 768, 768});
  addProduct({1, 128, 768, 3072});
  addProduct({1, 128, 3072, 768});
  addProduct({1, 512, 512, 512});
  addProduct({1, 512, 4096, 4096});
  addProduct({1, 1, 768, 3072}, "gemv");
  Product open{1, 128, 768, 768};
  open.hasDynamicRows = true;
  addProduct(open, "matmul, rows open");
  Product scores{12, 128, 64, 128};
  scores.right = Product::Columns;
  addProduct(scores, "attention scores, 12 of");
  Product values{12, 128, 128, 64};
  values.right = Product::Rows;
  addProduct(values, "attention values, 12 of");

  cases.push_back({"bytes 128x384x1536", getByteProduct(128, 384, 1536),
                   2.0 * 128 * 384 * 1536});

  auto describe = [](const Image &image, std::string kind) {
    return kind + " " + std::to_string(image.windowHeight) + "x" +
           std::to_string(image.windowWidth) + " / " +
           std::to_string(image.stride) + ", " + std::to_string(image.height) +
           "x" + std::to_string(image.width) + "x" +
           std::to_string(image.channels);
  };
  auto addConvolution = [&](Image image, int64_t results) {
    std::string tile = std::to_string(image.winograd);
    cases.push_back(
        {describe(image, "conv") + " -> " + std::to_string(results) +
             (image.winograd ? ", tiles of " + tile + "x" + tile
                             : std::string()),
         image.getConvolution(results, panel, 1, Finish::BiasRelu),
         2.0 * image.getOutHeight() * image.getOutWidth() * results *
             image.channels * image.windowHeight * image.windowWidth});
  };
  addConvolution({1, 56, 56, 64, 3, 3, 1, 1, 1}, 64);
  addConvolution({1, 28, 28, 128, 3, 3, 1, 1, 1}, 128);
  addConvolution({1, 14, 14, 256, 3, 3, 1, 1, 1}, 256);
  addConvolution({1, 7, 7, 512, 3, 3, 1, 1, 1}, 512);
  // For Winograd convolutions, count the operations of the direct sums.
  for (int64_t tile : {2, 4})
    for (auto [size, channels] :
         {std::pair(160, 64), std::pair(56, 64), std::pair(28, 128),
          std::pair(14, 256), std::pair(7, 512)}) {
      Image image{1, size, size, channels, 3, 3, 1, 1, 1};
      image.winograd = tile;
      addConvolution(image, channels);
    }
  addConvolution({1, 56, 56, 64, 1, 1}, 64);
  addConvolution({1, 56, 56, 64, 3, 3, 2, 1, 1}, 128);
  addConvolution({1, 224, 224, 3, 7, 7, 2, 1, 3}, 64);
  auto addDepthwise = [&](Image image) {
    cases.push_back(
        {describe(image, "depthwise"), image.getDepthwise(Finish::BiasRelu),
         2.0 * image.getOutHeight() * image.getOutWidth() * image.channels *
             image.windowHeight * image.windowWidth});
  };
  addDepthwise({1, 56, 56, 144, 3, 3, 1, 1, 1});
  addDepthwise({1, 112, 112, 96, 3, 3, 2, 1, 1});
  addDepthwise({1, 14, 14, 672, 5, 5, 1, 1, 2});
  addDepthwise({1, 7, 7, 960, 3, 3, 1, 1, 1});
  Image pooled{1, 112, 112, 64, 3, 3, 2, 1, 1};
  cases.push_back({describe(pooled, "maximum"),
                   pooled.getPool("%r = arith.maximumf %y_, %x_ : f32",
                                  "0xFF800000", "0xFF800000"),
                   9.0 * 56 * 56 * 64});
  return cases;
}

int main(int argc, char **argv) {
  llvm::cl::opt<std::string> cpu(
      "cpu", llvm::cl::init("host"),
      llvm::cl::desc("the processor to compile for"));
  llvm::cl::opt<int64_t> panel(
      "panel", llvm::cl::init(32),
      llvm::cl::desc("columns of packed weights; invar "
                     "compile takes as many"));
  llvm::cl::opt<bool> json("json", llvm::cl::desc("print objects of JSON"));
  llvm::cl::opt<std::string> word(llvm::cl::Positional, llvm::cl::init(""));
  llvm::cl::ParseCommandLineOptions(argc, argv);

  // lld links in this process and resets the options, so copy them first.
  std::string wanted = word;
  bool isJson = json;
  llvm::Expected<CpuTarget> target = CpuTarget::get(cpu);
  if (!target) {
    llvm::errs() << llvm::toString(target.takeError()) << "\n";
    return 1;
  }
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect,
                  math::MathDialect, tensor::TensorDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  for (const Case &each : makeCases(panel)) {
    if (each.name.find(wanted) == std::string::npos)
      continue;
    Outcome outcome = measure(each, *target, context);
    if (isJson)
      llvm::outs() << llvm::format(
          "{\"kernel\": \"%s\", \"gflops\": %.1f, \"peak_gflops\": %.1f, "
          "\"compile_ms\": %.1f}\n",
          each.name.c_str(), outcome.speed / 1e9, outcome.peak / 1e9,
          outcome.compileSeconds * 1e3);
    else
      llvm::outs() << llvm::format("%-40s %7.1f GF/s %5.2f of peak %6.1f ms\n",
                                   each.name.c_str(), outcome.speed / 1e9,
                                   outcome.speed / outcome.peak,
                                   outcome.compileSeconds * 1e3);
    llvm::outs().flush();
  }
  return 0;
}
