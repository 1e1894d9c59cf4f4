// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/Recurrent.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace invar::kernels;

template <typename T> T ActivationFunction::operator()(T x) const {
  T a = T(alpha), b = T(beta);
  switch (kind) {
  case Activation::Affine:
    return a * x + b;
  case Activation::Elu:
    return x >= 0 ? x : a * std::expm1(x);
  case Activation::HardSigmoid:
    return std::min(std::max(a * x + b, T(0)), T(1));
  case Activation::LeakyRelu:
    return x >= 0 ? x : a * x;
  case Activation::Relu:
    return std::max(x, T(0));
  case Activation::ScaledTanh:
    return a * std::tanh(b * x);
  case Activation::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case Activation::Softplus:
    return std::max(x, T(0)) + std::log1p(std::exp(-std::abs(x)));
  case Activation::Softsign:
    return x / (1 + std::abs(x));
  case Activation::Tanh:
    return std::tanh(x);
  case Activation::ThresholdedRelu:
    return x > a ? x : T(0);
  }
  return x;
}

namespace {
/// One step of a layer, with its working memory.
template <typename T> class Step {
public:
  explicit Step(const RecurrentLayer<T> &layer)
      : layer(layer), gates(countGates(layer.cell) * layer.hidden),
        sums(static_cast<size_t>(gates)),
        reset(static_cast<size_t>(layer.hidden)) {}

  void run(const T *inputs, T *state, T *memory) {
    switch (layer.cell) {
    case Cell::Plain:
      return runPlain(inputs, state);
    case Cell::Gated:
      return runGated(inputs, state);
    case Cell::LongShortTerm:
      return runLongShortTerm(inputs, state, memory);
    }
  }

private:
  T activate(const ActivationFunction &function, T x) const {
    return function(std::clamp(x, -layer.clip, layer.clip));
  }
  T input(const T *inputs, int64_t i) const {
    return layer.inputBias ? inputs[i] + layer.inputBias[i] : inputs[i];
  }
  /// Computes the product of a state and the weights of gates [from, to), into `sums`.
  void multiply(const T *state, int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i)
      sums[static_cast<size_t>(i)] = layer.stateBias ? layer.stateBias[i] : 0;
    for (int64_t k = 0; k < layer.hidden; ++k)
      for (int64_t i = from; i < to; ++i)
        sums[static_cast<size_t>(i)] += state[k] * layer.weights[k * gates + i];
  }
  T sum(const T *inputs, int64_t i) const {
    return input(inputs, i) + sums[static_cast<size_t>(i)];
  }

  void runPlain(const T *inputs, T *state) {
    multiply(state, 0, gates);
    for (int64_t i = 0; i < layer.hidden; ++i)
      state[i] = activate(layer.f, sum(inputs, i));
  }

  void runGated(const T *inputs, T *state) {
    int64_t n = layer.hidden;
    multiply(state, 0, layer.linearBeforeReset ? gates : 2 * n);
    for (int64_t i = 0; i < n; ++i)
      reset[static_cast<size_t>(i)] = activate(layer.f, sum(inputs, n + i));
    if (layer.linearBeforeReset) {
      for (int64_t i = 0; i < n; ++i)
        sums[static_cast<size_t>(2 * n + i)] *= reset[static_cast<size_t>(i)];
    } else {
      for (int64_t i = 0; i < n; ++i)
        reset[static_cast<size_t>(i)] *= state[i];
      multiply(reset.data(), 2 * n, gates);
    }
    for (int64_t i = 0; i < n; ++i) {
      T update = activate(layer.f, sum(inputs, i));
      T fresh = activate(layer.g, sum(inputs, 2 * n + i));
      state[i] = (1 - update) * fresh + update * state[i];
    }
  }

  void runLongShortTerm(const T *inputs, T *state, T *memory) {
    int64_t n = layer.hidden;
    multiply(state, 0, gates);
    for (int64_t i = 0; i < n; ++i) {
      auto peep = [&](int64_t gate) {
        return layer.peepholes ? layer.peepholes[gate * n + i] * memory[i]
                               : T(0);
      };
      T take = activate(layer.f, sum(inputs, i) + peep(0));
      T keep = layer.coupled
                   ? 1 - take
                   : activate(layer.f, sum(inputs, 2 * n + i) + peep(2));
      T fresh = activate(layer.g, sum(inputs, 3 * n + i));
      memory[i] = keep * memory[i] + take * fresh;
      T give = activate(layer.f, sum(inputs, n + i) + peep(1));
      state[i] = give * layer.h(memory[i]);
    }
  }

  const RecurrentLayer<T> &layer;
  int64_t gates;
  std::vector<T> sums, reset;
};
} // namespace

template <typename T>
void RecurrentLayer<T>::run(const T *inputs, int64_t steps, bool reverse,
                            T *state, T *memory, T *results) const {
  Step<T> step(*this);
  for (int64_t t = 0; t < steps; ++t) {
    int64_t at = reverse ? steps - 1 - t : t;
    step.run(inputs + at * countGates(cell) * hidden, state, memory);
    if (results)
      std::copy(state, state + hidden, results + at * hidden);
  }
}

template struct invar::kernels::RecurrentLayer<float>;
template struct invar::kernels::RecurrentLayer<double>;
template float ActivationFunction::operator()(float) const;
template double ActivationFunction::operator()(double) const;
