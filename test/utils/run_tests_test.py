# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that utils/run-tests counts the results of each kind of test correctly, reports every failure, and runs every
driver.

  python3 -m unittest discover -s test/utils -p "run_tests_test.py"
"""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

PATH = str(pathlib.Path(__file__).resolve().parents[2] / "utils/run-tests")
loader = importlib.machinery.SourceFileLoader("run_tests", PATH)
run_tests = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
loader.exec_module(run_tests)
Count, Suite = run_tests.Count, run_tests.Suite


class Counting(unittest.TestCase):
    def test_gtest_counts_cases(self):
        output = ("1: [ RUN      ] A.One\n1: [       OK ] A.One (0 ms)\n1: [  FAILED  ] A.Two (3 ms)\n"
                  "1: [  FAILED  ] 1 test, listed below:\n1: [  FAILED  ] A.Two\n"
                  "0% tests passed, 1 tests failed out of 1\n")
        self.assertEqual(run_tests.count_gtest(output), Count(1, 1))

    def test_gtest_counts_programs_that_died(self):
        output = "1: [       OK ] A.One (0 ms)\n33% tests passed, 2 tests failed out of 3\n"
        self.assertEqual(run_tests.count_gtest(output), Count(1, 2))

    def test_ctest_counts_programs(self):
        self.assertEqual(run_tests.count_ctest("75% tests passed, 1 tests failed out of 4\n"), Count(3, 1))

    def test_lit(self):
        output = ("Testing Time: 0.1s\n\nTotal Discovered Tests: 9\n  Unsupported: 1 (11%)\n"
                  "  Passed     : 5 (55%)\n  Failed     : 2\n  Unresolved : 1\n")
        self.assertEqual(run_tests.count_lit(output), Count(5, 3, 1))

    def test_unittest(self):
        self.assertEqual(run_tests.count_unittest("Ran 7 tests in 0.1s\n\nFAILED (failures=1, errors=2)\n"), Count(4, 3))
        self.assertEqual(run_tests.count_unittest("Ran 1 test in 0.1s\n\nOK\n"), Count(1, 0))

    def test_drivers(self):
        self.assertEqual(run_tests.count_driver("skipped 2: no root\n10 passed, 1 failed, 2 skipped\n"), Count(10, 1, 2))


class Running(unittest.TestCase):
    def run_script(self, script: str, count=run_tests.count_driver) -> Count:
        with tempfile.TemporaryDirectory(dir=run_tests.ROOT) as folder:
            run_tests.LOGS = pathlib.Path(folder)
            return run_tests.run_suite(Suite("a-suite", "made by a test", (), (("sh", "-c", script),), count), set())

    def test_a_good_suite(self):
        self.assertEqual(self.run_script("echo 3 passed, 0 failed"), Count(3, 0))

    def test_a_suite_that_dies_after_it_counted(self):
        self.assertEqual(self.run_script("echo 3 passed, 0 failed; exit 1"), Count(3, 1))

    def test_a_suite_that_runs_nothing(self):
        self.assertEqual(self.run_script("true"), Count(0, 1))

    def test_a_suite_of_one_check(self):
        self.assertEqual(self.run_script("true", None), Count(1, 0))
        self.assertEqual(self.run_script("false", None), Count(0, 1))

    def test_a_suite_whose_build_failed(self):
        suite = Suite("a-suite", "made by a test", ("dev",), (("true",),), None)
        self.assertEqual(run_tests.run_suite(suite, {"dev"}), Count(0, 1))


class Drivers(unittest.TestCase):
    def test_suites_run_all_drivers(self):
        folder = run_tests.ROOT / "test/python"
        scripts = {str(path.relative_to(run_tests.ROOT)) for path in folder.glob("*/*.py") if "__main__" in path.read_text()}
        named = {word for suite in run_tests.SUITES for command in suite.commands for part in command for word in part.split()
                 if word.startswith("test/python/")}
        self.assertEqual(named, scripts)


if __name__ == "__main__":
    unittest.main(buffer=True)
