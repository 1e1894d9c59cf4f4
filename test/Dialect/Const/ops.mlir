// RUN: invar-opt %s | invar-opt | FileCheck %s
// RUN: invar-opt --mlir-print-op-generic %s | invar-opt | FileCheck %s
// RUN: invar-opt --emit-bytecode %s | invar-opt | FileCheck %s

// CHECK: const.store {
// CHECK-NEXT: const.entry(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) : tensor<2xf32>
// CHECK-NEXT: const.entry "weight" : tensor<64x8xf32>
// CHECK-NEXT: const.entry "bias"(dense<0.000000e+00> : tensor<8xf32>) : tensor<8xf32>
const.store {
  const.entry(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
  const.entry "weight" : tensor<64x8xf32>
  const.entry "bias"(dense<0.0> : tensor<8xf32>) : tensor<8xf32>
}

// CHECK-LABEL: @refs
// CHECK-NEXT: const.ref dense<[3.000000e+00, 4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: const.ref 0 : tensor<2xf32>
// CHECK-NEXT: const.ref 1 [32, 0] : tensor<16x8xf32>
// CHECK-NEXT: const.ref {note = "kept"} 2 : tensor<8xf32>
func.func @refs() -> (tensor<2xf32>, tensor<2xf32>, tensor<16x8xf32>, tensor<8xf32>) {
  %0 = const.ref dense<[3.0, 4.0]> : tensor<2xf32>
  %1 = const.ref 0 : tensor<2xf32>
  %2 = const.ref 1 [32, 0] : tensor<16x8xf32>
  %3 = const.ref {note = "kept"} 2 : tensor<8xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<16x8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @decode
// CHECK-SAME: %[[BYTES:.*]]: tensor<64xi8>
// CHECK-NEXT: const.decode %[[BYTES]] : tensor<64xi8> -> tensor<16x8xf32>
func.func @decode(%bytes: tensor<64xi8>) -> tensor<16x8xf32> {
  %0 = const.decode %bytes : tensor<64xi8> -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
