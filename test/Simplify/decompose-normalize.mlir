// RUN: invar-opt --invar-decompose --split-input-file %s | FileCheck %s

// CHECK-LABEL: @decompose_batchnorm(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SCALE:[^:]*]]:{{.*}} %[[BIAS:[^:]*]]:{{.*}} %[[MEAN:[^:]*]]:{{.*}} %[[VARIANCE:[^:]*]]:
func.func @decompose_batchnorm(%x: tensor<2x4x5x6xf32>, %scale: tensor<4xf32>, %bias: tensor<4xf32>, %mean: tensor<4xf32>, %variance: tensor<4xf32>) -> tensor<2x4x5x6xf32> {
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<9.99999974E-6>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[VARIANCE]], %[[NUMBER]])
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[ADD]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SCALE]], %[[SQRT]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[MEAN]], %[[DIV]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[BIAS]], %[[MUL]])
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[DIV]], %[[SIZES]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[X]], %[[UNSQUEEZE]])
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE2:.*]] = onnx.Unsqueeze(%[[SUB]], %[[SIZES2]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[MUL2]], %[[UNSQUEEZE2]])
  // CHECK: return %[[ADD2]]
  %0 = onnx.BatchNormalization(%x, %scale, %bias, %mean, %variance) : (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5x6xf32>
  return %0 : tensor<2x4x5x6xf32>
}

// -----

