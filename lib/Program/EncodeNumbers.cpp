// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes arithmetic on numbers.
#include "Encoder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace invar;

/// The width of an integer that is narrower than a register; 0 for other types. A truth
/// value is 0 or 1 in any case.
static unsigned getNarrowWidth(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() < 64 ? integer.getWidth() : 0;
}

uint32_t Encoder::extend(Value value, InvarOpcode opcode) {
  unsigned width = getNarrowWidth(value.getType());
  if (width <= 1)
    return get(value);
  uint32_t to = assembler.makeNumber();
  assembler.emit(opcode, {to, get(value), width});
  return to;
}

/// The saturating form of an instruction, for sizes and positions, if there is one.
static InvarOpcode saturate(InvarOpcode opcode) {
  switch (opcode) {
  case INVAR_OP_ADD:
    return INVAR_OP_ADD_SATURATED;
  case INVAR_OP_SUB:
    return INVAR_OP_SUB_SATURATED;
  case INVAR_OP_MUL:
    return INVAR_OP_MUL_SATURATED;
  default:
    return opcode;
  }
}

void Encoder::emitBinary(Operation *op, InvarOpcode opcode, bool isUnsigned) {
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  uint32_t left = isUnsigned ? extend(lhs, INVAR_OP_ZERO_EXTEND) : get(lhs);
  uint32_t right = isUnsigned ? extend(rhs, INVAR_OP_ZERO_EXTEND) : get(rhs);
  uint32_t to = define(op->getResult(0));
  Type type = op->getResult(0).getType();
  assembler.emit(type.isIndex() ? saturate(opcode) : opcode, {to, left, right});
  if (unsigned width = getNarrowWidth(type))
    assembler.emit(width == 1 ? INVAR_OP_ZERO_EXTEND : INVAR_OP_SIGN_EXTEND,
                   {to, to, width});
  if (type.isF32())
    assembler.emit(INVAR_OP_FLOAT_ROUND_TO_SINGLE, {to, to});
}

namespace {
/// A comparison of integers, expressed by a comparison of the runtime.
struct Comparison {
  InvarOpcode opcode;
  bool isSwapped = false, isUnsigned = false;
};
} // namespace

static Comparison getComparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return {INVAR_OP_EQUAL};
  case arith::CmpIPredicate::ne:
    return {INVAR_OP_NOT_EQUAL};
  case arith::CmpIPredicate::slt:
    return {INVAR_OP_LESS};
  case arith::CmpIPredicate::sle:
    return {INVAR_OP_LESS_EQUAL};
  case arith::CmpIPredicate::sgt:
    return {INVAR_OP_LESS, true};
  case arith::CmpIPredicate::sge:
    return {INVAR_OP_LESS_EQUAL, true};
  case arith::CmpIPredicate::ult:
    return {INVAR_OP_LESS_UNSIGNED, false, true};
  case arith::CmpIPredicate::ule:
    return {INVAR_OP_LESS_EQUAL_UNSIGNED, false, true};
  case arith::CmpIPredicate::ugt:
    return {INVAR_OP_LESS_UNSIGNED, true, true};
  case arith::CmpIPredicate::uge:
    return {INVAR_OP_LESS_EQUAL_UNSIGNED, true, true};
  }
  llvm_unreachable("all predicates are above");
}

/// The same for floats; none if the runtime has no such comparison.
static std::optional<Comparison> getComparison(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
    return Comparison{INVAR_OP_FLOAT_EQUAL};
  case arith::CmpFPredicate::OLT:
    return Comparison{INVAR_OP_FLOAT_LESS};
  case arith::CmpFPredicate::OLE:
    return Comparison{INVAR_OP_FLOAT_LESS_EQUAL};
  case arith::CmpFPredicate::OGT:
    return Comparison{INVAR_OP_FLOAT_LESS, true};
  case arith::CmpFPredicate::OGE:
    return Comparison{INVAR_OP_FLOAT_LESS_EQUAL, true};
  default:
    return std::nullopt;
  }
}

