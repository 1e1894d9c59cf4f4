// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef INVAR_RUNTIME_CPUFEATURES_H
#define INVAR_RUNTIME_CPUFEATURES_H

#include "Status.h"

#include <string_view>

namespace invar::runtime {

/// Fails if this processor, or the operating system, lacks one of the features, which
/// are LLVM's names separated by commas. Fails also for a name that is unknown here:
/// code that needs a feature which cannot be checked must not run.
Status checkCpuFeatures(std::string_view features);

} // namespace invar::runtime

#endif // INVAR_RUNTIME_CPUFEATURES_H
