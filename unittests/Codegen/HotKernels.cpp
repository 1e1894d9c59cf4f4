// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HotKernels.h"

#include "KernelText.h"
#include "invar/Winograd/Winograd.h"

using namespace invar;

namespace {
/// An axis whose size is static or dynamic in the type.
struct Axis {
  int64_t size;
  bool isDynamic = false;
};

/// A kernel under construction. Collects the dynamic sizes of its types.
class Case : public KernelText {
public:
  static std::string getType(const std::vector<Axis> &axes,
                             const std::string &element) {
    std::string type = "tensor<";
    for (const Axis &axis : axes)
      type += (axis.isDynamic ? "?" : std::to_string(axis.size)) + "x";
    return type + element + ">";
  }

  void read(const std::string &name, const std::vector<Axis> &axes,
            const std::string &element) {
    addSizes(axes);
    KernelText::read(name, getType(axes, element));
  }
  void write(const std::string &name, const std::vector<Axis> &axes,
             const std::string &element) {
    addSizes(axes);
    KernelText::write(name, getType(axes, element));
  }
  /// An intermediate tensor with the type of the result y.
  void keepLikeResult(const std::string &name, const std::vector<Axis> &axes,
                      const std::string &element) {
    std::string dynamic, type = getType(axes, element);
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      if (!axes[axis].isDynamic)
        continue;
      std::string number = name + std::to_string(axis);
      line("%axis_" + number + " = arith.constant " + std::to_string(axis) +
           " : index");
      line("%size_" + number + " = tensor.dim %y, %axis_" + number + " : " +
           type);
      dynamic += (dynamic.empty() ? "%size_" : ", %size_") + number;
    }
    keep(name, type, dynamic);
  }
  KernelCase finish() { return {KernelText::get(), sizes}; }

private:
  void addSizes(const std::vector<Axis> &axes) {
    for (const Axis &axis : axes)
      if (axis.isDynamic)
        sizes.push_back(axis.size);
  }
  std::vector<int64_t> sizes;
};
} // namespace

static int64_t getPanels(int64_t columns, int64_t panel) {
  return (columns + panel - 1) / panel;
}

namespace {
/// The operations after the sums of a kernel.
class Ending {
public:
  Ending(Finish finish, Case &text, std::vector<Axis> result,
         std::vector<Axis> bias, std::string type)
      : finish(finish), text(text), result(result), type(type) {
    if (finish == Finish::BiasRelu || finish == Finish::Long)
      text.read("bias", bias, type);
    if (finish == Finish::Residual)
      text.read("other", result, type);
    text.write("y", result, type);
    if (finish != Finish::None)
      text.keepLikeResult("sums", result, type);
  }

  /// The tensor that the sums are written to.
  std::string getTarget() const {
    return finish == Finish::None ? "y" : "sums";
  }

  /// Adds these operations; their loops are `dims`, and those of the bias `biasDims`.
  void add(const std::string &dims, const std::string &biasDims) {
    same = "(" + dims + ") -> (" + dims + ")";
    std::string bias = "(" + dims + ") -> (" + biasDims + ")";
    if (finish == Finish::Relu || finish == Finish::BiasRelu)
      text.line("%least = arith.constant 0.0 : " + type);
    if (finish == Finish::Relu)
      step({}, "y", "%r = arith.maximumf %sums_, %least : ");
    if (finish == Finish::BiasRelu)
      step({{"bias", bias}}, "y",
           "%s = arith.addf %sums_, %bias_ : " + type +
               "\n%r = arith.maximumf %s, %least : ");
    if (finish == Finish::Residual)
      step({{"other", same}}, "y", "%r = arith.addf %sums_, %other_ : ");
    if (finish == Finish::Long)
      addLong(bias);
  }

private:
  void step(KernelText::Operands reads, std::string target, std::string body) {
    reads.insert(reads.begin(), {"sums", same});
    text.step(std::string(result.size(), 'p'), reads, {{target, same}},
              body + type);
  }

