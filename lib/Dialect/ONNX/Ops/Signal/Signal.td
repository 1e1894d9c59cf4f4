// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

def ONNX_BlackmanWindowOp : ONNX_Op<"BlackmanWindow", 17, [Pure]> {
  let summary = "a Blackman window";
  let arguments = (ins
      Var<"T1", TensorIn<IndexTypes>>:$size, IntOr<1>:$output_datatype,
      IntOr<1>:$periodic);
  let results = (outs Var<"T2", TensorIn<Numbers>>:$output);
}

def ONNX_DFTOp : ONNX_Op<"DFT", 20, [Pure]> {
  let summary = "the discrete Fourier transform along an axis";
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  let arguments = (ins
      T1:$input, Optional<Var<"T2", TensorIn<IndexTypes>>>:$dft_length,
      Optional<TensorIn<[Int64]>>:$axis, IntOr<0>:$inverse, IntOr<0>:$onesided);
  let results = (outs T1:$output);
}

def ONNX_HammingWindowOp : ONNX_Op<"HammingWindow", 17, [Pure]> {
  let summary = "a Hamming window";
  let arguments = (ins
      Var<"T1", TensorIn<IndexTypes>>:$size, IntOr<1>:$output_datatype,
      IntOr<1>:$periodic);
  let results = (outs Var<"T2", TensorIn<Numbers>>:$output);
}

def ONNX_HannWindowOp : ONNX_Op<"HannWindow", 17, [Pure]> {
  let summary = "a Hann window";
  let arguments = (ins
      Var<"T1", TensorIn<IndexTypes>>:$size, IntOr<1>:$output_datatype,
      IntOr<1>:$periodic);
  let results = (outs Var<"T2", TensorIn<Numbers>>:$output);
}

def ONNX_MelWeightMatrixOp : ONNX_Op<"MelWeightMatrix", 17, [Pure]> {
  let summary = "weights that sum a spectrum into mel bands";
  defvar T1 = Var<"T1", TensorIn<IndexTypes>>;
  defvar T2 = Var<"T2", TensorIn<Floats>>;
  let arguments = (ins
      T1:$num_mel_bins, T1:$dft_length, T1:$sample_rate, T2:$lower_edge_hertz,
      T2:$upper_edge_hertz, IntOr<1>:$output_datatype);
  let results = (outs Var<"T3", TensorIn<Numbers>>:$output);
}

def ONNX_STFTOp : ONNX_Op<"STFT", 17, [Pure]> {
  let summary = "discrete Fourier transforms of a sliding window";
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  defvar T2 = Var<"T2", TensorIn<IndexTypes>>;
  let arguments = (ins
      T1:$signal, T2:$frame_step, Optional<T1>:$window, Optional<T2>:$frame_length,
      IntOr<1>:$onesided);
  let results = (outs T1:$output);
}
