// RUN: invar-opt --invar-fold-constant-tensors=max-growth=0 %s | FileCheck %s
// RUN: invar-opt --invar-fold-constant-tensors=max-growth=0 --invar-fold-constant-tensors=max-growth=0 %s | FileCheck %s

// Decoding is done once, though what is decoded has many times the bytes; and so is what
// hangs on it and is no larger. What only repeats it stays.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<8x512x512xf32>, %[[W:.*]]: tensor<512x512xf32> {const.id = 0 : i64})
// CHECK-NOT: const.decode
// CHECK: linalg.broadcast ins(%[[W]] : tensor<512x512xf32>)
// CHECK-LABEL: func.func @runtime_fold() -> (tensor<512x512xf32> {const.id = 0 : i64})
// CHECK-NEXT: %[[BYTES:.*]] = const.ref 0 : tensor<64xi8>
// CHECK-NEXT: %[[DECODED:.*]] = const.decode %[[BYTES]] : tensor<64xi8> -> tensor<512x512xf32>
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[DECODED]], %[[DECODED]]
// CHECK-NEXT: return %[[SQUARE]]
const.store {
  const.entry "bytes" : tensor<64xi8>
}
func.func @main(%x: tensor<8x512x512xf32>) -> tensor<8x512x512xf32> {
  %0 = const.ref 0 : tensor<64xi8>
  %w = const.decode %0 : tensor<64xi8> -> tensor<512x512xf32>
  %s = arith.mulf %w, %w : tensor<512x512xf32>
  %e = tensor.empty() : tensor<8x512x512xf32>
  %b = linalg.broadcast ins(%s : tensor<512x512xf32>) outs(%e : tensor<8x512x512xf32>) dimensions = [0]
  %y = arith.addf %x, %b : tensor<8x512x512xf32>
  return %y : tensor<8x512x512xf32>
}

// Where nothing but that is asked for, what hangs on it stays.
// RUN: invar-opt --invar-fold-constant-tensors=only-decoding %s | FileCheck %s --check-prefix=ONLY
// ONLY-LABEL: func.func @main(
// ONLY-SAME: %{{.*}}: tensor<8x512x512xf32>, %[[W:.*]]: tensor<512x512xf32> {const.id = 0 : i64})
// ONLY: arith.mulf %[[W]], %[[W]]
// ONLY-LABEL: func.func @runtime_fold()
// ONLY-NEXT: %[[BYTES:.*]] = const.ref 0
// ONLY-NEXT: %[[DECODED:.*]] = const.decode %[[BYTES]]
// ONLY-NEXT: return %[[DECODED]]