  /// Adds so many operations that they are not emitted for each vector of a tile.
  void addLong(const std::string &bias) {
    text.keepLikeResult("biased", result, type);
    step({{"bias", bias}}, "biased", "%r = arith.addf %sums_, %bias_ : ");
    text.line("%factor = arith.constant 0.125 : " + type);
    std::string body = "%t0 = arith.mulf %biased_, %factor : " + type;
    for (int round = 0; round < 8; ++round)
      body += "\n%t" + std::to_string(round + 1) + " = arith.addf %t" +
              std::to_string(round) + ", %sums_ : " + type;
    step({{"biased", same}}, "y", body + "\n%r = arith.mulf %t8, %factor : ");
  }

  Finish finish;
  Case &text;
  std::vector<Axis> result;
  std::string type, same;
};
} // namespace

KernelCase Product::get() const {
  Case text;
  Axis m{rows, hasDynamicRows}, k{reduced, hasDynamicReduced},
      n{columns, hasDynamicColumns};
  auto batched = [&](std::vector<Axis> axes) {
    if (batch > 1)
      axes.insert(axes.begin(), {batch});
    return axes;
  };
  text.read("a",
            batched(isLeftTransposed ? std::vector{k, m} : std::vector{m, k}),
            type);
  std::vector<Axis> result = batched({m, n});
  if (right == Packed)
    text.read("b", {{getPanels(columns, panel)}, k, {panel}}, type);
  else
    text.read("b",
              batched(right == Rows ? std::vector{k, n} : std::vector{n, k}),
              type);
  Ending ending(finish, text, result, {n}, type);

  std::string b = batch > 1 ? "b, " : "", dims = b + "m, n, k";
  std::string rightDims = right == Packed ? "k, n"
                          : right == Rows ? b + "k, n"
                                          : b + "n, k";
  std::string rightName = "b";
  if (right == Packed) {
    std::string packed =
        Case::getType({{getPanels(columns, panel)}, k, {panel}}, type);
    std::string plain = Case::getType({k, n}, type), sizes;
    if (k.isDynamic) {
      text.line("%one = arith.constant 1 : index");
      text.line("%size = tensor.dim %b, %one : " + packed);
      sizes = "%size";
    }
    text.keep("plain", plain, sizes);
    text.line("%unpacked = linalg.unpack %b outer_dims_perm = [1, 0] "
              "inner_dims_pos = [1] inner_tiles = [" +
                  std::to_string(panel) + "] into %plain : " + packed + " -> " +
                  plain,
              "unpacked", plain);
    rightName = "unpacked";
  }
  std::string term =
      sumsSquares ? "%d = arith.subf %a_, %" + rightName + "_ : " + type +
                        "\n%p = arith.mulf %d, %d : " + type
                  : "%p = arith.mulf %a_, %" + rightName + "_ : " + type;
  text.step(
      std::string(batch > 1 ? "p" : "") + "ppr",
      {{"a",
        "(" + dims + ") -> (" + b + (isLeftTransposed ? "k, m)" : "m, k)")},
       {rightName, "(" + dims + ") -> (" + rightDims + ")"}},
      {{ending.getTarget(), "(" + dims + ") -> (" + b + "m, n)"}},
      term + "\n%r = arith.addf %" + ending.getTarget() + "_, %p : " + type,
      "0.0");
  ending.add(b + "m, n", "n");
  return text.finish();
}

KernelCase invar::getByteProduct(int64_t rows, int64_t reduced,
                                 int64_t columns) {
  Case text;
  text.read("a", {{rows}, {reduced}}, "i8");
  text.read("b", {{reduced}, {columns}}, "i8");
  text.read("p", {}, "i8");
  text.read("q", {{columns}}, "i8");
  text.write("y", {{rows}, {columns}}, "i32");
  text.step("ppr",
            {{"a", "(m, n, k) -> (m, k)"},
             {"b", "(m, n, k) -> (k, n)"},
             {"p", "(m, n, k) -> ()"},
             {"q", "(m, n, k) -> (n)"}},
            {{"y", "(m, n, k) -> (m, n)"}},
            "%ea = arith.extui %a_ : i8 to i32\n"
            "%za = arith.extui %p_ : i8 to i32\n"
            "%eb = arith.extsi %b_ : i8 to i32\n"
            "%zb = arith.extsi %q_ : i8 to i32\n"
            "%da = arith.subi %ea, %za : i32\n"
            "%db = arith.subi %eb, %zb : i32\n"
            "%m = arith.muli %da, %db : i32\n%r = arith.addi %y_, %m : i32",
            "0");
  return text.finish();
}