/// The instruction for two numbers, and whether it treats them as unsigned.
static std::optional<std::pair<InvarOpcode, bool>> getBinary(Operation *op) {
  using Result = std::optional<std::pair<InvarOpcode, bool>>;
  return llvm::TypeSwitch<Operation *, Result>(op)
#define INVAR_BINARY(OP, OPCODE, IS_UNSIGNED)                                  \
  .Case<arith::OP>(                                                            \
      [](auto) { return std::pair(INVAR_OP_##OPCODE, IS_UNSIGNED); })
      INVAR_BINARY(AddIOp, ADD, false) INVAR_BINARY(SubIOp, SUB, false)
          INVAR_BINARY(MulIOp, MUL, false) INVAR_BINARY(DivSIOp, DIV, false)
              INVAR_BINARY(DivUIOp, DIV_UNSIGNED, true) INVAR_BINARY(
                  FloorDivSIOp, FLOOR_DIV,
                  false) INVAR_BINARY(CeilDivSIOp, CEIL_DIV,
                                      false) INVAR_BINARY(RemSIOp, REM, false)
                  INVAR_BINARY(RemUIOp, REM_UNSIGNED, true) INVAR_BINARY(
                      AndIOp, AND, false) INVAR_BINARY(OrIOp, OR, false)
                      INVAR_BINARY(XOrIOp, XOR, false) INVAR_BINARY(
                          ShLIOp, SHIFT_LEFT,
                          false) INVAR_BINARY(ShRSIOp, SHIFT_RIGHT, false)
                          INVAR_BINARY(ShRUIOp, SHIFT_RIGHT_UNSIGNED,
                                       true) INVAR_BINARY(MinSIOp, MIN, false)
                              INVAR_BINARY(MaxSIOp, MAX, false) INVAR_BINARY(
                                  MinUIOp, MIN_UNSIGNED, true)
                                  INVAR_BINARY(MaxUIOp, MAX_UNSIGNED, true)
                                      INVAR_BINARY(AddFOp, FLOAT_ADD, false)
                                          INVAR_BINARY(SubFOp, FLOAT_SUB, false)
                                              INVAR_BINARY(MulFOp, FLOAT_MUL,
                                                           false)
                                                  INVAR_BINARY(DivFOp,
                                                               FLOAT_DIV, false)
#undef INVAR_BINARY
                                                      .Default([](Operation *) {
                                                        return std::nullopt;
                                                      });
}

std::optional<LogicalResult> Encoder::encodeNumbers(Operation *op) {
  if (op->getNumResults() != 1 || !isNumber(op->getResult(0).getType()) ||
      !llvm::all_of(op->getOperandTypes(), isNumber))
    return std::nullopt;
  if (auto binary = getBinary(op)) {
    emitBinary(op, binary->first, binary->second);
    return success();
  }
  auto unary = [&](InvarOpcode opcode) {
    assembler.emit(opcode, {define(op->getResult(0)), get(op->getOperand(0))});
  };
  auto resize = [&](InvarOpcode opcode, Type type) {
    uint32_t to = define(op->getResult(0)), from = get(op->getOperand(0));
    unsigned width = getNarrowWidth(type);
    if (width)
      assembler.emit(opcode, {to, from, width});
    else
      copy(to, from, type);
  };
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    uint32_t to = define(op->getResult(0));
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      assembler.emitNumber(to,
                           llvm::bit_cast<uint64_t>(number.getValueAsDouble()));
    else if (auto integer = cast<IntegerAttr>(constant.getValue());
             integer.getType().isInteger(1))
      assembler.emitNumber(to, integer.getValue().getZExtValue());
    else
      assembler.emitNumber(to, uint64_t(integer.getValue().getSExtValue()));
    return success();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    Comparison by = getComparison(compare.getPredicate());
    auto read = [&](Value value) {
      return by.isUnsigned ? extend(value, INVAR_OP_ZERO_EXTEND) : get(value);
    };
    uint32_t left = read(compare.getLhs()), right = read(compare.getRhs());
    if (by.isSwapped)
      std::swap(left, right);
    assembler.emit(by.opcode, {define(compare), left, right});
    return success();
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    std::optional<Comparison> by = getComparison(compare.getPredicate());
    if (!by)
      return op->emitError("expected an ordered comparison");
    uint32_t left = get(compare.getLhs()), right = get(compare.getRhs());
    if (by->isSwapped)
      std::swap(left, right);
    assembler.emit(by->opcode, {define(compare), left, right});
    return success();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    SmallVector<uint32_t> operands = getNumbers(select->getOperands());
    operands.insert(operands.begin(), define(select));
    assembler.emit(INVAR_OP_SELECT, operands);
    return success();
  }
  Type from = op->getNumOperands() ? op->getOperand(0).getType() : Type();
  Type to = op->getResult(0).getType();
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op))
    // Extends the sign of the operand. If the result is narrower, keeps the lowest bits.
    resize(INVAR_OP_SIGN_EXTEND, getNarrowWidth(to) ? to : from);
  else if (isa<arith::IndexCastUIOp, arith::ExtUIOp>(op))
    resize(INVAR_OP_ZERO_EXTEND, from);
  else if (isa<arith::TruncIOp>(op))
    resize(to.isInteger(1) ? INVAR_OP_ZERO_EXTEND : INVAR_OP_SIGN_EXTEND, to);
  else if (isa<arith::ExtFOp>(op))
    unary(INVAR_OP_COPY_NUMBER);
  else if (isa<arith::TruncFOp>(op) && to.isF32())
    unary(INVAR_OP_FLOAT_ROUND_TO_SINGLE);
  else if (isa<arith::SIToFPOp>(op))
    unary(INVAR_OP_INT_TO_FLOAT);
  else if (isa<arith::FPToSIOp>(op))
    unary(INVAR_OP_FLOAT_TO_INT);
  else if (isa<math::FloorOp>(op))
    unary(INVAR_OP_FLOAT_FLOOR);
  else if (isa<math::CeilOp>(op))
    unary(INVAR_OP_FLOAT_CEIL);
  else if (isa<UnrealizedConversionCastOp>(op))
    unary(INVAR_OP_COPY_NUMBER);
  else
    return std::nullopt;
  return success();
}
