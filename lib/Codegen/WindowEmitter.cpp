// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes reductions of windows (Window.h). A work unit is a line of tiles, for some of
// the channels. If an image has a border, tiles whose windows reach into it read it with
// masks; all other tiles read it as if there were no border.
#include "Contraction.h"
#include "KernelEmitter.h"
#include "RowTiles.h"
#include "Window.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>

using namespace mlir;
using namespace invar;

using Values = KernelBuilder::Values;

namespace {

/// An axis that has a border.
struct BorderedAxis {
  unsigned axis;
  Value size;
  /// Whether taps outside of the axis are skipped, so that the other taps need no check.
  bool isClipped;
};

/// An operand that is read through a window.
struct Source {
  const Window::Input &input;
  Walk walk;
  SmallVector<BorderedAxis, 2> bordered;
};

/// The position of the loops in an operand.
struct Place {
  Value offset;
  /// The position along each axis that has a border.
  Values positions;
};
using Places = SmallVector<Place, 2>;

/// The neighbors and channels that are computed at once.
struct Tile {
  Values outer;
  unsigned size;
  Value first;
  Value channel, mask;
  bool isInside;
};

class WindowWriter {
public:
  WindowWriter(KernelBuilder &builder, Window &window);

  KernelPlan writePlan();
  void writeRun();

private:
  void addSource(const Window::Input &input);
  void writeLine(ArrayRef<Value> outer, Value firstChannel, Value endChannel);
  void writeTile(Tile tile, Value firstChannel, Value endChannel);
  void writeVector(const Tile &tile);

  Places getPlaces(const Tile &tile);
  void move(Places &places, unsigned loop, Value iterations);
  Value isInside(const Tile &tile);
  std::pair<Value, Value> clipTaps(unsigned loop, const Places &places);
  Values reduce(const Tile &tile, unsigned level, const Places &places,
                Values carried);
  Values addTaps(const Tile &tile, const Places &places, Values carried);
  Value load(const Tile &tile, const Source &source, const Place &place,
             int64_t neighbor, int64_t tap);
  void atPoint(const Tile &tile, int64_t neighbor,
               llvm::function_ref<void(const Point &)> body);

  KernelBuilder &builder;
  Window &window;
  unsigned lanes;
  Values sizes;
  Value channels, chunk, chunks;
  RowTiles tiles;
  SmallVector<Source, 2> sources;
};

class WindowEmitter : public KernelEmitter {
public:
  explicit WindowEmitter(Window window) : window(std::move(window)) {}

  StringRef getName() const override { return "window"; }
  KernelPlan emitPlan(KernelBuilder &builder) override {
    return WindowWriter(builder, window).writePlan();
  }
  void emitRun(KernelBuilder &builder) override {
    WindowWriter(builder, window).writeRun();
  }

private:
  Window window;
};
} // namespace

/// The widest element that the body computes with, in bits; 0 if some type has no
/// suitable vectors.
static unsigned getWidth(linalg::GenericOp root) {
  unsigned width = 0;
  auto add = [&](Type type) {
    bool isPlain =
        type.isF32() || type.isF64() ||
        (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() % 8 == 0);
    if (isPlain)
      width = std::max(width, type.getIntOrFloatBitWidth());
    return isPlain;
  };
  for (BlockArgument argument : root.getBody()->getArguments())
    if (!argument.use_empty() && !add(argument.getType()))
      return 0;
  for (Operation &op : root.getBody()->without_terminator())
    for (Type type : op.getResultTypes())
      if (!type.isInteger(1) && !add(type))
        return 0;
  return width;
}

std::unique_ptr<KernelEmitter> invar::matchWindow(func::FuncOp kernel,
                                                  const CpuTarget &) {
  FailureOr<Window> window = Window::get(kernel);
  if (failed(window) || !getWidth(window->root))
    return nullptr;
  return std::make_unique<WindowEmitter>(*window);
}

WindowWriter::WindowWriter(KernelBuilder &builder, Window &window)
    : builder(builder), window(window),
      lanes(builder.getTarget().getLanes(getWidth(window.root))),
      sizes(getLoopSizes(builder, window.root)),
      channels(sizes[window.vectorLoop]), chunk(builder.index(16 * lanes)),
      chunks(builder.ceilDiv(channels, chunk)),
      tiles(builder, sizes[window.tileLoop], builder.getTarget().windowTile) {
  for (const Window::Input &input : window.inputs)
    addSource(input);
}

