// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "invar/Kernels/LinearAttention.h"

#include <cmath>
#include <vector>

using namespace invar::kernels;

/// sums += scale · factors[i] · rows[i] for all i. The inner loop runs along memory.
template <typename T>
static void addRows(const T *factors, const T *rows, int64_t count,
                    int64_t size, T scale, T *sums) {
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < size; ++j)
      sums[j] += scale * factors[i] * rows[i * size + j];
}

template <typename T>
void LinearAttention<T>::run(int64_t batch, int64_t head) const {
  int64_t group = queryHeads / keyHeads;
  T *state = states + (batch * keyHeads + head) * keySize * valueSize;
  std::vector<T> change(static_cast<size_t>(valueSize));
  for (int64_t t = 0; t < length; ++t) {
    int64_t step = batch * length + t;
    int64_t place = step * keyHeads + head;
    const T *key = keys + place * keySize;
    const T *value = values + place * valueSize;
    for (int64_t i = 0; decay && i < keySize; ++i) {
      T factor = std::exp(decay[place * decaySize + (decaySize > 1 ? i : 0)]);
      for (int64_t j = 0; j < valueSize; ++j)
        state[i * valueSize + j] *= factor;
    }
    change.assign(value, value + valueSize);
    if (beta) {
      addRows(key, state, keySize, valueSize, T(-1), change.data());
      T rate = beta[step * betaHeads + (betaHeads > 1 ? head : 0)];
      for (T &number : change)
        number *= rate;
    }
    for (int64_t i = 0; i < keySize; ++i)
      for (int64_t j = 0; j < valueSize; ++j)
        state[i * valueSize + j] += key[i] * change[static_cast<size_t>(j)];
    for (int64_t i = 0; i < group; ++i) {
      int64_t reader = step * queryHeads + head * group + i;
      T *result = results + reader * valueSize;
      for (int64_t j = 0; j < valueSize; ++j)
        result[j] = 0;
      addRows(queries + reader * keySize, state, keySize, valueSize, scale,
              result);
    }
  }
}

template struct invar::kernels::LinearAttention<float>;
template struct invar::kernels::LinearAttention<double>;
