// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by tests and fuzzers of the wire format: a small model in which every message
// and kind of attribute occurs, and a writer that rebuilds a model from its views, field
// by field.
#ifndef INVAR_UNITTESTS_FRONTEND_WIRE_REBUILD_H
#define INVAR_UNITTESTS_FRONTEND_WIRE_REBUILD_H

#include "invar/Frontend/Wire/WireModel.h"
#include "invar/Frontend/Wire/WireWriter.h"
#include <string>

namespace invar {

std::string makeSampleModel();

/// The bytes that `message` writes.
std::string serialize(WireMessage &&message);

/// Returns an equal model with its fields in the order of Views.h.
std::string rebuild(const ModelView &model);

/// Decodes each tensor of the model, including those of subgraphs and functions. Returns
/// the number of tensors that could be decoded.
unsigned readAllTensors(const WireModel &model);

} // namespace invar

#endif // INVAR_UNITTESTS_FRONTEND_WIRE_REBUILD_H
