"""The exceptions of this package, and how messages of the library come to speak Python."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any

# Options of the library that have another name as keywords.
_KEYWORDS = {
    "text_fields": "text",
    "id_field": "id",
    "against_text_fields": "against_text",
    "against_id_field": "against_id",
    "method": "kind",
    "pairs": "pairs",
}
_QUOTED = re.compile(r"`([a-z][a-z0-9_]*)(?:=([a-z0-9_-]+))?`")


class Error(Exception):
    """Something failed, and the message says what.

    Attributes
    ----------
    code : str
        ``usage``, ``input``, ``output``, ``limit``, ``corrupt``, ``locked``, ``interrupted`` or ``internal``: the same
        codes as in the C++ library.
    option : str or None
        The keyword argument that could be set differently.
    """

    code = "internal"
    option: str | None = None

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.option = option


class UsageError(Error, ValueError):
    """The request contradicts itself or names something that does not exist."""

    code = "usage"


class InputError(Error, OSError):
    """Something could not be read."""

    code = "input"

    def __str__(self) -> str:
        """Return the message alone."""
        return str(self.args[0])


class OutputError(Error, OSError):
    """Something could not be written."""

    code = "output"

    def __str__(self) -> str:
        """Return the message alone."""
        return str(self.args[0])


class LimitError(Error, MemoryError):
    """The work does not fit the stated memory or size limit."""

    code = "limit"


class CorruptError(Error):
    """An index or fingerprint file is damaged or foreign."""

    code = "corrupt"


class LockedError(Error):
    """An index is in use by another process."""

    code = "locked"


class InterruptedCallError(Error):
    """The call was stopped because the interpreter is shutting down. Ctrl-C raises KeyboardInterrupt instead."""

    code = "interrupted"


class InternalError(Error, RuntimeError):
    """A bug of the library."""

    code = "internal"


class NeardupWarning(UserWarning):
    """Something the user should know; the call went on."""


_CLASSES: dict[str, type[Error]] = {
    each.code: each
    for each in (
        UsageError,
        InputError,
        OutputError,
        LimitError,
        CorruptError,
        LockedError,
        InterruptedCallError,
        InternalError,
    )
}


def keyword_of(option: str) -> str:
    """Return the keyword argument for the id of an option of the library."""
    return _KEYWORDS.get(option, option)


def in_python(message: str) -> str:
    """Put keyword arguments where a message of the library names options between backticks.

    >>> in_python("use `finder=exact`, or a larger `memory`")
    "use finder='exact', or a larger memory"
    """

    def words(match: re.Match[str]) -> str:
        name, value = keyword_of(match[1]), match[2]
        if value is None:
            return name
        if value in ("true", "false"):
            return f"{name}={value.capitalize()}"
        return f"{name}={value}" if value.isdigit() else f"{name}={value!r}"

    return _QUOTED.sub(words, message)


def error_of(code: str, message: str, option: str) -> Error:
    """Return the exception for an error of the library."""
    name = keyword_of(option) if option else None
    text = in_python(message)
    if name is not None and not re.search(rf"\b{re.escape(name)}\b", text):
        text = f"{text} ({name}=)"
    return _CLASSES[code](text, name)


def warn_of(report: str | dict[str, Any], stacklevel: int = 3) -> None:
    """Show the warnings of a report, for the caller of the public function."""
    facts = json.loads(report) if isinstance(report, str) else report
    for message in facts.get("warnings", ()):
        warnings.warn(in_python(message), NeardupWarning, stacklevel=stacklevel)