void WindowWriter::addSource(const Window::Input &input) {
  Source source{input, input.access.getWalk(builder), {}};
  for (auto [index, axis] : llvm::enumerate(input.access.getAxes())) {
    if (!axis.isBordered)
      continue;
    auto moves = [&, &axis = axis](unsigned loop) { return axis.steps[loop]; };
    bool isClipped = input.isNeutral && !moves(window.tileLoop) &&
                     !(window.unrolledTap && moves(*window.unrolledTap)) &&
                     llvm::count_if(window.taps, moves) == 1 &&
                     moves(*llvm::find_if(window.taps, moves)) > 0;
    source.bordered.push_back({unsigned(index),
                               builder.getSize(input.access.getTensor(), index),
                               isClipped});
  }
  sources.push_back(source);
}

KernelPlan WindowWriter::writePlan() {
  // A thread pays off from about 5 microseconds of work: this many elements of windows.
  constexpr int64_t elements = 100'000;
  Value each = builder.mul(builder.min(channels, chunk), tiles.getRows());
  for (unsigned loop : window.taps)
    each = builder.mul(each, sizes[loop]);
  if (window.unrolledTap)
    each = builder.mul(each, sizes[*window.unrolledTap]);
  Value grain = builder.ceilDiv(builder.index(elements),
                                builder.max(each, builder.index(1)));
  Value units = chunks;
  for (unsigned loop : window.outer)
    units = builder.mul(units, sizes[loop]);
  return {units, grain, builder.index(0)};
}

void WindowWriter::writeRun() {
  window.epilogue.enter(builder);
  Values space{chunks};
  for (unsigned loop : window.outer)
    space.push_back(sizes[loop]);
  builder.loop(builder.getFrom(), builder.getTo(), 1, [&](Value unit) {
    Values numbers = builder.delinearize(unit, space);
    Value first = builder.mul(numbers.front(), chunk);
    writeLine(ArrayRef(numbers).drop_front(), first,
              builder.min(channels, builder.add(first, chunk)));
  });
}

void WindowWriter::writeLine(ArrayRef<Value> outer, Value firstChannel,
                             Value endChannel) {
  bool hasBorder = llvm::any_of(sources, [](const Source &source) {
    return llvm::any_of(source.bordered, [](const BorderedAxis &axis) {
      return !axis.isClipped;
    });
  });
  tiles.forEach(
      builder.index(0), tiles.getCount(), [&](unsigned size, Value first) {
        Tile tile{Values(outer), size, first, firstChannel, {}, true};
        if (!hasBorder)
          return writeTile(tile, firstChannel, endChannel);
        Value inside = isInside(tile);
        builder.ifThen(inside,
                       [&] { writeTile(tile, firstChannel, endChannel); });
        Value outside = arith::XOrIOp::create(
            builder, inside,
            arith::ConstantIntOp::create(builder, builder.getI1Type(), 1));
        builder.ifThen(outside, [&] {
          tile.isInside = false;
          writeTile(tile, firstChannel, endChannel);
        });
      });
}

void WindowWriter::writeTile(Tile tile, Value firstChannel, Value endChannel) {
  bool isWhole =
      isConstantIntValue(builder.rem(channels, builder.index(lanes)), 0);
  builder.loop(firstChannel, endChannel, lanes, [&](Value channel) {
    tile.channel = channel;
    if (!isWhole)
      tile.mask = builder.mask(
          builder.min(builder.sub(channels, channel), builder.index(lanes)),
          lanes);
    writeVector(tile);
  });
}

