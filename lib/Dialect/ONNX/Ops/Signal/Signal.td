// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "invar/Dialect/ONNX/OpBase.td"

/// Weights that fade a frame of a signal in and out.
class WindowOp<string name> : ONNX_Op<name, 17, [Pure, Folds]> {
  let description = [{
    A periodic window is a symmetric one of one more element, without its last.

    - (C1) `output_datatype` is the number of a data type, the result's.
    - (C2) `size` has one element.
    - (C3) `periodic` is 0 or 1.
    - (C4) `size` is at least 0.
  }];
  let arguments = (ins
      Var<"T1", TensorIn<IndexTypes>>:$size, IntOr<1>:$output_datatype,
      IntOr<1>:$periodic);
  let results = (outs Var<"T2", TensorIn<Numbers>>:$output);
  let hasVerifier = 1;
}

def ONNX_BlackmanWindowOp : WindowOp<"BlackmanWindow"> {
  let summary = "a Blackman window";
}

def ONNX_DFTOp : ONNX_Op<"DFT", 20, [Pure, Folds]> {
  let summary = "the discrete Fourier transform along an axis";
  let description = [{
    The last axis holds one element for real numbers, two for complex ones. With
    `onesided` only the first half of the spectrum of a real signal is there.

    - (C1) `inverse` and `onesided` are 0 or 1.
    - (C2) `input` has at least rank 2, and its last axis 1 or 2 elements.
    - (C3) `dft_length` and `axis` have one element.
    - (C4) `axis` is an axis of `input`, but not the last.
    - (C5) `dft_length` is at least 1.
  }];
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  let arguments = (ins
      T1:$input, Optional<Var<"T2", TensorIn<IndexTypes>>>:$dft_length,
      Optional<TensorIn<[Int64]>>:$axis, IntOr<0>:$inverse, IntOr<0>:$onesided);
  let results = (outs T1:$output);
  let hasVerifier = 1;
}

def ONNX_HammingWindowOp : WindowOp<"HammingWindow"> {
  let summary = "a Hamming window";
}

def ONNX_HannWindowOp : WindowOp<"HannWindow"> {
  let summary = "a Hann window";
}

def ONNX_MelWeightMatrixOp : ONNX_Op<"MelWeightMatrix", 17, [Pure, Folds]> {
  let summary = "weights that sum a spectrum into mel bands";
  let description = [{
    - (C1) `output_datatype` is the number of a data type, the result's.
    - (C2) all operands have one element.
    - (C3) `num_mel_bins` and `dft_length` are at least 0.
  }];
  defvar T1 = Var<"T1", TensorIn<IndexTypes>>;
  defvar T2 = Var<"T2", TensorIn<Floats>>;
  let arguments = (ins
      T1:$num_mel_bins, T1:$dft_length, T1:$sample_rate, T2:$lower_edge_hertz,
      T2:$upper_edge_hertz, IntOr<1>:$output_datatype);
  let results = (outs Var<"T3", TensorIn<Numbers>>:$output);
  let hasVerifier = 1;
}

def ONNX_STFTOp : ONNX_Op<"STFT", 17, [Pure, Folds]> {
  let summary = "discrete Fourier transforms of a sliding window";
  let description = [{
    A frame is as long as `frame_length` says, or else as the window or the whole signal.

    - (C1) `onesided` is 0 or 1.
    - (C2) `signal` has rank 2 or 3.
    - (C3) `frame_step` and `frame_length` have one element.
    - (C4) `window` is a vector.
    - (C5) `frame_step` is at least 1.
    - (C6) a frame has the length of the window and fits into the signal.
  }];
  defvar T1 = Var<"T1", TensorIn<Floats>>;
  defvar T2 = Var<"T2", TensorIn<IndexTypes>>;
  let arguments = (ins
      T1:$signal, T2:$frame_step, Optional<T1>:$window, Optional<T2>:$frame_length,
      IntOr<1>:$onesided);
  let results = (outs T1:$output);
  let hasVerifier = 1;
  let extraClassDeclaration = anyRankCallDeclaration;
}