// Where the channels are is not known.
// CHECK-LABEL: @decompose_batchnorm_refused(
func.func @decompose_batchnorm_refused(%x: tensor<*xf32>, %scale: tensor<4xf32>, %bias: tensor<4xf32>, %mean: tensor<4xf32>, %variance: tensor<4xf32>) -> tensor<*xf32> {
  // CHECK: onnx.BatchNormalization(
  %0 = onnx.BatchNormalization(%x, %scale, %bias, %mean, %variance) : (tensor<*xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @decompose_training(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SCALE:[^:]*]]:{{.*}} %[[BIAS:[^:]*]]:{{.*}} %[[MEAN:[^:]*]]:{{.*}} %[[VARIANCE:[^:]*]]:
func.func @decompose_training(%x: tensor<2x4x5x6xf32>, %scale: tensor<4xf32>, %bias: tensor<4xf32>, %mean: tensor<4xf32>, %variance: tensor<4xf32>) -> (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[0, 2, 3]>
  // CHECK: %[[REDUCE_MEAN:.*]] = onnx.ReduceMean(%[[X]], %[[SIZES]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[X]], %[[REDUCE_MEAN]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[SUB]], %[[SUB]])
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[0, 2, 3]>
  // CHECK: %[[REDUCE_MEAN2:.*]] = onnx.ReduceMean(%[[MUL]], %[[SIZES2]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<9.99999974E-6>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[REDUCE_MEAN2]], %[[NUMBER]])
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[ADD]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SUB]], %[[SQRT]])
  // CHECK: %[[SIZES3:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[SCALE]], %[[SIZES3]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[DIV]], %[[UNSQUEEZE]])
  // CHECK: %[[SIZES4:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE2:.*]] = onnx.Unsqueeze(%[[BIAS]], %[[SIZES4]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[MUL2]], %[[UNSQUEEZE2]])
  // CHECK: %[[NUMBER2:.*]] = onnx.Constant {{.*}}dense<0.899999976>
  // CHECK: %[[MUL3:.*]] = onnx.Mul(%[[MEAN]], %[[NUMBER2]])
  // CHECK: %[[SIZES5:.*]] = onnx.Constant {{.*}}dense<[0, 2, 3]>
  // CHECK: %[[SQUEEZE:.*]] = onnx.Squeeze(%[[REDUCE_MEAN]], %[[SIZES5]])
  // CHECK: %[[NUMBER3:.*]] = onnx.Constant {{.*}}dense<0.100000024>
  // CHECK: %[[MUL4:.*]] = onnx.Mul(%[[SQUEEZE]], %[[NUMBER3]])
  // CHECK: %[[ADD3:.*]] = onnx.Add(%[[MUL3]], %[[MUL4]])
  // CHECK: %[[NUMBER4:.*]] = onnx.Constant {{.*}}dense<0.899999976>
  // CHECK: %[[MUL5:.*]] = onnx.Mul(%[[VARIANCE]], %[[NUMBER4]])
  // CHECK: %[[SIZES6:.*]] = onnx.Constant {{.*}}dense<[0, 2, 3]>
  // CHECK: %[[SQUEEZE2:.*]] = onnx.Squeeze(%[[REDUCE_MEAN2]], %[[SIZES6]])
  // CHECK: %[[NUMBER5:.*]] = onnx.Constant {{.*}}dense<0.100000024>
  // CHECK: %[[MUL6:.*]] = onnx.Mul(%[[SQUEEZE2]], %[[NUMBER5]])
  // CHECK: %[[ADD4:.*]] = onnx.Add(%[[MUL5]], %[[MUL6]])
  // CHECK: return %[[ADD2]], %[[ADD3]], %[[ADD4]]
  %0:3 = onnx.BatchNormalization(%x, %scale, %bias, %mean, %variance) {training_mode = 1 : i64} : (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: @decompose_training_refused(
func.func @decompose_training_refused(%x: tensor<*xf32>, %scale: tensor<4xf32>, %bias: tensor<4xf32>, %mean: tensor<4xf32>, %variance: tensor<4xf32>) -> (tensor<*xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: onnx.BatchNormalization(
  %0:3 = onnx.BatchNormalization(%x, %scale, %bias, %mean, %variance) {training_mode = 1 : i64} : (tensor<*xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: @decompose_groupnorm(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SCALE:[^:]*]]:{{.*}} %[[BIAS:[^:]*]]:
func.func @decompose_groupnorm(%x: tensor<?x4x?x6xf32>, %scale: tensor<4xf32>, %bias: tensor<4xf32>) -> tensor<?x4x?x6xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[0, 2, -1]>
  // CHECK: %[[RESHAPE:.*]] = onnx.Reshape(%[[X]], %[[SIZES]])
  // CHECK: %[[REDUCE_MEAN:.*]] = onnx.ReduceMean(%[[RESHAPE]], %{{.*}})
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[RESHAPE]], %[[REDUCE_MEAN]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[SUB]], %[[SUB]])
  // CHECK: %[[REDUCE_MEAN2:.*]] = onnx.ReduceMean(%[[MUL]], %{{.*}})
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<9.99999974E-6>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[REDUCE_MEAN2]], %[[NUMBER]])
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[ADD]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SUB]], %[[SQRT]])
  // CHECK: %[[SHAPE:.*]] = onnx.Shape(%[[X]])
  // CHECK: %[[RESHAPE2:.*]] = onnx.Reshape(%[[DIV]], %[[SHAPE]])
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[SCALE]], %[[SIZES2]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[RESHAPE2]], %[[UNSQUEEZE]])
  // CHECK: %[[SIZES3:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE2:.*]] = onnx.Unsqueeze(%[[BIAS]], %[[SIZES3]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[MUL2]], %[[UNSQUEEZE2]])
  // CHECK: return %[[ADD2]]
  %0 = onnx.GroupNormalization(%x, %scale, %bias) {num_groups = 2 : i64} : (tensor<?x4x?x6xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x?x6xf32>
  return %0 : tensor<?x4x?x6xf32>
}

// -----

// CHECK-LABEL: @decompose_groupnorm_refused(
func.func @decompose_groupnorm_refused(%x: tensor<*xf32>, %scale: tensor<4xf32>, %bias: tensor<4xf32>) -> tensor<*xf32> {
  // CHECK: onnx.GroupNormalization(
  %0 = onnx.GroupNormalization(%x, %scale, %bias) {num_groups = 2 : i64} : (tensor<*xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @decompose_instancenorm(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SCALE:[^:]*]]:{{.*}} %[[BIAS:[^:]*]]:
func.func @decompose_instancenorm(%x: tensor<2x4x5x6xf32>, %scale: tensor<4xf32>, %bias: tensor<4xf32>) -> tensor<2x4x5x6xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[2, 3]>
  // CHECK: %[[REDUCE_MEAN:.*]] = onnx.ReduceMean(%[[X]], %[[SIZES]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[X]], %[[REDUCE_MEAN]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[SUB]], %[[SUB]])
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[2, 3]>
  // CHECK: %[[REDUCE_MEAN2:.*]] = onnx.ReduceMean(%[[MUL]], %[[SIZES2]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<9.99999974E-6>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[REDUCE_MEAN2]], %[[NUMBER]])
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[ADD]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SUB]], %[[SQRT]])
  // CHECK: %[[SIZES3:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE:.*]] = onnx.Unsqueeze(%[[SCALE]], %[[SIZES3]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[DIV]], %[[UNSQUEEZE]])
  // CHECK: %[[SIZES4:.*]] = onnx.Constant {{.*}}dense<[1, 2]>
  // CHECK: %[[UNSQUEEZE2:.*]] = onnx.Unsqueeze(%[[BIAS]], %[[SIZES4]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[MUL2]], %[[UNSQUEEZE2]])
  // CHECK: return %[[ADD2]]
  %0 = onnx.InstanceNormalization(%x, %scale, %bias) : (tensor<2x4x5x6xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5x6xf32>
  return %0 : tensor<2x4x5x6xf32>
}