void WindowWriter::writeVector(const Tile &tile) {
  Values carried;
  for (int64_t neighbor = 0; neighbor < tile.size; ++neighbor)
    atPoint(tile, neighbor, [&](const Point &point) {
      carried.push_back(window.epilogue.emitInit(builder, point));
    });
  carried = reduce(tile, 0, getPlaces(tile), carried);
  for (int64_t neighbor = 0; neighbor < tile.size; ++neighbor)
    atPoint(tile, neighbor, [&](const Point &point) {
      window.epilogue.emit(builder, point, carried[neighbor]);
    });
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

void WindowWriter::move(Places &places, unsigned loop, Value iterations) {
  for (auto [place, source] : llvm::zip_equal(places, sources)) {
    place.offset = builder.add(
        place.offset, builder.mul(iterations, source.walk.steps[loop]));
    ArrayRef<Access::Axis> axes = source.input.access.getAxes();
    for (auto [position, axis] :
         llvm::zip_equal(place.positions, source.bordered)) {
      Value step = builder.index(axes[axis.axis].steps[loop]);
      position = builder.add(position, builder.mul(iterations, step));
    }
  }
}

/// The position of the first tap in the window of the tile's first neighbor.
Places WindowWriter::getPlaces(const Tile &tile) {
  Places places;
  for (const Source &source : sources) {
    Place &place = places.emplace_back();
    place.offset = source.walk.origin;
    for (const BorderedAxis &axis : source.bordered)
      place.positions.push_back(
          source.input.access.getBegin(builder, axis.axis));
  }
  for (auto [loop, index] : llvm::zip_equal(window.outer, tile.outer))
    move(places, loop, index);
  move(places, window.tileLoop, tile.first);
  move(places, window.vectorLoop, tile.channel);
  return places;
}

static Value isBelow(KernelBuilder &builder, Value position, Value size) {
  // As an unsigned number, a position before the axis is large.
  return arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, position,
                               size);
}

/// Whether no window of a tile reaches into a border that is not clipped.
Value WindowWriter::isInside(const Tile &tile) {
  Places first = getPlaces(tile), last = first;
  auto one = builder.index(1);
  move(last, window.tileLoop, builder.index(tile.size - 1));
  for (unsigned loop : window.taps)
    move(last, loop, builder.sub(sizes[loop], one));
  if (window.unrolledTap)
    move(last, *window.unrolledTap,
         builder.sub(sizes[*window.unrolledTap], one));
  Value all;
  for (auto [source, from, to] : llvm::zip_equal(sources, first, last))
    for (auto [axis, begin, end] :
         llvm::zip_equal(source.bordered, from.positions, to.positions)) {
      if (axis.isClipped)
        continue;
      for (Value position : {begin, end}) {
        Value inside = isBelow(builder, position, axis.size);
        all = all ? Value(arith::AndIOp::create(builder, all, inside)) : inside;
      }
    }
  return all;
}

/// The iterations of a loop over the window that are inside of clipped axes.
std::pair<Value, Value> WindowWriter::clipTaps(unsigned loop,
                                               const Places &places) {
  Value zero = builder.index(0), begin = zero, end = sizes[loop];
  for (auto [source, place] : llvm::zip_equal(sources, places))
    for (auto [axis, position] :
         llvm::zip_equal(source.bordered, place.positions)) {
      int64_t step = source.input.access.getAxes()[axis.axis].steps[loop];
      if (!axis.isClipped || !step)
        continue;
      Value by = builder.index(step);
      Value before = builder.max(zero, builder.sub(zero, position));
      Value until = builder.max(zero, builder.sub(axis.size, position));
      begin = builder.max(begin, builder.ceilDiv(before, by));
      end = builder.min(end, builder.ceilDiv(until, by));
    }
  return {begin, end};
}

Values WindowWriter::reduce(const Tile &tile, unsigned level,
                            const Places &places, Values carried) {
  if (level == window.taps.size())
    return addTaps(tile, places, std::move(carried));
  unsigned loop = window.taps[level];
  auto [begin, end] = clipTaps(loop, places);
  return builder.loop(begin, end, 1, carried,
                      [&](Value iteration, ValueRange given) {
                        Places next = places;
                        move(next, loop, iteration);
                        return reduce(tile, level + 1, next, Values(given));
                      });
}

