"""Pattern: regular expressions that a repository gives, matched in time linear in the text.

They meet logs that pull requests write, so no expression may read the same text again and again. The engine
is the one that pydantic brings (Rust's `regex`): no look-around, no back references, and a bound on what one
expression becomes.
"""

from functools import cache
from typing import Any

FLAGS = "(?im)"
"""Letter case is ignored; `^` and `$` stand for each line."""


def fault(pattern: str) -> str:
    """Why `pattern` is no such expression; `""` when it is one."""
    from pydantic_core import SchemaError  # late: most commands match nothing

    try:
        _engine(pattern)
    except SchemaError as error:
        told = [line.strip() for line in str(error).splitlines() if line.strip()]
        return told[-1].removeprefix("SchemaError: ").removeprefix("error: ")
    return ""


def found(pattern: str, text: str) -> bool:
    """Whether the expression matches anywhere in `text`; one that has a `fault` matches nothing."""
    if fault(pattern):
        return False
    whole = text.encode("utf-8", "replace").decode()
    return bool(_engine(pattern).isinstance_python(whole))


@cache
def _engine(pattern: str) -> Any:
    from pydantic_core import SchemaValidator, core_schema

    return SchemaValidator(core_schema.str_schema(pattern=FLAGS + pattern, regex_engine="rust-regex"))
