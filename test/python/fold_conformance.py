#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds the onnx package's node tests: if the inputs are initializers, only constants must be left.

Each case goes through `invar optimize` with its default options. No node may be left that computes something, and
the constants must be the expected outputs, within the tolerances of the case. Cases whose result cannot be stored as
a tensor are listed below by name, with the reason; the list must match exactly.

  fold_conformance.py --invar build/dev/bin/invar [--only NAME]
"""
import argparse
import concurrent.futures
import os
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

import harness
from engines import as_array
from folded import constants_of

NOT_FOLDED = {
    "it would make the model 160 KB bigger, which --max-growth must allow": "tile",
    "an input is a sequence or an optional, which no initializer can be": """
        identity_opt identity_sequence loop13_seq loop16_seq_none optional_get_element_optional_sequence
        optional_get_element_optional_tensor optional_get_element_sequence optional_has_element_empty_optional_input
        optional_has_element_optional_input optional_has_element_tensor_input sequence_insert_at_back
        sequence_insert_at_front sequence_map_add_1_sequence_1_tensor sequence_map_add_1_sequence_1_tensor_expanded
        sequence_map_add_2_sequences sequence_map_add_2_sequences_expanded sequence_map_extract_shapes
        sequence_map_extract_shapes_expanded sequence_map_identity_1_sequence sequence_map_identity_1_sequence_1_tensor
        sequence_map_identity_1_sequence_1_tensor_expanded sequence_map_identity_1_sequence_expanded
        sequence_map_identity_2_sequences sequence_map_identity_2_sequences_expanded""",
    "the output is a sequence or an optional, which no initializer can be": """
        if_opt if_seq split_to_sequence_1 split_to_sequence_2 split_to_sequence_nokeepdims""",
    "the outputs are random": """
        bernoulli bernoulli_double bernoulli_double_expanded bernoulli_expanded bernoulli_seed bernoulli_seed_expanded
        training_dropout training_dropout_default training_dropout_default_mask training_dropout_mask""",
    "no decoder of images is linked": """
        image_decoder_decode_bmp_rgb image_decoder_decode_jpeg2k_rgb image_decoder_decode_jpeg_bgr
        image_decoder_decode_jpeg_grayscale image_decoder_decode_jpeg_rgb image_decoder_decode_png_rgb
        image_decoder_decode_pnm_rgb image_decoder_decode_tiff_rgb image_decoder_decode_webp_rgb""",
}
REASONS = {f"test_{name}": why for why, names in NOT_FOLDED.items() for name in names.split()}


def with_constants(case) -> onnx.ModelProto:
    """Returns the model of the case, with all inputs as initializers that can be one."""
    model = onnx.ModelProto()
    model.CopyFrom(case.model)
    inputs = list(model.graph.input)
    del model.graph.input[:]
    for info, value in zip(inputs, case.data_sets[0][0]):
        if not info.type.HasField("tensor_type"):
            model.graph.input.append(info)
            continue
        element = info.type.tensor_type.elem_type
        if isinstance(value, onnx.TensorProto):
            model.graph.initializer.add().CopyFrom(value)
        elif element == onnx.TensorProto.STRING:
            model.graph.initializer.append(numpy_helper.from_array(np.asarray(value, object)))
        else:
            value = np.asarray(value).astype(helper.tensor_dtype_to_np_dtype(element), copy=False)
            model.graph.initializer.append(numpy_helper.from_array(value))
        model.graph.initializer[-1].name = info.name
    return model


def difference(got: np.ndarray, want: np.ndarray, rtol: float, atol: float) -> str:
    """Returns an empty text if the values are as the test expects."""
    if got.shape != want.shape:
        return f"expected shape {list(want.shape)}, but got {list(got.shape)}"
    if got.dtype.kind in "OSU":
        texts = [[t.decode() if isinstance(t, bytes) else str(t) for t in a.flat] for a in (got, want)]
        same = np.array([g == w for g, w in zip(*texts)], bool)
    else:
        # numpy supports no tolerance for narrow types.
        wide = np.complex128 if got.dtype.kind == "c" else np.float64
        same = np.isclose(got.astype(wide), want.astype(wide), rtol, atol, equal_nan=True)
    if same.all():
        return ""
    at = int(np.argmin(same))
    return f"element {at}: expected {want.flat[at]}, but got {got.flat[at]}"


def judge(invar: str, case) -> tuple[str, str]:
    """Returns 'folded', 'left' or 'failed', and the reason."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = (os.path.join(folder, name) for name in ("in.onnx", "out.onnx"))
        onnx.save(with_constants(case), before)
        ended = harness.run(invar, "optimize", before, "-o", after, "--quiet")
        if ended.code:
            return "failed", ended.ending()
        constants, left = constants_of(onnx.load(after).graph)
    if left:
        return "left", f"expected constants only, but got {', '.join(sorted(set(left.values())))}"
    for info, want in zip(case.model.graph.output, case.data_sets[0][1]):
        if info.name not in constants:
            return "left", f"expected a constant '{info.name}', but there is none"
        got = numpy_helper.to_array(constants[info.name])
        if why := difference(got, as_array(want), case.rtol, case.atol):
            return "failed", f"'{info.name}': {why}"
    return "folded", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invar", required=True, type=harness.existing_program)
    parser.add_argument("--only", default="", help="only cases with this in their name")
    arguments = parser.parse_args()
    everything = collect_testcases(None)
    cases = [case for case in everything if arguments.only in case.name]
    report = harness.Report()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for case, (verdict, why) in zip(cases, pool.map(lambda c: judge(arguments.invar, c), cases)):
            reason = REASONS.get(case.name)
            if reason and verdict == "left":
                report.skip(case.name, reason)
            elif reason and verdict == "folded":
                report.check(case.name, [f"expected it to be left, because {reason}, but it was folded"])
            else:
                report.check(case.name, [why] if verdict != "folded" else [])
    report.check("the names that are listed", [f"expected a case '{name}', but there is none"
                                              for name in sorted(REASONS.keys() - {case.name for case in everything})])
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