// -----

// There is nothing to take a mean of.
// CHECK-LABEL: @decompose_instancenorm_refused(
func.func @decompose_instancenorm_refused(%x: tensor<2x4xf32>, %scale: tensor<4xf32>, %bias: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: onnx.InstanceNormalization(
  %0 = onnx.InstanceNormalization(%x, %scale, %bias) : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: @decompose_layernorm(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SCALE:[^:]*]]:{{.*}} %[[BIAS:[^:]*]]:
func.func @decompose_layernorm(%x: tensor<?x8xf32>, %scale: tensor<8xf32>, %bias: tensor<8xf32>) -> tensor<?x8xf32> {
  // CHECK: %[[REDUCE_MEAN:.*]] = onnx.ReduceMean(%[[X]], %{{.*}})
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[X]], %[[REDUCE_MEAN]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[SUB]], %[[SUB]])
  // CHECK: %[[REDUCE_MEAN2:.*]] = onnx.ReduceMean(%[[MUL]], %{{.*}})
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<9.99999974E-6>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[REDUCE_MEAN2]], %[[NUMBER]])
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[ADD]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SUB]], %[[SQRT]])
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[DIV]], %[[SCALE]])
  // CHECK: %[[ADD2:.*]] = onnx.Add(%[[MUL2]], %[[BIAS]])
  // CHECK: return %[[ADD2]]
  %0 = onnx.LayerNormalization(%x, %scale, %bias) : (tensor<?x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

// Statistics are computed, and given, in the type of the stash.
// CHECK-LABEL: @decompose_layernorm_with_statistics(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SCALE:[^:]*]]:
func.func @decompose_layernorm_with_statistics(%x: tensor<2x8xf16>, %scale: tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>) {
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[X]]) {to = 1 : i64}
  // CHECK: %[[REDUCE_MEAN:.*]] = onnx.ReduceMean(%[[CAST]], %{{.*}})
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[CAST]], %[[REDUCE_MEAN]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[SUB]], %[[SUB]])
  // CHECK: %[[REDUCE_MEAN2:.*]] = onnx.ReduceMean(%[[MUL]], %{{.*}})
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<9.99999974E-6>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[REDUCE_MEAN2]], %[[NUMBER]])
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[ADD]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SUB]], %[[SQRT]])
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[DIV]]) {to = 10 : i64}
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[CAST2]], %[[SCALE]])
  // CHECK: %[[ONE:.*]] = onnx.Constant {{.*}}dense<1.000000e+00>
  // CHECK: %[[DIV2:.*]] = onnx.Div(%[[ONE]], %[[SQRT]])
  // CHECK: return %[[MUL2]], %[[REDUCE_MEAN]], %[[DIV2]]
  %0:3 = onnx.LayerNormalization(%x, %scale) : (tensor<2x8xf16>, tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>
}

// -----

