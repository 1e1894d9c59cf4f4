# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests utils/check-layers: each test makes a small source tree that breaks one layering rule and expects the script to
reject it.

  python3 -m unittest discover -s test/utils -p "check_layers_test.py"
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "utils/check-layers"

GOOD = {
    "LAYERS": "# layer target folder uses\n"
              "0 InvarSupport Support llvm\n"
              "0 InvarKernels Kernels -\n"
              "1 InvarElements Elements InvarSupport llvm\n"
              "1 InvarElementsDialect Elements/IR InvarElements InvarSupport mlir-ir\n"
              "3 InvarSimplify Simplify InvarElementsDialect mlir\n"
              "1 InvarRuntime ../runtime InvarKernels\n",
    "include/invar/Support/Error.h": '#include "llvm/ADT/Twine.h"\n#include <string>\n',
    "include/invar/Elements/Elements.h": '#include "invar/Support/Error.h"\n',
    "include/invar/Elements/IR/Attribute.h": '#include "invar/Elements/Elements.h"\n#include "mlir/IR/Attributes.h"\n',
    "lib/Elements/IR/Attribute.cpp": '#include "Dialect.cpp.inc"\n#include "mlir/Dialect/Func/IR/FuncOps.h"\n',
    "lib/Simplify/Driver.cpp": '#include "Rules.h"\n#include "mlir/Dialect/Arith/IR/Arith.h"\n',
    "lib/Simplify/Rules.h": "",
    "runtime/Session.cpp": '#include "Session.h"\n#include "invar-c/Session.h"\n#include "invar/Kernels/Pool.h"\n',
    "runtime/Session.h": "",
    "runtime/Calls/Pool.cpp": '#include "../Session.h"\n',
    "runtime/CMakeLists.txt": "invar_add_library(InvarRuntime SOURCES Session.cpp LINK InvarKernels)\n",
    "include/invar/Kernels/Pool.h": "",
    "lib/Support/CMakeLists.txt": "invar_add_library(InvarSupport\n  SOURCES Error.cpp\n  LINK LLVM Threads::Threads)\n",
    "lib/Elements/IR/CMakeLists.txt":
        "invar_add_library(InvarElementsDialect MLIR\n  SOURCES Attribute.cpp # LINK InvarNothing\n"
        "  LINK InvarElements MLIRIR MLIRFuncDialect\n  DEPENDS InvarElementsIncGen)\n",
}


