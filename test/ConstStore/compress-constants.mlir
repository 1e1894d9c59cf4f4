// RUN: %python %S/Inputs/structured.py iota iota_float palette1 palette2 palette4 palette8 > %t.mlir
// RUN: invar-opt --invar-compress-constants %t.mlir | FileCheck %s --check-prefix=FEW
//
// Behind the magic stand the number of the encoding, the bits of a code, and the bytes of an
// element.
// FEW: const.entry(#elements.lazy<dense<[73, 78, 86, 65, 82, 69, 78, 67, 2, 0, 8,
// FEW-NEXT: const.entry(#elements.lazy<dense<[73, 78, 86, 65, 82, 69, 78, 67, 3, 0, 4,
// FEW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43040104
// FEW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43040204
// FEW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43040404
// FEW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43040804
// FEW-LABEL: @iota
// FEW-NEXT: %[[BYTES:.*]] = const.ref 0 : tensor<72xi8>
// FEW-NEXT: const.decode %[[BYTES]] : tensor<72xi8> -> tensor<12x100xi64>
// FEW-LABEL: @palette8
// FEW-NEXT: %[[BYTES:.*]] = const.ref 5 : tensor<[[SIZE:.*]]xi8>
// FEW-NEXT: const.decode %[[BYTES]] : tensor<[[SIZE]]xi8> -> tensor<12x100xf32>
//
// RUN: %python %S/Inputs/structured.py int8 int16 uint16 half bfloat single scaled > %t.mlir
// RUN: invar-opt --invar-compress-constants %t.mlir | FileCheck %s --check-prefix=NARROW
// NARROW: const.entry(#elements.lazy<dense<"0x494E564152454E43050808
// NARROW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43051008
// NARROW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43061008
// NARROW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43071004
// NARROW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43081004
// NARROW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E43092008
// NARROW-NEXT: const.entry(#elements.lazy<dense<"0x494E564152454E430A0804
//
// What has nothing but high bytes that are alike is compressed as it is, if it is enough.
// RUN: %python %S/Inputs/structured.py alike > %t.mlir
// RUN: invar-opt --invar-compress-constants %t.mlir | FileCheck %s --check-prefix=ALIKE
// RUN: invar-opt --invar-compress-constants=least-percent=40 %t.mlir | FileCheck %s --check-prefix=STAYS
// ALIKE: const.entry(#elements.lazy<dense<"0x494E564152454E43002004
//
// RUN: %python %S/Inputs/structured.py random > %t.mlir
// RUN: invar-opt --invar-compress-constants %t.mlir | FileCheck %s --check-prefix=STAYS
// STAYS: const.entry(dense<{{.*}}> : tensor<12x100xf32>)
// STAYS-NOT: const.decode

// RUN: invar-opt --invar-compress-constants %s | FileCheck %s
// RUN: invar-opt --invar-compress-constants --invar-compress-constants %s | FileCheck %s

// CHECK: const.store {
// CHECK-NEXT: const.entry(#elements.lazy<dense<[73, 78, 86, 65, 82, 69, 78, 67, 1, 0, 4, {{.*}} : tensor<64xi8>
// CHECK-NEXT: const.entry "named"(dense<1.000000e+00> : tensor<40x40xf32>)
// CHECK-NEXT: const.entry "brought" : tensor<40x40xf32>
// CHECK-NEXT: const.entry(dense<1.000000e+00> : tensor<16x15xf32>)
// CHECK-NEXT: const.entry(dense<(1.000000e+00,0.000000e+00)> : tensor<40x40xcomplex<f32>>)
// CHECK-NEXT: const.entry(dense<1> : tensor<40x40xindex>)
// CHECK-NEXT: const.entry(dense<2.000000e+00> : tensor<40x40xf32>)
const.store {
  const.entry(dense<1.0> : tensor<40x40xf32>) : tensor<40x40xf32>
  const.entry "named" (dense<1.0> : tensor<40x40xf32>) : tensor<40x40xf32>
  const.entry "brought" : tensor<40x40xf32>
  const.entry(dense<1.0> : tensor<16x15xf32>) : tensor<16x15xf32>
  const.entry(dense<(1.0, 0.0)> : tensor<40x40xcomplex<f32>>) : tensor<40x40xcomplex<f32>>
  const.entry(dense<1> : tensor<40x40xindex>) : tensor<40x40xindex>
  const.entry(dense<2.0> : tensor<40x40xf32>) : tensor<40x40xf32>
}

// A function decodes a constant once, before all that refers to it; a tile is cut from that.
// CHECK-LABEL: @tiles
// CHECK-NEXT: %[[BYTES:.*]] = const.ref 0 : tensor<64xi8>
// CHECK-NEXT: %[[WHOLE:.*]] = const.decode %[[BYTES]] : tensor<64xi8> -> tensor<40x40xf32>
// CHECK-NEXT: %[[PART:.*]] = tensor.extract_slice %[[WHOLE]][8, 4] [16, 32] [1, 1]
// CHECK-NEXT: return %[[WHOLE]], %[[PART]]
func.func @tiles() -> (tensor<40x40xf32>, tensor<16x32xf32>) {
  %0 = const.ref 0 : tensor<40x40xf32>
  %1 = const.ref 0 [8, 4] : tensor<16x32xf32>
  return %0, %1 : tensor<40x40xf32>, tensor<16x32xf32>
}

// CHECK-LABEL: @branches
// CHECK-NEXT: const.ref 0 : tensor<64xi8>
// CHECK-NEXT: %[[WHOLE:.*]] = const.decode
// CHECK-NEXT: scf.if
// CHECK-NEXT: scf.yield %[[WHOLE]]
// CHECK-NEXT: else
// CHECK-NEXT: arith.negf %[[WHOLE]]
func.func @branches(%condition: i1) -> tensor<40x40xf32> {
  %r = scf.if %condition -> tensor<40x40xf32> {
    %0 = const.ref 0 : tensor<40x40xf32>
    scf.yield %0 : tensor<40x40xf32>
  } else {
    %0 = const.ref 0 : tensor<40x40xf32>
    %1 = arith.negf %0 : tensor<40x40xf32>
    scf.yield %1 : tensor<40x40xf32>
  }
  return %r : tensor<40x40xf32>
}

// What nobody reads is not looked at either.
// CHECK-LABEL: @dead
// CHECK-NEXT: const.ref 6 : tensor<40x40xf32>
// CHECK-NEXT: return
func.func @dead() {
  %0 = const.ref 6 : tensor<40x40xf32>
  return
}

// What others may bring stays, and so does what is small, and what cannot be encoded; what
// nobody refers to is not looked at.
// CHECK-LABEL: @stay
// CHECK-NOT: const.decode
func.func @stay() -> (tensor<40x40xf32>, tensor<40x40xf32>, tensor<16x15xf32>,
                      tensor<40x40xcomplex<f32>>, tensor<40x40xindex>) {
  %1 = const.ref 1 : tensor<40x40xf32>
  %2 = const.ref 2 : tensor<40x40xf32>
  %3 = const.ref 3 : tensor<16x15xf32>
  %4 = const.ref 4 : tensor<40x40xcomplex<f32>>
  %5 = const.ref 5 : tensor<40x40xindex>
  return %1, %2, %3, %4, %5 : tensor<40x40xf32>, tensor<40x40xf32>, tensor<16x15xf32>,
                              tensor<40x40xcomplex<f32>>, tensor<40x40xindex>
}
