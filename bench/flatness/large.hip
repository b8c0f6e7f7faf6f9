// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The larger source of the flatness bench: what a numerical library holds, about a hundred kernels instantiated from
// templates. It is only compiled, ahead of time for many targets and once with Kiln; nothing here is tuned for either.
#include <hip/hip_runtime.h>

// ------------------------------------------------------------------------------------------------------------
// operators

struct Sum {
  template <class T> static __device__ T identity() { return T(0); }
  template <class T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Minimum {
  template <class T> static __device__ T identity() { return T(1e9); }
  template <class T> __device__ T operator()(T a, T b) const { return a < b ? a : b; }
};
struct Maximum {
  template <class T> static __device__ T identity() { return T(-1e9); }
  template <class T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <class T, class Op, int block> __device__ T block_reduce(T value, Op op) {
  __shared__ T part[block / 32];
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value = op(value, __shfl_down(value, distance));
  if (threadIdx.x % warpSize == 0)
    part[threadIdx.x / warpSize] = value;
  __syncthreads();
  T result = part[0];
  for (int wave = 1; wave < block / warpSize; ++wave)
    result = op(result, part[wave]);
  __syncthreads();
  return result;
}

// ------------------------------------------------------------------------------------------------- reductions and
// scans

template <class T, class Op, int block> __global__ void __launch_bounds__(block) reduce(const T* in, T* out, size_t n) {
  Op op;
  T value = Op::template identity<T>();
  for (size_t i = blockIdx.x * (size_t)block + threadIdx.x; i < n; i += (size_t)gridDim.x * block)
    value = op(value, in[i]);
  value = block_reduce<T, Op, block>(value, op);
  if (threadIdx.x == 0)
    out[blockIdx.x] = value;
}
#define REDUCE(T, Op) template __global__ void reduce<T, Op, 256>(const T*, T*, size_t);
#define REDUCES(T) REDUCE(T, Sum) REDUCE(T, Minimum) REDUCE(T, Maximum)
REDUCES(int)
REDUCES(float)
REDUCES(double)
REDUCES(long long)

template <class T, class Op, int block, bool inclusive>
__global__ void __launch_bounds__(block) scan(const T* in, T* out, T* totals, size_t n) {
  __shared__ T part[2][block];
  Op op;
  int t = threadIdx.x, from = 0;
  size_t i = blockIdx.x * (size_t)block + t;
  T own = i < n ? in[i] : Op::template identity<T>();
  part[0][t] = own;
  for (int distance = 1; distance < block; distance *= 2) {
    __syncthreads();
    part[1 - from][t] = t >= distance ? op(part[from][t - distance], part[from][t]) : part[from][t];
    from = 1 - from;
  }
  __syncthreads();
  if (i < n)
    out[i] = inclusive ? part[from][t] : t == 0 ? Op::template identity<T>() : part[from][t - 1];
  if (t == block - 1)
    totals[blockIdx.x] = part[from][t];
}
#define SCAN(T, Op)                                                                                                    \
  template __global__ void scan<T, Op, 256, true>(const T*, T*, T*, size_t);                                           \
  template __global__ void scan<T, Op, 256, false>(const T*, T*, T*, size_t);
SCAN(int, Sum)
SCAN(float, Sum)
SCAN(double, Sum)
SCAN(float, Maximum)

// ---------------------------------------------------------------------------------------------------------------
// sorting

template <class Key, int keys, bool ascending>
__global__ void __launch_bounds__(keys / 2) sort_block(Key* data, unsigned* values) {
  __shared__ Key key[keys];
  __shared__ unsigned value[keys];
  int t = threadIdx.x;
  size_t base = blockIdx.x * (size_t)keys;
  for (int i = t; i < keys; i += keys / 2)
    key[i] = data[base + i], value[i] = values[base + i];
  for (int length = 2; length <= keys; length *= 2)
    for (int distance = length / 2; distance > 0; distance /= 2) {
      __syncthreads();
      int i = 2 * t - (t & (distance - 1)), j = i + distance;
      bool up = ((i & length) == 0) == ascending;
      if ((key[i] > key[j]) == up) {
        Key k = key[i];
        key[i] = key[j], key[j] = k;
        unsigned v = value[i];
        value[i] = value[j], value[j] = v;
      }
    }
  __syncthreads();
  for (int i = t; i < keys; i += keys / 2)
    data[base + i] = key[i], values[base + i] = value[i];
}
#define SORT(Key, keys)                                                                                                \
  template __global__ void sort_block<Key, keys, true>(Key*, unsigned*);                                               \
  template __global__ void sort_block<Key, keys, false>(Key*, unsigned*);
SORT(int, 512)
SORT(float, 1024)
SORT(unsigned long long, 512)

template <class Key, int bits> __global__ void radix_count(const Key* keys, unsigned* counts, size_t n, int shift) {
  __shared__ unsigned local[1 << bits];
  for (int i = threadIdx.x; i < 1 << bits; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    atomicAdd(&local[(keys[i] >> shift) & ((1 << bits) - 1)], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 1 << bits; i += blockDim.x)
    counts[i * gridDim.x + blockIdx.x] = local[i];
}
template <class Key, int bits>
__global__ void radix_scatter(const Key* in, Key* out, const unsigned* offsets, size_t n, int shift) {
  __shared__ unsigned next[1 << bits];
  for (int i = threadIdx.x; i < 1 << bits; i += blockDim.x)
    next[i] = offsets[i * gridDim.x + blockIdx.x];
  __syncthreads();
  for (size_t base = blockIdx.x * (size_t)blockDim.x; base < n; base += (size_t)gridDim.x * blockDim.x) {
    size_t i = base + threadIdx.x;
    Key key = i < n ? in[i] : Key(0);
    unsigned digit = (key >> shift) & ((1 << bits) - 1);
    unsigned long long same = __ballot(i < n);
    for (int bit = 0; bit < bits; ++bit) {
      unsigned long long votes = __ballot(digit >> bit & 1);
      same &= digit >> bit & 1 ? votes : ~votes;
    }
    unsigned rank = __popcll(same & __lanemask_lt());
    for (unsigned wave = 0; wave < blockDim.x / warpSize; ++wave) {
      if (threadIdx.x / warpSize == wave && i < n) {
        out[next[digit] + rank] = key;
        if (rank == 0)
          next[digit] += __popcll(same);
      }
      __syncthreads();
    }
  }
}
#define RADIX(Key, bits)                                                                                               \
  template __global__ void radix_count<Key, bits>(const Key*, unsigned*, size_t, int);                                 \
  template __global__ void radix_scatter<Key, bits>(const Key*, Key*, const unsigned*, size_t, int);
RADIX(unsigned, 4)
RADIX(unsigned, 8)
RADIX(unsigned long long, 8)

// --------------------------------------------------------------------------------------------------------- linear
// algebra

template <class T, int bm, int bn, int bk, int tm, int tn, bool transpose_a, bool transpose_b>
__global__ void __launch_bounds__((bm / tm) * (bn / tn))
    gemm(const T* a, const T* b, T* c, int m, int n, int k, T alpha, T beta) {
  __shared__ T sa[bk][bm], sb[bk][bn];
  constexpr int threads = (bm / tm) * (bn / tn);
  int t = threadIdx.x, tx = t % (bn / tn), ty = t / (bn / tn);
  int row0 = blockIdx.y * bm, column0 = blockIdx.x * bn;
  T sum[tm][tn] = {};
  for (int base = 0; base < k; base += bk) {
    for (int i = t; i < bm * bk; i += threads) {
      int r = transpose_a ? i % bm : i / bk, l = transpose_a ? i / bm : i % bk;
      bool inside = row0 + r < m && base + l < k;
      sa[l][r] =
          inside ? (transpose_a ? a[(size_t)(base + l) * m + row0 + r] : a[(size_t)(row0 + r) * k + base + l]) : T(0);
    }
    for (int i = t; i < bn * bk; i += threads) {
      int col = transpose_b ? i / bk : i % bn, l = transpose_b ? i % bk : i / bn;
      bool inside = column0 + col < n && base + l < k;
      sb[l][col] =
          inside ? (transpose_b ? b[(size_t)(column0 + col) * k + base + l] : b[(size_t)(base + l) * n + column0 + col])
                 : T(0);
    }
    __syncthreads();
    for (int l = 0; l < bk; ++l)
      for (int i = 0; i < tm; ++i)
        for (int j = 0; j < tn; ++j)
          sum[i][j] += sa[l][ty * tm + i] * sb[l][tx * tn + j];
    __syncthreads();
  }
  for (int i = 0; i < tm; ++i)
    for (int j = 0; j < tn; ++j) {
      int row = row0 + ty * tm + i, column = column0 + tx * tn + j;
      if (row < m && column < n) {
        T& out = c[(size_t)row * n + column];
        out = alpha * sum[i][j] + (beta == T(0) ? T(0) : beta * out);
      }
    }
}
#define GEMM(T, bm, bn, bk, tm, tn, ta, tb)                                                                            \
  template __global__ void gemm<T, bm, bn, bk, tm, tn, ta, tb>(const T*, const T*, T*, int, int, int, T, T);
GEMM(float, 64, 64, 16, 4, 4, false, false)
GEMM(float, 64, 64, 16, 4, 4, true, false)
GEMM(float, 64, 64, 16, 4, 4, false, true)
GEMM(float, 32, 32, 32, 2, 2, false, false)
GEMM(double, 32, 32, 16, 2, 2, false, false)
GEMM(double, 32, 32, 16, 2, 2, true, false)
GEMM(double, 32, 32, 16, 2, 2, false, true)
GEMM(int, 32, 32, 16, 2, 2, false, false)

template <class T, int block> __global__ void __launch_bounds__(block) gemv(const T* a, const T* x, T* y, int columns) {
  T sum = 0;
  for (int i = threadIdx.x; i < columns; i += block)
    sum += a[(size_t)blockIdx.x * columns + i] * x[i];
  sum = block_reduce<T, Sum, block>(sum, Sum());
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}
template __global__ void gemv<float, 256>(const float*, const float*, float*, int);
template __global__ void gemv<double, 256>(const double*, const double*, double*, int);

template <class T> __global__ void spmv(const int* rows, const int* columns, const T* values, const T* x, T* y, int m) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  if (row >= m)
    return;
  T sum = 0;
  for (int i = rows[row] + threadIdx.x % warpSize; i < rows[row + 1]; i += warpSize)
    sum += values[i] * x[columns[i]];
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    sum += __shfl_xor(sum, distance);
  if (threadIdx.x % warpSize == 0)
    y[row] = sum;
}
template __global__ void spmv<float>(const int*, const int*, const float*, const float*, float*, int);
template __global__ void spmv<double>(const int*, const int*, const double*, const double*, double*, int);

template <class T, int tile> __global__ void transpose(const T* in, T* out, int rows, int columns) {
  __shared__ T local[tile][tile + 1];
  for (int y = threadIdx.y; y < tile; y += blockDim.y) {
    int row = blockIdx.y * tile + y, column = blockIdx.x * tile + threadIdx.x;
    if (row < rows && column < columns)
      local[y][threadIdx.x] = in[(size_t)row * columns + column];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < tile; y += blockDim.y) {
    int row = blockIdx.x * tile + y, column = blockIdx.y * tile + threadIdx.x;
    if (row < columns && column < rows)
      out[(size_t)row * rows + column] = local[threadIdx.x][y];
  }
}
template __global__ void transpose<float, 32>(const float*, float*, int, int);
template __global__ void transpose<double, 16>(const double*, double*, int, int);
template __global__ void transpose<unsigned char, 32>(const unsigned char*, unsigned char*, int, int);

// ----------------------------------------------------------------------------------------------- activations,
// elementwise

#define FUNCTION(name, expression)                                                                                     \
  struct name {                                                                                                        \
    template <class T> __device__ T operator()(T x) const { return expression; }                                       \
  };
FUNCTION(Identity, x)
FUNCTION(Relu, x > T(0) ? x : T(0))
FUNCTION(Gelu, T(0.5) * x * (T(1) + erf(x * T(0.70710678118654752))))
FUNCTION(Silu, x / (T(1) + exp(-x)))
FUNCTION(Mish, x* tanh(log1p(exp(x))))
FUNCTION(Softplus, log1p(exp(x)))
FUNCTION(Tanh, tanh(x))
FUNCTION(Sigmoid, T(1) / (T(1) + exp(-x)))
FUNCTION(Waves, sin(x) * cos(T(3) * x))
FUNCTION(Power, pow(fabs(x) + T(1), T(2.3)))
FUNCTION(LogGamma, lgamma(x))
FUNCTION(Cubic, cbrt(x) + rsqrt(fabs(x) + T(1)))
FUNCTION(Angles, atan2(x, T(2)) + asin(x / (fabs(x) + T(1))))

template <class T, class F> __global__ void apply(const T* in, T* out, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    out[i] = F()(in[i]);
}
#define APPLY(F)                                                                                                       \
  template __global__ void apply<float, F>(const float*, float*, size_t);                                              \
  template __global__ void apply<double, F>(const double*, double*, size_t);
APPLY(Gelu)
APPLY(Silu)
APPLY(Mish)
APPLY(Softplus)
APPLY(Waves)
APPLY(Power)
APPLY(LogGamma)
APPLY(Cubic)
APPLY(Angles)

// ----------------------------------------------------------------------------------------------------------
// convolutions

template <int size, class Activation>
__global__ void __launch_bounds__(256) convolve(const float* in, const float* weights, const float* bias, float* out,
                                                int channels, int height, int width) {
  constexpr int tile = 16, halo = size / 2, span = tile + 2 * halo;
  __shared__ float patch[span][span];
  int x = blockIdx.x * tile + threadIdx.x % tile, y = blockIdx.y * tile + threadIdx.x / tile, feature = blockIdx.z;
  float sum = bias[feature];
  for (int channel = 0; channel < channels; ++channel) {
    for (int i = threadIdx.x; i < span * span; i += 256) {
      int px = blockIdx.x * tile + i % span - halo, py = blockIdx.y * tile + i / span - halo;
      bool inside = px >= 0 && px < width && py >= 0 && py < height;
      patch[i / span][i % span] = inside ? in[((size_t)channel * height + py) * width + px] : 0.0f;
    }
    __syncthreads();
    const float* w = weights + ((size_t)feature * channels + channel) * size * size;
    for (int dy = 0; dy < size; ++dy)
      for (int dx = 0; dx < size; ++dx)
        sum += w[dy * size + dx] * patch[threadIdx.x / tile + dy][threadIdx.x % tile + dx];
    __syncthreads();
  }
  if (x < width && y < height)
    out[((size_t)feature * height + y) * width + x] = Activation()(sum);
}
#define CONVOLVE(size, F)                                                                                              \
  template __global__ void convolve<size, F>(const float*, const float*, const float*, float*, int, int, int);
CONVOLVE(3, Identity)
CONVOLVE(3, Relu)
CONVOLVE(3, Silu)
CONVOLVE(5, Relu)
CONVOLVE(5, Sigmoid)
CONVOLVE(7, Relu)
CONVOLVE(7, Tanh)

template <class Op, int window> __global__ void pool(const float* in, float* out, int planes, int height, int width) {
  int oh = height / window, ow = width / window;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= planes * oh * ow)
    return;
  int x = i % ow, y = i / ow % oh, plane = i / ow / oh;
  float value = Op::template identity<float>();
  for (int dy = 0; dy < window; ++dy)
    for (int dx = 0; dx < window; ++dx)
      value = Op()(value, in[((size_t)plane * height + y * window + dy) * width + x * window + dx]);
  out[i] = value;
}
template __global__ void pool<Maximum, 2>(const float*, float*, int, int, int);
template __global__ void pool<Maximum, 3>(const float*, float*, int, int, int);
template __global__ void pool<Sum, 2>(const float*, float*, int, int, int);

// --------------------------------------------------------------------------------------------- attention,
// normalisation

// One query row a block; keys and values stream by with a running maximum and sum.
template <int dimension, bool causal>
__global__ void __launch_bounds__(dimension < 64 ? 64 : dimension)
    attention(const float* q, const float* k, const float* v, float* out, int length, float scale) {
  constexpr int block = dimension < 64 ? 64 : dimension;
  __shared__ float query[dimension];
  __shared__ float weight[block];
  size_t head = (size_t)blockIdx.y * length * dimension;
  int row = blockIdx.x, t = threadIdx.x, last = causal ? row + 1 : length;
  if (t < dimension)
    query[t] = q[head + (size_t)row * dimension + t] * scale;
  __syncthreads();
  float top = -1e30f, sum = 0, result = 0;
  for (int base = 0; base < last; base += block) {
    float score = -1e30f;
    if (base + t < last) {
      score = 0;
      for (int d = 0; d < dimension; ++d)
        score += query[d] * k[head + (size_t)(base + t) * dimension + d];
    }
    float next = fmaxf(top, block_reduce<float, Maximum, block>(score, Maximum()));
    weight[t] = base + t < last ? expf(score - next) : 0.0f;
    float rescale = expf(top - next);
    sum = sum * rescale + block_reduce<float, Sum, block>(weight[t], Sum());
    result *= rescale;
    if (t < dimension)
      for (int i = 0; i < block && base + i < last; ++i)
        result += weight[i] * v[head + (size_t)(base + i) * dimension + t];
    top = next;
    __syncthreads();
  }
  if (t < dimension)
    out[head + (size_t)row * dimension + t] = result / sum;
}
#define ATTENTION(dimension)                                                                                           \
  template __global__ void attention<dimension, false>(const float*, const float*, const float*, float*, int, float);  \
  template __global__ void attention<dimension, true>(const float*, const float*, const float*, float*, int, float);
ATTENTION(32)
ATTENTION(64)
ATTENTION(128)

template <class T, bool centred, int block>
__global__ void __launch_bounds__(block)
    normalise(const T* in, const T* gain, const T* shift, T* out, int n, T epsilon) {
  const T* row = in + (size_t)blockIdx.x * n;
  T sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n; i += block)
    sum += row[i], squares += row[i] * row[i];
  T mean = centred ? block_reduce<T, Sum, block>(sum, Sum()) / n : T(0);
  T variance = block_reduce<T, Sum, block>(squares, Sum()) / n - mean * mean;
  T factor = T(1) / sqrt(variance + epsilon);
  for (int i = threadIdx.x; i < n; i += block)
    out[(size_t)blockIdx.x * n + i] = (row[i] - mean) * factor * gain[i] + (centred ? shift[i] : T(0));
}
#define NORMALISE(T)                                                                                                   \
  template __global__ void normalise<T, true, 256>(const T*, const T*, const T*, T*, int, T);                          \
  template __global__ void normalise<T, false, 256>(const T*, const T*, const T*, T*, int, T);
