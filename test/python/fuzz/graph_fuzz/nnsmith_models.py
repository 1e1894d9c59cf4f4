# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models that NNSmith draws. Runs in NNSmith's own Python environment (utils/python-env nnsmith).

  nnsmith_models.py FOLDER FIRST COUNT      FOLDER/N.onnx for each number; one that NNSmith fails at is missing
"""
import pathlib
import random
import resource
import sys
import warnings

warnings.filterwarnings("ignore")

import numpy as np
import onnx
import torch
from nnsmith.abstract.extension import activate_ext
from nnsmith.error import InternalError
from nnsmith.graph_gen import model_gen
from nnsmith.materialize import Model
from nnsmith.narrow_spec import auto_opset

MOST_NODES, MOST_ELEMENTS, MILLISECONDS = 10, 1 << 15, 5000
MOST_BYTES = 6 << 30  # Some of its tensors need all available memory.


def main() -> None:
    folder, first, count = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    kind = Model.init("onnx")
    kind.add_seed_setter()
    operators = auto_opset(kind)
    activate_ext(opset=operators)
    for number in range(first, first + count):
        random.seed(number), np.random.seed(number % 2**32), torch.manual_seed(number)
        try:
            graph = model_gen(opset=operators, method="symbolic-cinit", seed=number, max_nodes=MOST_NODES,
                              max_elem_per_tensor=MOST_ELEMENTS, timeout_ms=MILLISECONDS)
            model = kind.from_gir(graph.make_concrete())
            model.refine_weights()
            onnx.save(model.native_model, str(folder / f"{number}.onnx"))
        except (Exception, InternalError) as error:  # Ignore NNSmith's own errors.
            why = str(error).splitlines()[:1]
            print(f"NNSmith failed at {number}: {type(error).__name__}: {''.join(why)}", flush=True)


if __name__ == "__main__":
    main()
