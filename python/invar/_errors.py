# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is raised, also by the extension."""


class Error(RuntimeError):
    """What the compiler and the runtime refuse or fail at; the text is theirs."""


class ArgumentError(Error, ValueError):
    """An argument that is not as it should be: a name, a type, a shape."""


class Cancelled(Error):
    """Somebody used the invar.Cancel that the call was handed."""


class DeadlineExceeded(Error, TimeoutError):
    """The call took longer than its timeout."""


# Where users find them, and what tracebacks say.
for _error in (Error, ArgumentError, Cancelled, DeadlineExceeded):
    _error.__module__ = "invar"
