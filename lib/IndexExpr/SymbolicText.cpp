// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints and parses symbolic expressions. Users and tensor types refer to dimensions by
// these texts.
#include "Polynomial.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace invar;
using llvm::StringRef;

//===-- Names -----------------------------------------------------------------===//

static bool isNameChar(char c) {
  return !llvm::isSpace(c) && !StringRef("()*+,'=<>!").contains(c);
}

/// The length of the name at the beginning of a text. A hyphen between letters belongs
/// to the name, as in "batch-size"; a minus has space around it.
static size_t nameLength(StringRef text) {
  if (text.empty() || !isNameChar(text[0]) || llvm::isDigit(text[0]) ||
      text[0] == '-')
    return 0;
  size_t length = text.take_while(isNameChar).size();
  return text[length - 1] == '-' ? 0 : length;
}

static bool isName(StringRef text) {
  return nameLength(text) == text.size() && !text.empty() &&
         text != "floordiv" && text != "ceildiv" && text != "mod";
}

//===-- Printing --------------------------------------------------------------===//

namespace {
/// The precedence of the context around an expression.
enum class Binding { None, Argument, Sum, Product, Operand };

class Printer {
public:
  explicit Printer(llvm::raw_ostream &stream) : stream(stream) {}
  void print(Symbolic expr, Binding around);

private:
  void printSum(const Polynomial &sum);
  bool printExtremum(const Polynomial &sum);
  void printTerm(Symbolic monomial, uint64_t coefficient);
  void printQuoted(StringRef name);
  void call(StringRef name, llvm::ArrayRef<Symbolic> arguments) {
    stream << name << '(';
    llvm::interleaveComma(arguments, stream,
                          [&](Symbolic e) { print(e, Binding::Argument); });
    stream << ')';
  }

  llvm::raw_ostream &stream;
};
} // namespace

void Printer::printTerm(Symbolic monomial, uint64_t coefficient) {
  if (coefficient != 1)
    stream << coefficient << '*';
  print(monomial, coefficient != 1 ? Binding::Product : Binding::Sum);
}

void Printer::printQuoted(StringRef name) {
  stream << '\'';
  for (char c : name)
    stream << (c == '\'' ? "''" : StringRef(&c, 1));
  stream << '\'';
}

void Printer::printSum(const Polynomial &sum) {
  bool first = true;
  auto sign = [&](bool negative) {
    if (!std::exchange(first, false))
      stream << (negative ? " - " : " + ");
    else if (negative)
      stream << '-';
  };
  auto printConstant = [&] {
    sign(sum.constant < 0);
    stream << (sum.constant < 0 ? -uint64_t(sum.constant)
                                : uint64_t(sum.constant));
  };
  // Positive terms come first: `1 - N`, but `N - 1` and `M - N`.
  bool leads =
      sum.constant > 0 && llvm::all_of(sum.terms, [](const Term &term) {
        return term.coefficient < 0;
      });
  if (leads || sum.terms.empty())
    printConstant();
  for (bool negative : {false, true})
    for (auto [monomial, coefficient] : sum.terms)
      if ((coefficient < 0) == negative) {
        sign(negative);
        printTerm(monomial, negative ? -uint64_t(coefficient) : coefficient);
      }
  if (sum.constant && !leads && !sum.terms.empty())
    printConstant();
}

/// The number of nodes to print.
static size_t lengthOf(const Polynomial &sum) {
  size_t length = sum.constant != 0;
  for (const Term &term : sum.terms)
    length += term.monomial->getSize();
  return length;
}