NORMALISE(float)
NORMALISE(double)

template <class T, int block> __global__ void __launch_bounds__(block) softmax(const T* in, T* out, int n) {
  const T* row = in + (size_t)blockIdx.x * n;
  T top = T(-1e30), sum = 0;
  for (int i = threadIdx.x; i < n; i += block)
    top = Maximum()(top, row[i]);
  top = block_reduce<T, Maximum, block>(top, Maximum());
  for (int i = threadIdx.x; i < n; i += block)
    sum += exp(row[i] - top);
  sum = block_reduce<T, Sum, block>(sum, Sum());
  for (int i = threadIdx.x; i < n; i += block)
    out[(size_t)blockIdx.x * n + i] = exp(row[i] - top) / sum;
}
template __global__ void softmax<float, 256>(const float*, float*, int);
template __global__ void softmax<double, 256>(const double*, double*, int);

// --------------------------------------------------------------------------------------------- stencils, Fourier,
// physics

template <class T, int radius>
__global__ void stencil3d(const T* in, T* out, const T* weights, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < radius || x >= nx - radius || y < radius || y >= ny - radius)
    return;
  size_t plane = (size_t)nx * ny, i = (size_t)y * nx + x + radius * plane;
  for (int z = radius; z < nz - radius; ++z, i += plane) {
    T sum = weights[0] * in[i];
    for (int r = 1; r <= radius; ++r)
      sum += weights[r] *
             (in[i - r] + in[i + r] + in[i - r * nx] + in[i + r * nx] + in[i - r * plane] + in[i + r * plane]);
    out[i] = sum;
  }
}
#define STENCIL(T, radius) template __global__ void stencil3d<T, radius>(const T*, T*, const T*, int, int, int);
STENCIL(float, 1)
STENCIL(float, 2)
STENCIL(float, 4)
STENCIL(double, 1)
STENCIL(double, 4)

