// RUN: invar-opt --invar-infer-shapes --split-input-file %s | FileCheck %s

// CHECK-LABEL: @slice(
func.func @slice(%data: tensor<20x10x5xf32>) {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %three = onnx.Constant dense<3> : tensor<1xi64>
  %two = onnx.Constant dense<2> : tensor<1xi64>
  %all = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %starts = onnx.Constant dense<[-7, 100]> : tensor<2xi64>
  %ends = onnx.Constant dense<[-2, 0]> : tensor<2xi64>
  %axes = onnx.Constant dense<[0, -2]> : tensor<2xi64>
  %steps = onnx.Constant dense<[2, -3]> : tensor<2xi64>
  // Without axes the first is meant.
  // CHECK: onnx.Slice({{.*}} -> tensor<2x10x5xf32>
  %0 = onnx.Slice(%data, %one, %three)
      : (tensor<20x10x5xf32>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.Slice({{.*}} -> tensor<20x10x2xf32>
  %1 = onnx.Slice(%data, %three, %all, %two)
      : (tensor<20x10x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  // Nothing is there between 3 and 1.
  // CHECK: onnx.Slice({{.*}} -> tensor<0x10x5xf32>
  %2 = onnx.Slice(%data, %three, %one)
      : (tensor<20x10x5xf32>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  // Elements 13, 15, 17 of the first axis, and 9, 6, 3 of the second.
  // CHECK: onnx.Slice({{.*}} -> tensor<3x3x5xf32>
  %3 = onnx.Slice(%data, %starts, %ends, %axes, %steps)
      : (tensor<20x10x5xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
      -> !onnx.unknown
  return
}

// -----

// A part that begins at the end of an axis is empty, wherever it ends.
// CHECK-LABEL: @slice_from_the_end(
func.func @slice_from_the_end(%data: tensor<3x10xf32>, %end: tensor<1xi64>) {
  %three = onnx.Constant dense<3> : tensor<1xi64>
  // CHECK: onnx.Slice({{.*}} -> tensor<0x10xf32>
  %0 = onnx.Slice(%data, %three, %end) : (tensor<3x10xf32>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @slice_of_a_name(
func.func @slice_of_a_name(%x: tensor<?xf32, #onnx.dims<"n">>) {
  %axis = onnx.Constant dense<0> : tensor<1xi64>
  %p0 = onnx.Constant dense<0> : tensor<1xi64>
  %p1 = onnx.Constant dense<1> : tensor<1xi64>
  %p2 = onnx.Constant dense<2> : tensor<1xi64>
  %m1 = onnx.Constant dense<-1> : tensor<1xi64>
  %max32 = onnx.Constant dense<2147483647> : tensor<1xi64>
  %max = onnx.Constant dense<9223372036854775807> : tensor<1xi64>
  %min32 = onnx.Constant dense<-2147483647> : tensor<1xi64>
  %min = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  // [0:], with 32 bits or 64
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %0 = onnx.Slice(%x, %p0, %max32, %axis, %p1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %1 = onnx.Slice(%x, %min, %max, %axis, %p1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // [1:]
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"max(n - 1, 0)">>
  %2 = onnx.Slice(%x, %p1, %max, %axis, %p1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // [:-1]
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"max(n - 1, 0)">>
  %3 = onnx.Slice(%x, %p0, %m1, %axis, %p1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // [-1:] has an element only if there is one.
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"min(n, 1)">>
  %4 = onnx.Slice(%x, %m1, %max, %axis, %p1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // [:2]
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"min(n, 2)">>
  %5 = onnx.Slice(%x, %p0, %p2, %axis, %p1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // [::2]
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"(n + 1) floordiv 2">>
  %6 = onnx.Slice(%x, %p0, %max, %axis, %p2)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // [::-1], in all the ways that it is written
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %7 = onnx.Slice(%x, %m1, %min, %axis, %m1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %8 = onnx.Slice(%x, %max, %min32, %axis, %m1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // CHECK: onnx.Slice({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %9 = onnx.Slice(%x, %m1, %max32, %axis, %m1)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @slice_to_a_name(
func.func @slice_to_a_name(%x: tensor<?x512xf32, #onnx.dims<"n", "">>, %end: tensor<1xi64>,
                           %axis: tensor<1xi64>) {
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %n = onnx.Shape(%x) {end = 1 : i64}
      : (tensor<?x512xf32, #onnx.dims<"n", "">>) -> !onnx.unknown
  // CHECK: onnx.Slice({{.*}} -> tensor<?x?xf32, #onnx.dims<"n", "min(n, 512)">>
  %0 = onnx.Slice(%x, %zero, %n, %one)
      : (tensor<?x512xf32, #onnx.dims<"n", "">>, tensor<1xi64>, !onnx.unknown, tensor<1xi64>)
      -> !onnx.unknown
  // CHECK: onnx.Slice({{.*}} -> tensor<?x512xf32, #onnx.dims<"n", "">>
  %1 = onnx.Slice(%x, %zero, %n, %zero)
      : (tensor<?x512xf32, #onnx.dims<"n", "">>, tensor<1xi64>, !onnx.unknown, tensor<1xi64>)
      -> !onnx.unknown
  // CHECK: onnx.Slice({{.*}} -> tensor<0x512xf32>
  %2 = onnx.Slice(%x, %n, %n, %zero)
      : (tensor<?x512xf32, #onnx.dims<"n", "">>, !onnx.unknown, !onnx.unknown, tensor<1xi64>)
      -> !onnx.unknown
  // CHECK: onnx.Slice({{.*}} -> tensor<?x512xf32, #onnx.dims<"y.0", "">>
  %3 = onnx.Slice(%x, %zero, %end, %zero) {onnx.outputs = ["y"]}
      : (tensor<?x512xf32, #onnx.dims<"n", "">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  // An axis that is not known may be any.
  // CHECK: onnx.Slice({{.*}} -> tensor<?x?xf32, #onnx.dims<"z.0", "z.1">>
  %4 = onnx.Slice(%x, %zero, %one, %axis) {onnx.outputs = ["z"]}
      : (tensor<?x512xf32, #onnx.dims<"n", "">>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
      -> !onnx.unknown
  return
}

// -----

// The entries of a slice, as the sizes that another operator makes of them.
// CHECK-LABEL: @slice_entries(
func.func @slice_entries(%x: tensor<?x8x?xf32, #onnx.dims<"n", "", "m">>) {
  %one = onnx.Constant dense<1> : tensor<1xi64>
  %three = onnx.Constant dense<3> : tensor<1xi64>
  %last = onnx.Constant dense<-1> : tensor<1xi64>
  %least = onnx.Constant dense<-9223372036854775808> : tensor<1xi64>
  %zero = onnx.Constant dense<0> : tensor<1xi64>
  %sizes = onnx.Shape(%x) : (tensor<?x8x?xf32, #onnx.dims<"n", "", "m">>) -> !onnx.unknown
  %tail = onnx.Slice(%sizes, %one, %three)
      : (!onnx.unknown, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<8x?xf32, #onnx.dims<"", "m">>
  %0 = onnx.ConstantOfShape(%tail) : (!onnx.unknown) -> !onnx.unknown
  %back = onnx.Slice(%sizes, %last, %least, %zero, %last)
      : (!onnx.unknown, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?x8x?xf32, #onnx.dims<"m", "", "n">>
  %1 = onnx.ConstantOfShape(%back) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @split(
func.func @split(%x: tensor<7x?xf32, #onnx.dims<"", "n">>, %sizes: tensor<2xi64>) {
  %given = onnx.Constant dense<[2, 5]> : tensor<2xi64>
  // CHECK: onnx.Split({{.*}} -> (tensor<2x?xf32, #onnx.dims<"", "n">>, tensor<5x?xf32, #onnx.dims<"", "n">>)
  %0:2 = onnx.Split(%x, %given)
      : (tensor<7x?xf32, #onnx.dims<"", "n">>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  // The last part may be smaller.
  // CHECK: onnx.Split({{.*}} -> (tensor<4x?xf32, #onnx.dims<"", "n">>, tensor<3x?xf32, #onnx.dims<"", "n">>)
  %1:2 = onnx.Split(%x) {num_outputs = 2 : i64}
      : (tensor<7x?xf32, #onnx.dims<"", "n">>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.Split({{.*}} -> (tensor<7x?xf32, #onnx.dims<"", "(n + 1) floordiv 2">>, tensor<7x?xf32, #onnx.dims<"", "n - (n + 1) floordiv 2">>)
  %2:2 = onnx.Split(%x) {axis = -1 : i64, num_outputs = 2 : i64}
      : (tensor<7x?xf32, #onnx.dims<"", "n">>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.Split({{.*}} -> (tensor<?x?xf32, #onnx.dims<"a.0", "n">>, tensor<?x?xf32, #onnx.dims<"b.0", "n">>)
  %3:2 = onnx.Split(%x, %sizes) {onnx.outputs = ["a", "b"]}
      : (tensor<7x?xf32, #onnx.dims<"", "n">>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  return
}

// -----

// Parts add up to the whole, so the size of the operand is known.
// CHECK-LABEL: @split_tells_the_whole(
func.func @split_tells_the_whole(%x: tensor<?xf32, #onnx.dims<"n">>) {
  %sizes = onnx.Constant dense<[2, 5]> : tensor<2xi64>
  %0:2 = onnx.Split(%x, %sizes)
      : (tensor<?xf32, #onnx.dims<"n">>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.Identity({{.*}} -> tensor<7xf32>
  %1 = onnx.Identity(%x) : (tensor<?xf32, #onnx.dims<"n">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @split_entries(
func.func @split_entries(%x: tensor<?x8x?xf32, #onnx.dims<"n", "", "m">>) {
  %sizes = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  %all = onnx.Shape(%x) : (tensor<?x8x?xf32, #onnx.dims<"n", "", "m">>) -> !onnx.unknown
  %parts:2 = onnx.Split(%all, %sizes)
      : (!onnx.unknown, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<8x?xf32, #onnx.dims<"", "m">>
  %0 = onnx.ConstantOfShape(%parts#1) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @centercroppad(
func.func @centercroppad(%x: tensor<20x?x3xf32, #onnx.dims<"", "n", "">>,
                         %shape: tensor<3xi64>) {
  %sizes = onnx.Constant dense<[10, 9]> : tensor<2xi64>
  // CHECK: onnx.CenterCropPad({{.*}} -> tensor<10x?x9xf32, #onnx.dims<"", "n", "">>
  %0 = onnx.CenterCropPad(%x, %sizes) {axes = array<i64: 0, -1>}
      : (tensor<20x?x3xf32, #onnx.dims<"", "n", "">>, tensor<2xi64>) -> !onnx.unknown
  // CHECK: onnx.CenterCropPad({{.*}} -> tensor<?x?x?xf32, #onnx.dims<"y.0", "y.1", "y.2">>
  %1 = onnx.CenterCropPad(%x, %shape) {onnx.outputs = ["y"]}
      : (tensor<20x?x3xf32, #onnx.dims<"", "n", "">>, tensor<3xi64>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @compress(
func.func @compress(%x: tensor<3x?xf32, #onnx.dims<"", "n">>, %condition: tensor<3xi1>) {
  %given = onnx.Constant dense<[true, false, true]> : tensor<3xi1>
  // CHECK: onnx.Compress({{.*}} -> tensor<2x?xf32, #onnx.dims<"", "n">>
  %0 = onnx.Compress(%x, %given) {axis = 0 : i64}
      : (tensor<3x?xf32, #onnx.dims<"", "n">>, tensor<3xi1>) -> !onnx.unknown
  // CHECK: onnx.Compress({{.*}} -> tensor<?x?xf32, #onnx.dims<"y.0", "n">>
  %2 = onnx.Compress(%x, %condition) {axis = 0 : i64, onnx.outputs = ["y"]}
      : (tensor<3x?xf32, #onnx.dims<"", "n">>, tensor<3xi1>) -> !onnx.unknown
  // CHECK: onnx.Compress({{.*}} -> tensor<?xf32, #onnx.dims<"z.0">>
  %3 = onnx.Compress(%x, %condition) {onnx.outputs = ["z"]}
      : (tensor<3x?xf32, #onnx.dims<"", "n">>, tensor<3xi1>) -> !onnx.unknown
  %sizes = onnx.Shape(%x) : (tensor<3x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  %second = onnx.Constant dense<[false, true]> : tensor<2xi1>
  %n = onnx.Compress(%sizes, %second) : (!onnx.unknown, tensor<2xi1>) -> !onnx.unknown
  // CHECK: onnx.ConstantOfShape({{.*}} -> tensor<?xf32, #onnx.dims<"n">>
  %4 = onnx.ConstantOfShape(%n) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @nonzero(
func.func @nonzero(%x: tensor<2x?xf32, #onnx.dims<"", "n">>, %scalar: tensor<f32>,
                   %any: !onnx.unknown) {
  // CHECK: onnx.NonZero({{.*}} -> tensor<2x?xi64, #onnx.dims<"", "found.1">>
  %0 = onnx.NonZero(%x) {onnx.outputs = ["found"]}
      : (tensor<2x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  // CHECK: onnx.NonZero({{.*}} -> tensor<1x?xi64, #onnx.dims<"", "s.1">>
  %1 = onnx.NonZero(%scalar) {onnx.outputs = ["s"]} : (tensor<f32>) -> !onnx.unknown
  // CHECK: onnx.NonZero({{.*}} -> tensor<?x?xi64, #onnx.dims<"a.0", "a.1">>
  %2 = onnx.NonZero(%any) {onnx.outputs = ["a"]} : (!onnx.unknown) -> !onnx.unknown
  %given = onnx.Constant dense<[0, 5, 0, 7]> : tensor<4xi64>
  // CHECK: onnx.NonZero({{.*}} -> tensor<1x2xi64>
  %3 = onnx.NonZero(%given) : (tensor<4xi64>) -> !onnx.unknown
  // As many ones as a size says have as many indices.
  %sizes = onnx.Shape(%x) : (tensor<2x?xf32, #onnx.dims<"", "n">>) -> !onnx.unknown
  %ones = onnx.ConstantOfShape(%sizes) {value = dense<1> : tensor<1xi64>}
      : (!onnx.unknown) -> !onnx.unknown
  // CHECK: onnx.NonZero({{.*}} -> tensor<2x?xi64, #onnx.dims<"", "2*n">>
  %4 = onnx.NonZero(%ones) : (!onnx.unknown) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @trilu(
func.func @trilu(%x: tensor<?x4x4xf32, #onnx.dims<"n", "", "">>) {
  // CHECK: onnx.Trilu({{.*}} -> tensor<?x4x4xf32, #onnx.dims<"n", "", "">>
  %0 = onnx.Trilu(%x) : (tensor<?x4x4xf32, #onnx.dims<"n", "", "">>) -> !onnx.unknown
  return
}

// -----

// CHECK-LABEL: @unique(
func.func @unique(%x: tensor<3x?xf32, #onnx.dims<"", "n">>) {
  // CHECK: onnx.Unique({{.*}} -> (tensor<?xf32, #onnx.dims<"y.0">>, tensor<?xi64, #onnx.dims<"i.0">>, tensor<?xi64, #onnx.dims<"3*n">>, tensor<?xi64, #onnx.dims<"c.0">>)
  %0:4 = onnx.Unique(%x) {onnx.outputs = ["y", "i", "j", "c"]}
      : (tensor<3x?xf32, #onnx.dims<"", "n">>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown)
  // CHECK: onnx.Unique({{.*}} -> (tensor<?x?xf32, #onnx.dims<"y2.0", "n">>, _, tensor<3xi64>)
  %1:2 = onnx.Unique(%x) {axis = 0 : i64, onnx.outputs = ["y2", "j2"]}
      : (tensor<3x?xf32, #onnx.dims<"", "n">>) -> (!onnx.unknown, _, !onnx.unknown)
  return
}
