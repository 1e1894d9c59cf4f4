// RUN: invar-opt --pass-pipeline='builtin.module(func.func(invar-hoist-checks))' %s | FileCheck %s

func.func private @kernel(tensor<?xf32>, index, tensor<?xf32>) -> tensor<?xf32> attributes {invar.kernel}

// A check of operands stands before the kernel that reads them, with the numbers that it needs;
// another that the kernel needs stays where it is.
// CHECK-LABEL: func.func @operands(
// CHECK: arith.cmpi
// CHECK-NEXT: cf.assert %{{.*}}, "expected parts that add up"
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: call @kernel
// CHECK-NEXT: return
func.func @operands(%x: tensor<?xf32>, %sizes: tensor<2xi64>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = call @kernel(%x, %n, %e) : (tensor<?xf32>, index, tensor<?xf32>) -> tensor<?xf32>
  %a = tensor.extract %sizes[%zero] : tensor<2xi64>
  %b = tensor.extract %sizes[%one] : tensor<2xi64>
  %sum = arith.addi %a, %b : i64
  %whole = tensor.dim %x, %zero : tensor<?xf32>
  %size = arith.index_cast %whole : index to i64
  %same = arith.cmpi eq, %sum, %size : i64
  cf.assert %same, "expected parts that add up"
  return %y : tensor<?xf32>
}

// A check of what a kernel has made stays behind it, but before the next.
// CHECK-LABEL: func.func @results(
// CHECK: %[[FIRST:.*]] = call @kernel
// CHECK: tensor.extract %[[FIRST]]
// CHECK: cf.assert %{{.*}}, "expected a number"
// CHECK: call @kernel(%[[FIRST]]
func.func @results(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %first = call @kernel(%x, %n, %e) : (tensor<?xf32>, index, tensor<?xf32>) -> tensor<?xf32>
  %f = tensor.empty(%n) : tensor<?xf32>
  %second = call @kernel(%first, %n, %f) : (tensor<?xf32>, index, tensor<?xf32>) -> tensor<?xf32>
  %made = tensor.extract %first[%zero] : tensor<?xf32>
  %is = arith.cmpf ord, %made, %made : f32
  cf.assert %is, "expected a number"
  return %second : tensor<?xf32>
}

// Of a loop's body, only what stands in it moves; and a loop in which kernels run is passed as
// a kernel is.
// CHECK-LABEL: func.func @loop(
// CHECK: cf.assert %{{.*}}, "behind the loop"
// CHECK: scf.for
// CHECK: cf.assert %{{.*}}, "in the loop"
// CHECK: call @kernel
func.func @loop(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = scf.for %i = %zero to %n step %one iter_args(%now = %x) -> (tensor<?xf32>) {
    %e = tensor.empty(%n) : tensor<?xf32>
    %next = func.call @kernel(%now, %n, %e) : (tensor<?xf32>, index, tensor<?xf32>) -> tensor<?xf32>
    %small = arith.cmpi ult, %i, %one : index
    cf.assert %small, "in the loop"
    scf.yield %next : tensor<?xf32>
  }
  %some = arith.cmpi ult, %zero, %n : index
  cf.assert %some, "behind the loop"
  return %y : tensor<?xf32>
}

// Indices are checked first, too.
// CHECK-LABEL: func.func @indices(
// CHECK: rt.check_indices "index" %arg1 of(%{{.*}}) from_back : tensor<?xi64>
// CHECK: call @kernel
func.func @indices(%x: tensor<?xf32>, %i: tensor<?xi64>, %n: index) -> (tensor<?xf32>, tensor<?xi64>) {
  %zero = arith.constant 0 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = call @kernel(%x, %n, %e) : (tensor<?xf32>, index, tensor<?xf32>) -> tensor<?xf32>
  %size = tensor.dim %x, %zero : tensor<?xf32>
  %checked = rt.check_indices "index" %i of (%size) from_back : tensor<?xi64>
  return %y, %checked : tensor<?xf32>, tensor<?xi64>
}
