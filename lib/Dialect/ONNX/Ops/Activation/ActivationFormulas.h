// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the family (Elementwise.h).
#ifndef INVAR_LIB_DIALECT_ONNX_OPS_ACTIVATIONFORMULAS_H
#define INVAR_LIB_DIALECT_ONNX_OPS_ACTIVATIONFORMULAS_H

#include "invar/Dialect/ONNX/Elementwise.h"

namespace invar::onnx::formula {
using namespace scalar;

/// 1 / (1 + e^-x). The exponent is never positive, so nothing overflows.
template <typename T> T logistic(T x) {
  T power = exp(select(x < T(0), x, -x));
  return select(x < T(0), power, T(1)) / (T(1) + power);
}

/// The logarithm of e^x + 1, without overflow.
template <typename T> T softplus(T x) {
  return maximum(x, T(0)) + log1p(exp(select(x < T(0), x, -x)));
}

struct Celu : Formula<OnFloats, InDouble> {
  float alpha;
  template <typename T> T operator()(T x) const {
    return select(x > T(0), x, T(alpha) * expm1(x / T(alpha)));
  }
};
struct Elu : Formula<OnFloats, InDouble> {
  float alpha;
  template <typename T> T operator()(T x) const {
    return select(x > T(0), x, T(alpha) * expm1(x));
  }
};
struct Gelu : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const {
    return T(0.5) * x * (T(1) + erf(x * T(0.70710678118654752440)));
  }
};
struct GeluByTanh : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const {
    T inner = T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
    return T(0.5) * x * (T(1) + tanh(inner));
  }
};
struct HardSigmoid : Formula<OnFloats> {
  float alpha, beta;
  template <typename T> T operator()(T x) const {
    return maximum(T(0), minimum(T(1), T(alpha) * x + T(beta)));
  }
};
struct HardSwish : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const {
    return x * maximum(T(0), minimum(T(1), x / T(6) + T(0.5)));
  }
};
struct LeakyRelu : Formula<OnFloats> {
  float alpha;
  template <typename T> T operator()(T x) const {
    return select(x < T(0), T(alpha) * x, x);
  }
};
struct Mish : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const {
    return x * tanh(softplus(x));
  }
};
struct PRelu : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x, T slope) const {
    return select(x < T(0), T(slope * x), x);
  }
};
struct Relu : Formula<OnFloats | OnInts> {
  template <typename T> T operator()(T x) const { return maximum(x, T(0)); }
};
struct Selu : Formula<OnFloats, InDouble> {
  float alpha, gamma;
  template <typename T> T operator()(T x) const {
    return T(gamma) * select(x > T(0), x, T(alpha) * expm1(x));
  }
};
/// Integers are compared and shifted as doubles, as in the reference implementation.
struct Shrink : Formula<OnFloats, InDouble> {
  float bias, lambda;
  template <typename T> T operator()(T x) const {
    return select(x < -T(lambda), x + T(bias),
                  select(x > T(lambda), x - T(bias), T(0)));
  }
};
struct Sigmoid : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return logistic(x); }
};
struct Softplus : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const { return softplus(x); }
};
struct Softsign : Formula<OnFloats, InDouble> {
  template <typename T> T operator()(T x) const {
    return x / (T(1) + copySign(x, T(1)));
  }
};
struct SwiGLU : Formula<OnFloats, InDouble> {
  float alpha;
  template <typename T> T operator()(T gate, T x) const {
    return gate * logistic(T(alpha) * gate) * x;
  }
};
struct Swish : Formula<OnFloats, InDouble> {
  float alpha;
  template <typename T> T operator()(T x) const {
    return x * logistic(T(alpha) * x);
  }
};
struct ThresholdedRelu : Formula<OnFloats> {
  float alpha;
  template <typename T> T operator()(T x) const {
    return select(x > T(alpha), x, T(0));
  }
};

} // namespace invar::onnx::formula

#endif // INVAR_LIB_DIALECT_ONNX_OPS_ACTIVATIONFORMULAS_H