class CheckLayers(unittest.TestCase):
    def run_on(self, **changes: str) -> tuple[int, str]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **changes}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def refuses(self, path: str, line: int, text: str, why: str) -> None:
        code, output = self.run_on(**{path: text})
        self.assertEqual(code, 1, output)
        self.assertIn(f"{path}:{line}: ", output)
        self.assertIn(why, output)
        self.assertIn(": 1 violations\n", output)

    def test_accepts_the_good_tree(self):
        code, output = self.run_on()
        self.assertEqual(code, 0, output)
        self.assertIn("the layers hold", output)

    def test_include_of_a_target_that_is_not_listed(self):
        self.refuses("lib/Elements/E.cpp", 2, '\n#include "invar/Elements/IR/Attribute.h"\n',
                     "'InvarElements' may not use 'InvarElementsDialect'")

    def test_files_that_a_row_claims_are_its_own(self):
        layers = GOOD["LAYERS"].replace("3 InvarSimplify Simplify ", "3 InvarSimplify Simplify+*ToLoops.cpp ")
        text = '#include "mlir/Dialect/Arith/IR/Arith.h"\n'
        code, output = self.run_on(**{"LAYERS": layers, "lib/Elements/IR/AttributeToLoops.cpp": text})
        self.assertEqual(code, 0, output)
        self.refuses("lib/Elements/IR/AttributeToLoops.cpp", 1, text, "'InvarElementsDialect' may not use mlir")

    def test_the_runtime_uses_no_llvm(self):
        self.refuses("runtime/Calls/Pool.cpp", 1, '#include "llvm/ADT/Twine.h"\n', "'InvarRuntime' may not use LLVM")
        self.refuses("runtime/Pool.cpp", 1, '#include "invar/Support/Error.h"\n',
                     "'InvarRuntime' may not use 'InvarSupport'")
        self.refuses("lib/Elements/E.cpp", 1, '#include "../../runtime/Session.h"\n',
                     "'InvarElements' may not use 'InvarRuntime'")
        self.refuses("runtime/CMakeLists.txt", 1, "invar_add_library(InvarRuntime SOURCES S.cpp LINK InvarSupport)\n",
                     "'InvarRuntime' may not link 'InvarSupport'")

    def test_listed_uses_are_not_transitive(self):
        self.refuses("lib/Simplify/S.cpp", 1, '#include "invar/Elements/Elements.h"\n',
                     "'InvarSimplify' may not use 'InvarElements'")

    def test_include_through_a_relative_path(self):
        self.refuses("lib/Kernels/K.cpp", 1, '#include "../Simplify/Rules.h"\n',
                     "'InvarKernels' may not use 'InvarSimplify'")

    def test_llvm_where_nothing_is_allowed(self):
        self.refuses("lib/Kernels/K.cpp", 1, "#include <llvm/ADT/APInt.h>\n", "may not use LLVM")

    def test_llvm_beyond_adt_and_support(self):
        self.refuses("lib/Support/S.cpp", 1, '#include "llvm/IR/Module.h"\n', "only ADT, Config, Support")

    def test_mlir_where_only_llvm_is_allowed(self):
        self.refuses("lib/Elements/E.cpp", 1, '#include "mlir/IR/Types.h"\n', "may not use mlir-ir")

    def test_a_dialect_where_only_the_ir_is_allowed(self):
        self.refuses("lib/Elements/IR/E.cpp", 1, '#include "mlir/Dialect/Arith/IR/Arith.h"\n', "may not use mlir:")

    def test_tablegen_includes_count(self):
        self.refuses("include/invar/Elements/E.td", 1, 'include "mlir/IR/OpBase.td"\n', "may not use mlir-ir")

    def test_an_include_that_is_nowhere(self):
        self.refuses("lib/Support/S.cpp", 1, '#include "Lost.h"\n', "expected an include below")

    def test_a_folder_without_an_owner(self):
        self.refuses("lib/Stray/S.cpp", 1, "", "expected a row in LAYERS that owns this folder")

    def test_a_library_without_a_row(self):
        self.refuses("lib/Stray/CMakeLists.txt", 1, "invar_add_library(InvarStray SOURCES S.cpp)\n",
                     "expected a row for 'InvarStray'")

    def test_a_library_in_another_folder(self):
        self.refuses("lib/Simplify/CMakeLists.txt", 1, "invar_add_library(InvarKernels SOURCES K.cpp)\n",
                     "to be made in lib/Kernels")

    def test_a_link_that_is_not_listed(self):
        self.refuses("lib/Elements/CMakeLists.txt", 3,
                     "invar_add_library(InvarElements\n  SOURCES E.cpp\n  LINK InvarSimplify InvarSupport)\n",
                     "may not link 'InvarSimplify'")

    def test_a_link_of_mlir_where_only_llvm_is_allowed(self):
        self.refuses("lib/Elements/CMakeLists.txt", 1,
                     "invar_add_library(InvarElements SOURCES E.cpp LINK MLIRIR)\n", "may not link 'MLIRIR'")

    def test_a_link_of_a_dialect_where_only_the_ir_is_allowed(self):
        self.refuses("lib/Elements/IR/CMakeLists.txt", 1,
                     "invar_add_library(InvarElementsDialect MLIR SOURCES A.cpp LINK MLIRArithDialect)\n",
                     "may not link 'MLIRArithDialect'")

    def test_a_link_of_llvm_where_nothing_is_allowed(self):
        self.refuses("lib/Kernels/CMakeLists.txt", 1,
                     "invar_add_library(InvarKernels SOURCES K.cpp LINK LLVMSupport)\n", "may not link 'LLVMSupport'")

    def test_a_row_that_points_up(self):
        self.refuses("LAYERS", 2, GOOD["LAYERS"].replace("Support llvm\n0", "Support llvm InvarTop\n0")
                     + "9 InvarTop Top -\n", "points up to 'InvarTop'")

    def test_a_use_without_a_row(self):
        self.refuses("LAYERS", 3, GOOD["LAYERS"].replace("Kernels -", "Kernels InvarGone"), "'InvarGone', which has no row")

    def test_two_rows_for_one_folder(self):
        self.refuses("LAYERS", 8, GOOD["LAYERS"] + "4 InvarAgain Simplify -\n", "but got two")

    def test_a_cycle_within_a_layer(self):
        code, output = self.run_on(LAYERS=GOOD["LAYERS"] + "5 InvarA A InvarB\n5 InvarB B InvarA\n")
        self.assertEqual(code, 1)
        self.assertIn("LAYERS:8: 'InvarA' is in, or above, a cycle", output)


if __name__ == "__main__":
    unittest.main()