/// Pads the image if it has a border. Returns the name of the padded tensor.
static std::string addBorder(const Image &image, Case &text,
                             const std::vector<Axis> &axes) {
  if (!image.border)
    return "x";
  std::vector<Axis> wide = axes;
  wide[1].size += 2 * image.border;
  wide[2].size += 2 * image.border;
  std::string type = Case::getType(wide, image.type);
  std::string width = std::to_string(image.border), indices, widths;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    bool isBordered = axis == 1 || axis == 2;
    widths += std::string(axis ? ", " : "") + (isBordered ? width : "0");
    indices +=
        std::string(axis ? ", " : "") + "%i" + std::to_string(axis) + ": index";
  }
  text.line("%border = arith.constant " + image.borderValue + " : " +
            image.type);
  text.line("%wide = tensor.pad %x low[" + widths + "] high[" + widths +
                "] {\n  ^bb0(" + indices +
                "):\n    tensor.yield %border : " + image.type +
                "\n  } : " + Case::getType(axes, image.type) + " to " + type,
            "wide", type);
  return "wide";
}

/// The map of an image's axes, with `rest` after the spatial ones.
static std::string getImageMap(const Image &image, const std::string &dims,
                               const std::string &rest) {
  auto along = [&](std::string out, std::string window) {
    return out + " * " + std::to_string(image.stride) + " + " + window + " * " +
           std::to_string(image.dilation);
  };
  return "(" + dims + ") -> (n, " + along("h", "i") + ", " + along("w", "j") +
         ", " + rest + ")";
}

/// Restores the filter from which the tensor `transformed` was made. Returns its name.
static std::string addRestored(const Winograd &form, Case &text, int64_t out,
                               int64_t in, const std::string &transformed) {
  std::string rows;
  for (size_t at = 0; at < form.inverse.size(); ++at)
    rows += (at % form.getTile() ? ", "
             : at                ? "], ["
                                 : "") +
            std::to_string(form.inverse[at]);
  std::string matrix = Case::getType({{3}, {form.getTile()}}, "f32");
  for (std::string name : {"p", "q"})
    text.line("%" + name + " = arith.constant dense<[[" + rows +
                  "]]> : " + matrix,
              name, matrix);
  text.keep("restored", Case::getType({{out}, {in}, {3}, {3}}, "f32"));
  text.step("pppprr",
            {{"p", "(o, c, i, j, a, b) -> (i, a)"},
             {"q", "(o, c, i, j, a, b) -> (j, b)"},
             {transformed, "(o, c, i, j, a, b) -> (o, c, a, b)"}},
            {{"restored", "(o, c, i, j, a, b) -> (o, c, i, j)"}},
            "%pq = arith.mulf %p_, %q_ : f32\n%t = arith.mulf %pq, %" +
                transformed + "_ : f32\n%r = arith.addf %restored_, %t : f32",
            "0.0", restoredFilterAttribute.str());
  return "restored";
}

