# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

import lit.formats

config.name = "Invar"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.invar_obj_root, "test")
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%invar_src_root", config.invar_src_root))
config.substitutions.append(("%invar_obj_root", config.invar_obj_root))
config.environment["PATH"] = os.path.pathsep.join(
    [
        os.path.join(config.invar_obj_root, "bin"),
        config.llvm_tools_dir,
        config.environment["PATH"],
    ]
)