template <int points, bool inverse> __global__ void __launch_bounds__(points / 2) fft(float2* data) {
  __shared__ float2 local[points];
  float2* row = data + (size_t)blockIdx.x * points;
  constexpr int bits = 31 - __builtin_clz(points);
  for (int i = threadIdx.x; i < points; i += points / 2)
    local[__brev(i) >> (32 - bits)] = row[i];
  for (int half = 1; half < points; half *= 2) {
    __syncthreads();
    int k = threadIdx.x & (half - 1), i = 2 * threadIdx.x - k, j = i + half;
    float s, c;
    sincospif((inverse ? 1.0f : -1.0f) * k / half, &s, &c);
    float2 a = local[i], b = local[j], w = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    local[i] = a + w;
    local[j] = a - w;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < points; i += points / 2)
    row[i] = inverse ? local[i] * (1.0f / points) : local[i];
}
template __global__ void fft<256, false>(float2*);
template __global__ void fft<256, true>(float2*);
template __global__ void fft<1024, false>(float2*);

template <class T, class T4> __global__ void gravity(const T4* bodies, T4* accelerations, int n, T softening) {
  __shared__ T4 tile[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  T4 own = bodies[i < n ? i : 0], sum = {T(0), T(0), T(0), T(0)};
  for (int base = 0; base < n; base += 128) {
    tile[threadIdx.x] = bodies[base + (int)threadIdx.x < n ? base + (int)threadIdx.x : 0];
    __syncthreads();
    for (int j = 0; j < 128 && base + j < n; ++j) {
      T dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      T inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
      T strength = tile[j].w * inverse * inverse * inverse;
      sum.x += dx * strength, sum.y += dy * strength, sum.z += dz * strength;
    }
    __syncthreads();
  }
  if (i < n)
    accelerations[i] = sum;
}
template __global__ void gravity<float, float4>(const float4*, float4*, int, float);
template __global__ void gravity<double, double4>(const double4*, double4*, int, double);

template <class T>
__global__ void options(const T* s, const T* k, const T* t, T rate, T sigma, T* call, T* put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T spread = sigma * sqrt(t[i]), d1 = (log(s[i] / k[i]) + (rate + sigma * sigma / 2) * t[i]) / spread, d2 = d1 - spread;
  T discounted = k[i] * exp(-rate * t[i]);
  T n1 = T(0.5) * erfc(-d1 * T(0.70710678118654752)), n2 = T(0.5) * erfc(-d2 * T(0.70710678118654752));
  call[i] = s[i] * n1 - discounted * n2;
  put[i] = call[i] + discounted - s[i];
}
template __global__ void options<float>(const float*, const float*, const float*, float, float, float*, float*, int);
template __global__ void options<double>(const double*, const double*, const double*, double, double, double*, double*,
                                         int);

// Philox 4x32-10 numbers, then normal ones, then the mean payoff of random walks.
__device__ uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned lo0 = 0xD2511F53u * counter.x, hi0 = __umulhi(0xD2511F53u, counter.x);
    unsigned lo1 = 0xCD9E8D57u * counter.z, hi1 = __umulhi(0xCD9E8D57u, counter.z);
    counter = make_uint4(hi1 ^ counter.y ^ key.x, lo1, hi0 ^ counter.w ^ key.y, lo0);
    key += make_uint2(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}
template <class T> __device__ T normal(unsigned a, unsigned b) {
  T u = (T(a) + T(0.5)) * T(2.3283064365386963e-10), v = T(b) * T(4.6566128730773926e-10);
  return sqrt(T(-2) * log(u)) * cospi(v);
}
template <class T> __global__ void walk(T* payoffs, unsigned seed, int steps, T drift, T sigma, T strike) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T level = 0;
  for (int step = 0; step < steps; step += 2) {
    uint4 r = philox(make_uint4(i, step, 0, 0), make_uint2(seed, 42));
    level += drift + sigma * normal<T>(r.x, r.y);
    level += drift + sigma * normal<T>(r.z, r.w);
  }
  T payoff = exp(level) - strike;
  payoffs[i] = payoff > T(0) ? payoff : T(0);
}
template __global__ void walk<float>(float*, unsigned, int, float, float, float);
template __global__ void walk<double>(double*, unsigned, int, double, double, double);

template <class T>
__global__ void mandelbrot(unsigned* counts, T x0, T y0, T step, int width, int height, unsigned limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  T cr = x0 + x * step, ci = y0 + y * step, zr = 0, zi = 0;
  unsigned count = 0;
  for (; count < limit && zr * zr + zi * zi <= T(4); ++count) {
    T next = zr * zr - zi * zi + cr;
    zi = T(2) * zr * zi + ci;
    zr = next;
  }
  counts[y * width + x] = count;
}
template __global__ void mandelbrot<float>(unsigned*, float, float, float, int, int, unsigned);
template __global__ void mandelbrot<double>(unsigned*, double, double, double, int, int, unsigned);