KernelCase Image::getConvolution(int64_t results, int64_t panel, int64_t groups,
                                 Finish finish) const {
  Case text;
  bool hasGroups = groups > 1;
  int64_t in = channels / groups, out = results / groups;
  std::vector<Axis> imageAxes{
      {count, isDynamic}, {height, isDynamic}, {width, isDynamic}};
  std::vector<Axis> resultAxes{{count, isDynamic},
                               {getOutHeight(), isDynamic},
                               {getOutWidth(), isDynamic}};
  int64_t rows = winograd ? winograd + 2 : windowHeight;
  int64_t columns = winograd ? winograd + 2 : windowWidth;
  std::vector<Axis> packed{
      {getPanels(out, panel)}, {rows}, {columns}, {in}, {panel}};
  std::vector<Axis> plain{{out}, {in}, {rows}, {columns}};
  std::vector<Axis> bias{{out}};
  if (hasGroups) {
    imageAxes.push_back({groups});
    resultAxes.push_back({groups});
    for (auto *axes : {&packed, &plain, &bias})
      axes->insert(axes->begin(), {groups});
  }
  imageAxes.push_back({in});
  resultAxes.push_back({out});
  text.read("x", imageAxes, type);
  text.read("weights", packed, type);
  Ending ending(finish, text, resultAxes, bias, type);

  std::string image = addBorder(*this, text, imageAxes);
  std::string plainType = Case::getType(plain, type);
  text.keep("plain", plainType);
  text.line("%unpacked = linalg.unpack %weights outer_dims_perm = " +
                std::string(hasGroups ? "[0, 1, 3, 4, 2] inner_dims_pos = [1]"
                                      : "[0, 2, 3, 1] inner_dims_pos = [0]") +
                " inner_tiles = [" + std::to_string(panel) +
                "] into %plain : " + Case::getType(packed, type) + " -> " +
                plainType,
            "unpacked", plainType);
  std::string weights = "unpacked";
  for (const Winograd &form : winogradForms)
    if (form.results == winograd)
      weights = addRestored(form, text, out, in, weights);
  std::string g = hasGroups ? "g, " : "", dims = "n, h, w, " + g + "o, i, j, c";
  text.step(hasGroups ? "ppppprrr" : "pppprrr",
            {{image, getImageMap(*this, dims, g + "c")},
             {weights, "(" + dims + ") -> (" + g + "o, c, i, j)"}},
            {{ending.getTarget(), "(" + dims + ") -> (n, h, w, " + g + "o)"}},
            "%m = arith.mulf %" + image + "_, %" + weights + "_ : " + type +
                "\n%r = arith.addf %" + ending.getTarget() + "_, %m : " + type,
            "0.0");
  ending.add("n, h, w, " + g + "o", g + "o");
  return text.finish();
}

/// The axes of the image, or of the result, of a channelwise reduction.
static std::vector<Axis> getAxes(const Image &image, bool isResult) {
  return {{image.count, image.isDynamic},
          {isResult ? image.getOutHeight() : image.height, image.isDynamic},
          {isResult ? image.getOutWidth() : image.width, image.isDynamic},
          {image.channels}};
}

KernelCase Image::getDepthwise(Finish finish) const {
  Case text;
  text.read("x", getAxes(*this, false), type);
  text.read("weights", {{windowHeight}, {windowWidth}, {channels}}, type);
  Ending ending(finish, text, getAxes(*this, true), {{channels}}, type);
  std::string image = addBorder(*this, text, getAxes(*this, false));
  std::string dims = "n, h, w, c, i, j";
  text.step("pppprr",
            {{image, getImageMap(*this, dims, "c")},
             {"weights", "(" + dims + ") -> (i, j, c)"}},
            {{ending.getTarget(), "(" + dims + ") -> (n, h, w, c)"}},
            "%p = arith.mulf %" + image + "_, %weights_ : " + type +
                "\n%r = arith.addf %" + ending.getTarget() + "_, %p : " + type,
            "0.0");
  ending.add("n, h, w, c", "c");
  return text.finish();
}

KernelCase Image::getPool(std::string body, std::string init,
                          std::string borderContent) const {
  Case text;
  text.read("x", getAxes(*this, false), type);
  text.write("y", getAxes(*this, true), type);
  Image bordered = *this;
  bordered.borderValue = borderContent;
  std::string image = addBorder(bordered, text, getAxes(*this, false));
  text.keep("window", Case::getType({{windowHeight}, {windowWidth}}, type));
  std::string dims = "n, h, w, c, i, j";
  size_t at = body.find("%x_");
  body.replace(at, 3, "%" + image + "_");
  text.step("pppprr",
            {{image, getImageMap(*this, dims, "c")},
             {"window", "(" + dims + ") -> (i, j)"}},
            {{"y", "(" + dims + ") -> (n, h, w, c)"}}, body, init);
  return text.finish();
}