/// The canonical form has only max(x, 0), but min(n, 1) is easier to read than n -
/// max(n - 1, 0): a + max(x, 0) is max(a, a + x), a - max(x, 0) is min(a, a - x).
bool Printer::printExtremum(const Polynomial &sum) {
  for (const auto &[i, term] : llvm::enumerate(sum.terms)) {
    if (term.monomial->getKind() != SymbolicKind::Ramp ||
        (term.coefficient != 1 && term.coefficient != -1) ||
        (sum.terms.size() == 1 && !sum.constant))
      continue;
    Polynomial one = sum;
    one.terms.erase(one.terms.begin() + i);
    Polynomial ramp = toPolynomial(term.monomial->getOperands()[0]);
    std::optional<Polynomial> scaled = ramp * term.coefficient;
    std::optional<Polynomial> other =
        scaled ? one + *scaled : std::optional<Polynomial>();
    // Only if the result is shorter, although `one` is printed twice: otherwise the
    // text could grow at each level of nesting.
    if (!other || lengthOf(one) + lengthOf(*other) >= lengthOf(sum))
      continue;
    stream << (term.coefficient > 0 ? "max(" : "min(");
    printSum(one);
    stream << ", ";
    printSum(*other);
    stream << ')';
    return true;
  }
  return false;
}

void Printer::print(Symbolic expr, Binding around) {
  if (expr->getKind() == SymbolicKind::Sum && printExtremum(toPolynomial(expr)))
    return;
  bool inParentheses =
      (expr->getKind() == SymbolicKind::Sum && around > Binding::Argument) ||
      (expr->getKind() == SymbolicKind::FloorDiv && around > Binding::Sum) ||
      (expr->getKind() == SymbolicKind::Product && around > Binding::Product) ||
      (expr->isConstant() && expr->getConstant() < 0 &&
       around > Binding::Argument);
  if (inParentheses)
    stream << '(';
  llvm::ArrayRef<Symbolic> operands = expr->getOperands();
  switch (expr->getKind()) {
  case SymbolicKind::Undefined:
    stream << "undefined";
    break;
  case SymbolicKind::Constant:
    stream << expr->getConstant();
    break;
  case SymbolicKind::Atom:
    if (expr->getName().empty())
      stream << '?' << expr->getId();
    else if (around == Binding::None || isName(expr->getName()))
      stream << expr->getName();
    else
      printQuoted(expr->getName());
    break;
  case SymbolicKind::Sum:
    printSum(toPolynomial(expr));
    break;
  case SymbolicKind::Product:
    llvm::interleave(
        operands, stream, [&](Symbolic e) { print(e, Binding::Operand); }, "*");
    break;
  case SymbolicKind::FloorDiv:
    print(operands[0], Binding::Operand);
    stream << " floordiv ";
    print(operands[1], Binding::Operand);
    break;
  case SymbolicKind::Ramp:
    stream << "max(";
    print(operands[0], Binding::Argument);
    stream << ", 0)";
    break;
  case SymbolicKind::IsZero:
    call("iszero", operands);
    break;
  case SymbolicKind::IsAtLeastZero:
    call("isatleastzero", operands);
    break;
  case SymbolicKind::Select:
    call("select", operands);
    break;
  }
  if (inParentheses)
    stream << ')';
}

void invar::print(Symbolic expr, llvm::raw_ostream &stream) {
  Printer(stream).print(expr, Binding::None);
}

std::string invar::toString(Symbolic expr) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(expr, stream);
  return text;
}

//===-- Parsing ---------------------------------------------------------------===//

namespace {
/// Recursive descent; null if the text is not an expression.
class Parser {
public:
  Parser(SymbolicContext &context, StringRef text)
      : context(context), rest(text) {}

  Symbolic parseAll() {
    Symbolic expr = parseSum();
    skipSpace();
    return rest.empty() ? expr : nullptr;
  }

private:
  void skipSpace() { rest = rest.ltrim(); }
  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  bool consumeWord(StringRef word) {
    skipSpace();
    if (rest.take_front(nameLength(rest)) != word)
      return false;
    rest = rest.drop_front(word.size());
    return true;
  }
  Symbolic parseSum();
  Symbolic parseProduct();
  Symbolic parseFactor();
  Symbolic parseQuoted();
  Symbolic parseCall(StringRef name);