// How many axes there are from the first on is not known.
// CHECK-LABEL: @decompose_layernorm_refused(
func.func @decompose_layernorm_refused(%x: tensor<*xf32>, %scale: tensor<8xf32>) -> tensor<*xf32> {
  // CHECK: onnx.LayerNormalization(
  %0 = onnx.LayerNormalization(%x, %scale) {axis = 1 : i64} : (tensor<*xf32>, tensor<8xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: @decompose_lpnorm(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_lpnorm(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[X]], %[[X]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[MUL]], %{{.*}})
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[REDUCE_SUM]])
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[EQUAL:.*]] = onnx.Equal(%[[SQRT]], %[[ZERO]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[X]], %[[SQRT]])
  // CHECK: %[[ZERO2:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[EQUAL]], %[[ZERO2]], %[[DIV]])
  // CHECK: return %[[WHERE]]
  %0 = onnx.LpNormalization(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_lpnorm_of_magnitudes(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_lpnorm_of_magnitudes(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[ABS:.*]] = onnx.Abs(%[[X]])
  // CHECK: %[[REDUCE_SUM:.*]] = onnx.ReduceSum(%[[ABS]], %{{.*}})
  // CHECK: %[[ZERO:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[EQUAL:.*]] = onnx.Equal(%[[REDUCE_SUM]], %[[ZERO]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[X]], %[[REDUCE_SUM]])
  // CHECK: %[[ZERO2:.*]] = onnx.Constant {{.*}}dense<0.000000e+00>
  // CHECK: %[[WHERE:.*]] = onnx.Where(%[[EQUAL]], %[[ZERO2]], %[[DIV]])
  // CHECK: return %[[WHERE]]
  %0 = onnx.LpNormalization(%x) {p = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: @decompose_mean_variance(
// CHECK-SAME: %[[X:[^:]*]]:
func.func @decompose_mean_variance(%x: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
  // CHECK: %[[SIZES:.*]] = onnx.Constant {{.*}}dense<[0, 2, 3]>
  // CHECK: %[[REDUCE_MEAN:.*]] = onnx.ReduceMean(%[[X]], %[[SIZES]])
  // CHECK: %[[SUB:.*]] = onnx.Sub(%[[X]], %[[REDUCE_MEAN]])
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[SUB]], %[[SUB]])
  // CHECK: %[[SIZES2:.*]] = onnx.Constant {{.*}}dense<[0, 2, 3]>
  // CHECK: %[[REDUCE_MEAN2:.*]] = onnx.ReduceMean(%[[MUL]], %[[SIZES2]])
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[REDUCE_MEAN2]])
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<9.99999971E-10>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[SQRT]], %[[NUMBER]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[SUB]], %[[ADD]])
  // CHECK: return %[[DIV]]
  %0 = onnx.MeanVarianceNormalization(%x) : (tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %0 : tensor<2x4x5x6xf32>
}

// -----

// CHECK-LABEL: @decompose_rmsnorm(
// CHECK-SAME: %[[X:[^:]*]]:{{.*}} %[[SCALE:[^:]*]]:
func.func @decompose_rmsnorm(%x: tensor<2x8xf16>, %scale: tensor<8xf16>) -> tensor<2x8xf16> {
  // CHECK: %[[CAST:.*]] = onnx.Cast(%[[X]]) {to = 1 : i64}
  // CHECK: %[[MUL:.*]] = onnx.Mul(%[[CAST]], %[[CAST]])
  // CHECK: %[[REDUCE_MEAN:.*]] = onnx.ReduceMean(%[[MUL]], %{{.*}})
  // CHECK: %[[NUMBER:.*]] = onnx.Constant {{.*}}dense<9.99999974E-6>
  // CHECK: %[[ADD:.*]] = onnx.Add(%[[REDUCE_MEAN]], %[[NUMBER]])
  // CHECK: %[[SQRT:.*]] = onnx.Sqrt(%[[ADD]])
  // CHECK: %[[DIV:.*]] = onnx.Div(%[[CAST]], %[[SQRT]])
  // CHECK: %[[CAST2:.*]] = onnx.Cast(%[[DIV]]) {to = 10 : i64}
  // CHECK: %[[MUL2:.*]] = onnx.Mul(%[[CAST2]], %[[SCALE]])
  // CHECK: return %[[MUL2]]
  %0 = onnx.RMSNormalization(%x, %scale) : (tensor<2x8xf16>, tensor<8xf16>) -> tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// -----

// CHECK-LABEL: @decompose_rmsnorm_refused(
func.func @decompose_rmsnorm_refused(%x: tensor<*xf16>, %scale: tensor<8xf16>) -> tensor<*xf16> {
  // CHECK: onnx.RMSNormalization(
  %0 = onnx.RMSNormalization(%x, %scale) {axis = 1 : i64} : (tensor<*xf16>, tensor<8xf16>) -> tensor<*xf16>
  return %0 : tensor<*xf16>
}
