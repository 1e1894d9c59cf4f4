# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws random graphs of operators that resemble models, and tests them with `optimize`, `compile` and a run.

  builder     a graph that grows node by node; every value is known as a numpy array
  windows, normalize, elementwise, reduce, products, move, recurrent, quantize, control
              draw the operators of a family
  protos      copies and parts of models
  draw        chooses the operators of a graph
  variants    the options with which a graph is compiled
  judge       whether outputs are right, by the condition of the graph
  trial       runs a graph through all stages
  shrink      finds a smaller graph that fails in the same way
  foreign     graphs that NNSmith draws
  report      groups failures by kind, and prints each as a test to paste
"""