  SymbolicContext &context;
  StringRef rest;
};
} // namespace

Symbolic Parser::parseSum() {
  // A sign has the precedence of a sum: -(h floordiv 2) is printed as `-h floordiv 2`.
  bool negative = consume("-");
  Symbolic sum = parseProduct();
  if (sum && negative)
    sum = context.scale(sum, -1);
  while (sum) {
    bool plus = consume("+");
    if (!plus && !consume("-"))
      break;
    Symbolic term = parseProduct();
    if (!term)
      return nullptr;
    sum = plus ? context.add(sum, term) : context.sub(sum, term);
  }
  return sum;
}

Symbolic Parser::parseProduct() {
  Symbolic product = parseFactor();
  while (product) {
    using Operation = Symbolic (SymbolicContext::*)(Symbolic, Symbolic);
    Operation operation = consume("*")              ? &SymbolicContext::mul
                          : consumeWord("floordiv") ? &SymbolicContext::floorDiv
                          : consumeWord("ceildiv")  ? &SymbolicContext::ceilDiv
                          : consumeWord("mod")      ? &SymbolicContext::mod
                                                    : nullptr;
    if (!operation)
      break;
    Symbolic factor = parseFactor();
    if (!factor)
      return nullptr;
    product = (context.*operation)(product, factor);
  }
  return product;
}

Symbolic Parser::parseFactor() {
  if (consume("(")) {
    Symbolic inner = parseSum();
    return inner && consume(")") ? inner : nullptr;
  }
  if (consume("-")) {
    Symbolic negated = parseFactor();
    return negated ? context.scale(negated, -1) : nullptr;
  }
  if (consume("'"))
    return parseQuoted();
  int64_t number;
  StringRef digits = rest.take_while(llvm::isDigit);
  if (!digits.empty()) {
    rest = rest.drop_front(digits.size());
    return digits.getAsInteger(10, number) ? nullptr
                                           : context.getConstant(number);
  }
  StringRef name = rest.take_front(nameLength(rest));
  if (name.empty())
    return nullptr;
  rest = rest.drop_front(name.size());
  if (rest.starts_with("("))
    return parseCall(name);
  return isName(name) ? context.getAtom(name) : nullptr;
}

Symbolic Parser::parseQuoted() {
  std::string name;
  // A quote within a name is doubled.
  do {
    size_t end = rest.find('\'');
    if (end == StringRef::npos)
      return nullptr;
    name += rest.take_front(end);
    rest = rest.drop_front(end + 1);
    if (rest.starts_with("'"))
      name += '\'';
  } while (rest.consume_front("'"));
  return context.getAtom(name);
}

Symbolic Parser::parseCall(StringRef name) {
  llvm::SmallVector<Symbolic> arguments;
  consume("(");
  do {
    arguments.push_back(parseSum());
    if (!arguments.back())
      return nullptr;
  } while (consume(","));
  if (!consume(")"))
    return nullptr;
  if (arguments.size() == 1)
    return name == "iszero"          ? context.isZero(arguments[0])
           : name == "isatleastzero" ? context.isAtLeastZero(arguments[0])
                                     : nullptr;
  if (arguments.size() == 2)
    return name == "max"   ? context.max(arguments[0], arguments[1])
           : name == "min" ? context.min(arguments[0], arguments[1])
                           : nullptr;
  return arguments.size() == 3 && name == "select"
             ? context.select(arguments[0], arguments[1], arguments[2])
             : nullptr;
}

Symbolic SymbolicContext::parse(StringRef text) {
  // Names are frequent, expressions are rare. A text that is too long is a name.
  constexpr size_t longest = 1024;
  if (auto it = atoms.find(text); it != atoms.end())
    return it->second;
  if (isName(text) || text.size() > longest)
    return getAtom(text);
  Symbolic expr = Parser(*this, text).parseAll();
  return expr && !expr->isUndefined() ? expr : getAtom(text);
}
