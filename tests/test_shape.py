"""How large things may be: a module, a function, its parameters."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
MODULES = sorted(path for name in ("infx", "benchmarks/self") for path in (ROOT / name).rglob("*.py"))
LINES, FUNCTION, PARAMETERS = 300, 50, 6


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    given = function.args
    named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return [name for name in named if name not in ("self", "cls")]


def too_large(path: Path) -> Iterator[str]:
    lines = len(path.read_text().splitlines())
    if lines > LINES:
        yield f"{lines} lines"
    for function in functions(path):
        length = (function.end_lineno or 0) - function.lineno + 1
        if length > FUNCTION:
            yield f"{function.name} has {length} lines"
        if len(parameters(function)) > PARAMETERS:
            yield f"{function.name} takes {len(parameters(function))} parameters"


def test_modules_stay_small() -> None:
    found = {str(path.relative_to(ROOT)): list(too_large(path)) for path in MODULES}
    assert {name: what for name, what in found.items() if what} == {}


def test_what_is_too_large_is_found(tmp_path: Path) -> None:
    path = tmp_path / "large.py"
    path.write_text("def f(a, b, c, d, e, f, g):\n" + "    a\n" * 300)
    assert list(too_large(path)) == ["301 lines", "f has 301 lines", "f takes 7 parameters"]


def test_half_of_all_functions_are_short() -> None:
    lengths = sorted((one.end_lineno or 0) - one.lineno + 1 for path in MODULES for one in functions(path))
    assert lengths[len(lengths) // 2] <= 12
