# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions of the package and of the extension."""


class Error(RuntimeError):
    """A failure of the compiler or the runtime, with its message."""


class ArgumentError(Error, ValueError):
    """An invalid argument: a name, a type, a shape."""


class Cancelled(Error):
    """The invar.Cancel of the call was triggered."""


class DeadlineExceeded(Error, TimeoutError):
    """The call took longer than its timeout."""


# The public module, as tracebacks print it.
for _error in (Error, ArgumentError, Cancelled, DeadlineExceeded):
    _error.__module__ = "invar"
