// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_CPUFEATURES_H
#define INVAR_RUNTIME_CPUFEATURES_H

#include "Status.h"

#include <string_view>

namespace invar::runtime {

/// Fails where this processor, or the system on it, lacks one of the features, which are
/// LLVM's names with commas between them; or where a name is not known here, since what
/// cannot be checked must not be run.
Status checkCpuFeatures(std::string_view features);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CPUFEATURES_H
