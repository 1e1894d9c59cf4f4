# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests utils/check-labels: each test breaks one rule in a copy of one operator family and expects the script to reject
it.

  python3 -m unittest discover -s test/utils -p "check_labels_test.py"
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = "lib/Dialect/ONNX/Ops/Logic/Logic.td"
VERIFIER = "lib/Dialect/ONNX/Ops/Logic/Logic.cpp"
SHARED = "lib/Dialect/ONNX/Verify.cpp"
NEGATIVE = "test/Dialect/ONNX/Ops/Logic/invalid.mlir"
EXAMPLES = "test/Dialect/ONNX/Ops/Logic/ops.mlir"


class CheckLabels(unittest.TestCase):
    def check(self, path=None, old="", new=""):
        """Returns the exit code and the output for the family Logic with one text replaced."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copytree(ROOT / "include", root / "include")
            for name in (RECORD, VERIFIER, SHARED, NEGATIVE, EXAMPLES):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, root / name)
            if path:
                text = (root / path).read_text()
                self.assertIn(old, text)
                (root / path).write_text(text.replace(old, new))
            run = subprocess.run([sys.executable, ROOT / "utils/check-labels", root],
                                 stdout=subprocess.PIPE, text=True)
            return run.returncode, run.stdout

    def assertRefused(self, expected, *change):
        code, output = self.check(*change)
        self.assertEqual(code, 1)
        self.assertIn(expected, output)

    def test_the_family_as_it_is(self):
        code, output = self.check()
        self.assertEqual(code, 0)
        self.assertRegex(output, r"^[1-9]\d* passed, 0 failed$")

    def test_a_constraint_that_is_not_verified(self):
        self.assertRefused("BitShift: expected a check for (C2)", VERIFIER, '"(C2)"', '"(C1)"')

    def test_a_shared_constraint_that_is_not_verified(self):
        self.assertRefused("Xor: expected a check for (C1)", SHARED,
                           'broadcast("(C1)", op', 'broadcast("(C7)", op')

    def test_a_constraint_that_is_not_stated(self):
        self.assertRefused("BitShift: expected no check for (C2)", RECORD, "- (C2) ", "- ")

    def test_a_gap_in_the_labels(self):
        self.assertRefused("BitShift: expected labels without a gap", RECORD, "(C2)", "(C3)")

    def test_a_constraint_without_a_negative_test(self):
        self.assertRefused("BitShift: expected a negative test for (C2)", NEGATIVE,
                           "@bitshift_c2", "@bitshift_no")

    def test_a_negative_test_of_another_label(self):
        self.assertRefused("BitShift: expected a negative test for (C2)", NEGATIVE, "(C2)", "(C1)")

    def test_an_operator_without_an_example(self):
        self.assertRefused("Not: expected an example", EXAMPLES, "onnx.Not(", "onnx.Or(")


if __name__ == "__main__":
    unittest.main()
