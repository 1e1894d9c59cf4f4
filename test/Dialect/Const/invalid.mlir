// RUN: invar-opt --split-input-file --verify-diagnostics %s

const.store {
  // expected-error@+1 {{expected a name, content, or both}}
  const.entry : tensor<2xf32>
}

// -----

const.store {
  // expected-error@+1 {{expected content of type 'tensor<3xf32>', but got 'tensor<2xf32>'}}
  const.entry(dense<0.0> : tensor<2xf32>) : tensor<3xf32>
}

// -----

const.store {
  // expected-error@+1 {{expected entries in a store}}
  %0 = const.ref dense<0.0> : tensor<2xf32>
}

// -----

const.store {
}
// expected-error@+1 {{expected to be the only store of its module}}
const.store {
}

// -----

func.func @both() -> tensor<2xf32> {
  // expected-error@+1 {{expected content or the number of an entry, and not both}}
  %0 = "const.ref"() <{value = dense<0.0> : tensor<2xf32>, index = 0 : i64}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @neither() -> tensor<2xf32> {
  // expected-error@+1 {{expected content or the number of an entry, and not both}}
  %0 = "const.ref"() : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @other_type() -> tensor<3xf32> {
  // expected-error@+1 {{expected content of type 'tensor<3xf32>', but got 'tensor<2xf32>'}}
  %0 = "const.ref"() <{value = dense<0.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @part_of_content() -> tensor<2xf32> {
  // expected-error@+1 {{expected a part of an entry, but got one of content}}
  %0 = "const.ref"() <{value = dense<0.0> : tensor<2xf32>, offsets = array<i64: 0>}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @no_store() -> tensor<2xf32> {
  // expected-error@+1 {{expected the number of an entry of the module's store, but got 0}}
  %0 = const.ref 0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

const.store {
  const.entry "w" : tensor<4x8xf32>
}
func.func @no_entry() -> tensor<4x8xf32> {
  // expected-error@+1 {{expected the number of an entry of the module's store, but got 1}}
  %0 = const.ref 1 : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

const.store {
  const.entry "w" : tensor<4x8xf32>
}
func.func @type_of_entry() -> tensor<8x4xf32> {
  // expected-error@+1 {{expected the entry's type 'tensor<4x8xf32>', but got 'tensor<8x4xf32>'}}
  %0 = const.ref 0 : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

const.store {
  const.entry "w" : tensor<4x8xf32>
}
func.func @beyond() -> tensor<2x8xf32> {
  // expected-error@+1 {{expected a part of 'tensor<4x8xf32>', but got 'tensor<2x8xf32>' from [3, 0]}}
  %0 = const.ref 0 [3, 0] : tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @open_bytes(%bytes: tensor<?xi8>) -> tensor<8xf32> {
  // expected-error@+1 {{expected a known number of bytes, but got 'tensor<?xi8>'}}
  %0 = const.decode %bytes : tensor<?xi8> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @decoded_complex(%bytes: tensor<64xi8>) -> tensor<8xcomplex<f32>> {
  // expected-error@+1 {{expected to decode integers or floats, but got 'complex<f32>'}}
  %0 = const.decode %bytes : tensor<64xi8> -> tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}

// -----

func.func @open_result(%bytes: tensor<64xi8>) -> tensor<?xf32> {
  // expected-error@+1 {{result #0 must be statically shaped tensor of any type values}}
  %0 = const.decode %bytes : tensor<64xi8> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
