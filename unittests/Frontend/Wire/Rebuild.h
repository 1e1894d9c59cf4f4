// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests and fuzzers of the wire format share: a small model in which every
// message and kind of attribute occurs, and a writer that makes a model anew
// from its views alone, field by field.
#ifndef INVAR_UNITTESTS_FRONTEND_WIRE_REBUILD_H
#define INVAR_UNITTESTS_FRONTEND_WIRE_REBUILD_H

#include "invar/Frontend/Wire/WireModel.h"
#include "invar/Frontend/Wire/WireWriter.h"
#include <string>

namespace invar {

std::string makeSampleModel();

/// The bytes that `message` writes.
std::string serialize(WireMessage &&message);

/// An equal model, its fields in the order of Views.h.
std::string rebuild(const ModelView &model);

/// Decodes each tensor of the model, in subgraphs and functions too; the number
/// of those that could be.
unsigned readAllTensors(const WireModel &model);

} // namespace invar

#endif // INVAR_UNITTESTS_FRONTEND_WIRE_REBUILD_H
