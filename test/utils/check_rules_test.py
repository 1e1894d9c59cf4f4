# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests utils/check-rules: each test makes a small tree with one rule, breaks one thing in it and expects the script to
reject it.

  python3 -m unittest discover -s test/utils -p "check_rules_test.py"
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "utils/check-rules"

PATTERN = "Neg(Neg(x)) -> x [x is real; two operators less]"
RULE = {"name": "drop-double", "group": "exact", "on": True, "pattern": PATTERN}
TEST = """// RUN: invar-opt --invar-canonicalize %s | FileCheck %s
// RUN: invar-opt --invar-constprop="wide=true" %s | FileCheck %s --check-prefix=WIDE

// CHECK-LABEL: @drop_double(
func.func @drop_double(%x) {
  neg neg
}

// CHECK-LABEL: @drop_double_refused(
func.func @drop_double_refused(%x) {
  neg
}
"""
INVAR = "import sys\nassert sys.argv[1:] == ['optimize', '--list-rules=json']\nprint({rules!r})\n"
# A fake compiler whose only rule is the one above.
INVAR_OPT = """import sys
text = open(sys.argv[2]).read()
print(text if "disable=drop-double" in sys.argv[1] else text.replace("neg neg", ""))
"""


class CheckRules(unittest.TestCase):
    def check(self, rules=(RULE,), test=TEST, table=None, invar_opt=INVAR_OPT):
        """Returns the exit code and the output."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            files = {"test/Simplify/sign.mlir": test, "docs/Rules.md": "",
                     "invar": f"#!{sys.executable}\n" + INVAR.format(rules=json.dumps(rules)),
                     "invar-opt": f"#!{sys.executable}\n" + invar_opt}
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            programs = []
            for name in ("invar", "invar-opt"):
                (root / name).chmod(0o755)
                programs += [f"--{name}", root / name]
            command = [sys.executable, CHECK, root, *programs]
            subprocess.run([*command, "--write"], check=True)
            if table:
                (root / "docs/Rules.md").write_text(table((root / "docs/Rules.md").read_text()))
            run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
            return run.returncode, run.stdout

    def assertRefused(self, expected, **changes):
        code, output = self.check(**changes)
        self.assertEqual(code, 1, output)
        self.assertIn(expected, output)

    def test_the_rule_as_it_is(self):
        self.assertEqual(self.check(), (0, "1 passed, 0 failed\n"))

    def test_a_pattern_without_brackets(self):
        self.assertRefused("expected 'before -> after [condition; measure]'", rules=[{**RULE, "pattern": "Neg(Neg(x)) -> x"}])

    def test_a_condition_without_a_measure(self):
        self.assertRefused("expected a measure that becomes less, but got 'x is real'",
                           rules=[{**RULE, "pattern": "Neg(Neg(x)) -> x [x is real]"}])

    def test_a_name_in_other_letters(self):
        self.assertRefused("expected a name in kebab-case", rules=[{**RULE, "name": "dropDouble"}])

    def test_a_name_twice(self):
        self.assertRefused("expected a name of its own", rules=[RULE, RULE])

    def test_no_match(self):
        self.assertRefused("expected a function @drop_double in", test=TEST.replace("@drop_double(", "@drop("))

    def test_no_refusal(self):
        self.assertRefused("expected a function @drop_double_refused in", test=TEST.replace("_refused", "_left"))

    def test_a_function_that_nothing_checks(self):
        self.assertRefused("expected '-LABEL: @drop_double_refused'", test=TEST.replace("LABEL: @drop_double_refused", ""))

    def test_a_match_that_the_rule_has_no_part_in(self):
        self.assertRefused("expected the rule to change @drop_double in", test=TEST.replace("neg neg", "abs"))

    def test_a_refusal_that_is_none(self):
        self.assertRefused("expected the rule to leave @drop_double_refused", test=TEST.replace("  neg\n", "  neg neg\n"))

    def test_a_refusal_in_one_of_two_ways(self):
        invar_opt = INVAR_OPT.replace("if ", 'if "wide" in sys.argv[1] or ')
        self.assertEqual(self.check(invar_opt=invar_opt, test=TEST.replace("  neg\n", "  neg neg\n"))[0], 0)

    def test_a_name_that_begins_with_another(self):
        longer = {**RULE, "name": "drop-double-of-bits"}
        self.assertRefused("drop-double: expected a function @drop_double in", rules=[RULE, longer],
                           test=TEST.replace("@drop_double", "@drop_double_of_bits"))

    def test_an_old_table(self):
        self.assertRefused("docs/Rules.md: expected what", table=lambda text: text.replace("two operators", "an operator"))

    def test_the_table(self):
        seen = []
        self.check(table=lambda text: seen.append(text) or text)
        self.assertIn("## Exact\n", seen[0])
        self.assertIn("| `drop-double` | `Neg(Neg(x)) -> x` | x is real | two operators less | on |\n", seen[0])


if __name__ == "__main__":
    unittest.main()
