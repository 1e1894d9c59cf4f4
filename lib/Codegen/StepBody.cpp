// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StepBody.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;

static std::optional<Combiner> getCombiner(Operation *op) {
  using Kind = arith::AtomicRMWKind;
  using VectorKind = vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, std::optional<Combiner>>(op)
      .Case<arith::AddFOp, math::FmaOp>(
          [](auto) { return Combiner{Kind::addf, VectorKind::ADD}; })
      .Case<arith::AddIOp>(
          [](auto) { return Combiner{Kind::addi, VectorKind::ADD}; })
      .Case<arith::MulFOp>(
          [](auto) { return Combiner{Kind::mulf, VectorKind::MUL}; })
      .Case<arith::MulIOp>(
          [](auto) { return Combiner{Kind::muli, VectorKind::MUL}; })
      .Case<arith::MaximumFOp>(
          [](auto) { return Combiner{Kind::maximumf, VectorKind::MAXIMUMF}; })
      .Case<arith::MinimumFOp>(
          [](auto) { return Combiner{Kind::minimumf, VectorKind::MINIMUMF}; })
      .Case<arith::MaxNumFOp>(
          [](auto) { return Combiner{Kind::maxnumf, VectorKind::MAXNUMF}; })
      .Case<arith::MinNumFOp>(
          [](auto) { return Combiner{Kind::minnumf, VectorKind::MINNUMF}; })
      .Case<arith::MaxSIOp>(
          [](auto) { return Combiner{Kind::maxs, VectorKind::MAXSI}; })
      .Case<arith::MinSIOp>(
          [](auto) { return Combiner{Kind::mins, VectorKind::MINSI}; })
      .Case<arith::MaxUIOp>(
          [](auto) { return Combiner{Kind::maxu, VectorKind::MAXUI}; })
      .Case<arith::MinUIOp>(
          [](auto) { return Combiner{Kind::minu, VectorKind::MINUI}; })
      .Case<arith::AndIOp>(
          [](auto) { return Combiner{Kind::andi, VectorKind::AND}; })
      .Case<arith::OrIOp>(
          [](auto) { return Combiner{Kind::ori, VectorKind::OR}; })
      .Case<arith::XOrIOp>(
          [](auto) { return Combiner{Kind::xori, VectorKind::XOR}; })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Combiner> invar::getCombiner(const NestStep &step,
                                           unsigned index) {
  Block &body = step.getBody();
  BlockArgument soFar = body.getArgument(step.getInputs().size() + index);
  Operation *last = body.getTerminator()->getOperand(index).getDefiningOp();
  if (!soFar.hasOneUse() || last != *soFar.user_begin() || !last->hasOneUse())
    return std::nullopt;
  // In a fused multiply-add, the previous result must be the addend.
  if (isa<math::FmaOp>(last) && last->getOperand(2) != soFar)
    return std::nullopt;
  return ::getCombiner(last);
}

bool invar::isUniform(const NestStep &step, Value value, unsigned loop) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &step.getBody())
      return true;
    return !step.operands[argument.getArgNumber()].dependsOn(loop);
  }
  Operation *op = value.getDefiningOp();
  if (op->getBlock() != &step.getBody())
    return true;
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return step.iterators[index.getDim()] != loop;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isUniform(step, operand, loop);
  });
}

bool invar::isRamp(const NestStep &step, Value value, unsigned loop) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &step.getBody())
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return step.iterators[index.getDim()] == loop;
  if (isa<arith::IndexCastOp>(op))
    return isRamp(step, op->getOperand(0), loop);
  if (isa<arith::AddIOp>(op))
    for (unsigned first : {0, 1})
      if (isRamp(step, op->getOperand(first), loop))
        return isUniform(step, op->getOperand(1 - first), loop);
  return isa<arith::SubIOp>(op) && isRamp(step, op->getOperand(0), loop) &&
         isUniform(step, op->getOperand(1), loop);
}

bool invar::readsNext(const NestStep &step, tensor::ExtractOp extract,
                      unsigned loop) {
  OperandRange indices = extract.getIndices();
  return !indices.empty() && !extract.getTensor().getDefiningOp() &&
         isRamp(step, indices.back(), loop) &&
         llvm::all_of(indices.drop_back(), [&](Value index) {
           return isUniform(step, index, loop);
         });
}

bool invar::mustNotGuess(const NestStep &step, unsigned loop) {
  return llvm::any_of(step.getBody().without_terminator(), [&](Operation &op) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      return !isUniform(step, extract.getResult(), loop) &&
             !readsNext(step, extract, loop);
    return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
               arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
  });
}

unsigned invar::getBodyCost(const NestStep &step) {
  unsigned cost = step.operands.size();
  for (Operation &op : step.getBody().without_terminator()) {
    bool isCheapMath =
        isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp,
            math::CeilOp, math::TruncOp, math::CopySignOp>(op);
    if (isa<math::SqrtOp, math::RsqrtOp, arith::DivFOp>(op))
      cost += 6;
    else if (isa_and_present<math::MathDialect>(op.getDialect()) &&
             !isCheapMath)
      cost += 16;
    else if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                 arith::RemUIOp>(op))
      cost += 20;
    else if (!op.hasTrait<OpTrait::ConstantLike>())
      cost += 1;
  }
  return cost;
}

unsigned invar::getWidestBits(const NestStep &step) {
  unsigned widest = 8;
  auto widen = [&](Type type) {
    // Halves are computed as singles.
    if (type.isF16() || type.isBF16())
      widest = std::max(widest, 32u);
    else if (type.isIntOrFloat())
      widest = std::max(widest, type.getIntOrFloatBitWidth());
  };
  for (BlockArgument argument : step.getBody().getArguments())
    if (!argument.use_empty())
      widen(argument.getType());
  for (Operation &op : step.getBody().without_terminator())
    for (Type type : op.getResultTypes())
      if (!op.hasTrait<OpTrait::ConstantLike>())
        widen(type);
  for (Value result : step.operation->getResults())
    widen(getElementTypeOrSelf(result));
  return widest;
}
