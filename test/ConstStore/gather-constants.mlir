// RUN: invar-opt --invar-gather-constants %s | FileCheck %s
// RUN: invar-opt --invar-gather-constants --invar-gather-constants %s | FileCheck %s

// Equal constants of any function are one entry, also where one is written in another way;
// those of another type are not, and large ones come first.
// CHECK: const.store {
// CHECK-NEXT: const.entry(dense<{{.*}}> : tensor<4xf32>) : tensor<4xf32>
// CHECK-NEXT: const.entry(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) : tensor<2xf32>
// CHECK-NEXT: const.entry(dense<{{.*}}> : tensor<2xi32>) : tensor<2xi32>
// CHECK-NEXT: const.entry(dense<{{.*}}> : tensor<2xf32>) : tensor<2xf32>
// CHECK-NEXT: }

// CHECK-LABEL: @first
// CHECK-NEXT: const.ref 1 : tensor<2xf32>
// CHECK-NEXT: const.ref 0 : tensor<4xf32>
// CHECK-NEXT: const.ref 2 : tensor<2xi32>
func.func @first() -> (tensor<2xf32>, tensor<4xf32>, tensor<2xi32>) {
  %0 = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = const.ref dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %2 = const.ref dense<[1, 2]> : tensor<2xi32>
  return %0, %1, %2 : tensor<2xf32>, tensor<4xf32>, tensor<2xi32>
}

// CHECK-LABEL: @second
// CHECK-NEXT: const.ref 1 : tensor<2xf32>
// CHECK-NEXT: const.ref 1 : tensor<2xf32>
// CHECK-NEXT: const.ref 3 : tensor<2xf32>
func.func @second() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = const.ref dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = const.ref #elements.lazy<dense<[1.0, 2.0]> : tensor<2xf32>>
  %2 = const.ref dense<[2.0, 1.0]> : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
