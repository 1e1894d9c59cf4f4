# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is raised, also by the extension."""


class Error(RuntimeError):
    """What the compiler and the runtime refuse or fail at; the text is theirs."""


class ArgumentError(Error, ValueError):
    """An argument that is not as it should be: a name, a type, a shape."""


# Where users find them, and what tracebacks say.
Error.__module__ = ArgumentError.__module__ = "invar"