Value WindowWriter::load(const Tile &tile, const Source &source,
                         const Place &place, int64_t neighbor, int64_t tap) {
  const Access &access = source.input.access;
  auto shift = [&](llvm::function_ref<Value(unsigned)> step) {
    Value sum = builder.mul(builder.index(neighbor), step(window.tileLoop));
    if (window.unrolledTap)
      sum = builder.add(
          sum, builder.mul(builder.index(tap), step(*window.unrolledTap)));
    return sum;
  };
  Value offset = builder.add(place.offset, shift([&](unsigned loop) {
                               return source.walk.steps[loop];
                             }));
  Type element = source.input.element.getType();
  bool isVector = access.moves(window.vectorLoop);
  auto loadHere = [&](Value mask) {
    return isVector ? builder.loadVector(source.walk.buffer, offset, element,
                                         lanes, mask)
                    : builder.load(source.walk.buffer, offset, element);
  };
  Value inside;
  for (auto [axis, position] :
       llvm::zip_equal(source.bordered, place.positions)) {
    if (tile.isInside || axis.isClipped)
      continue;
    Value there = builder.add(position, shift([&](unsigned loop) {
                                return builder.index(
                                    access.getAxes()[axis.axis].steps[loop]);
                              }));
    Value within = isBelow(builder, there, axis.size);
    inside =
        inside ? Value(arith::AndIOp::create(builder, inside, within)) : within;
  }
  if (!inside)
    return loadHere(tile.mask);
  Value border = builder.getScalar(access.getBorder());
  if (!isVector)
    return builder.ifThen(
                      inside, [&] { return Values{loadHere({})}; }, border)
        .front();
  Value mask = builder.splat(inside, lanes);
  if (tile.mask)
    mask = arith::AndIOp::create(builder, mask, tile.mask);
  return arith::SelectOp::create(builder, inside, loadHere(mask),
                                 builder.splat(border, lanes));
}

/// Adds the taps of the unrolled loop, for all neighbors.
Values WindowWriter::addTaps(const Tile &tile, const Places &places,
                             Values carried) {
  int64_t taps =
      window.unrolledTap ? *getConstantIntValue(sizes[*window.unrolledTap]) : 1;
  // Keyed by the distance along each axis: elements that several windows share are loaded
  // once.
  std::map<std::pair<size_t, std::vector<int64_t>>, Value> loaded;
  auto loadOnce = [&](size_t number, int64_t neighbor, int64_t tap) {
    const Source &source = sources[number];
    std::vector<int64_t> moved;
    for (const Access::Axis &axis : source.input.access.getAxes())
      moved.push_back(
          neighbor * axis.steps[window.tileLoop] +
          (window.unrolledTap ? tap * axis.steps[*window.unrolledTap] : 0));
    Value &value = loaded[{number, moved}];
    if (!value)
      value = load(tile, source, places[number], neighbor, tap);
    return value;
  };
  Block *body = window.root.getBody();
  for (int64_t tap = 0; tap < taps; ++tap)
    for (int64_t neighbor = 0; neighbor < tile.size; ++neighbor) {
      Values arguments(body->getNumArguments());
      for (size_t number = 0; number < sources.size(); ++number)
        arguments[sources[number].input.element.getArgNumber()] =
            loadOnce(number, neighbor, tap);
      arguments.back() = carried[neighbor];
      Value yielded = cloneBody(builder, *body, arguments).front();
      carried[neighbor] = builder.splat(yielded, lanes);
    }
  return carried;
}

void WindowWriter::atPoint(const Tile &tile, int64_t neighbor,
                           llvm::function_ref<void(const Point &)> body) {
  Value at = builder.add(tile.first, builder.index(neighbor));
  auto offset = [&](const Access &access, const Walk &walk) {
    Value sum = walk.origin;
    auto move = [&](unsigned loop, Value index) {
      sum = builder.add(sum, builder.mul(index, walk.steps[loop]));
    };
    for (auto [loop, index] : llvm::zip_equal(window.outer, tile.outer))
      move(loop, index);
    move(window.tileLoop, at);
    move(window.vectorLoop, tile.channel);
    return sum;
  };
  auto index = [&](unsigned loop) -> Value {
    for (auto [other, value] : llvm::zip_equal(window.outer, tile.outer))
      if (other == loop)
        return value;
    if (loop == window.tileLoop)
      return at;
    if (loop != window.vectorLoop) // A loop of one iteration.
      return builder.index(0);
    auto type = VectorType::get({lanes}, builder.getIndexType());
    return arith::AddIOp::create(builder, builder.splat(tile.channel, lanes),
                                 vector::StepOp::create(builder, type));
  };
  body({offset, index, window.vectorLoop, lanes, tile.mask});
}
