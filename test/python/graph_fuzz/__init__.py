# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs of operators, composed as models compose them, through `optimize`, `compile` and a run.

  builder     a graph that grows node by node; every value is known as numpy has it
  windows, normalize, elementwise, reduce, products, move, recurrent, quantize, control
              how operators of a family are drawn
  protos      copies and parts of models
  draw        which of them a graph has
  variants    the options under which a graph is compiled
  toolchain   the compiler and the runtime, called in this process
  judge       whether outputs are right, from the condition of the graph
  trial       a graph through all stages
  isolate     trials in processes that may die or hang
  shrink      the smallest graph that fails in the same way
  foreign     graphs that NNSmith draws
  report      failures by kind, and each as a test to paste
"""
