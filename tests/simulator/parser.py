"""One long-living node process that reads workflow files and expressions as GitHub does."""

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("parse.mjs")
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)


class Parser:
    """Questions to GitHub's parser, inside `with Parser.running()`."""

    def __init__(self) -> None:
        self._node = subprocess.Popen(
            ["node", str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def read(self, text: str, *, name: str = "workflow.yml") -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The workflow as plain data (`{}` when invalid), and complaints as `{"line", "message"}`."""
        answer = self._ask(ask="read", name=name, text=text)
        return answer["document"], answer["errors"]

    def evaluate(self, expression: str, contexts: Mapping[str, Any], status: str = "success") -> Any:
        """Value of an expression without its braces; `status` names the status function that is true."""
        return self._ask(ask="evaluate", expression=expression, contexts=contexts, status=status)

    def true(self, expression: str, contexts: Mapping[str, Any], status: str = "success") -> bool:
        return self.evaluate(expression, contexts, status) not in (False, 0, "", None)

    def fill(self, text: str, contexts: Mapping[str, Any]) -> Any:
        """`text` with its expressions replaced; a text that is one expression keeps the value's type."""
        whole = EXPRESSION.fullmatch(text)
        if whole:
            return self.evaluate(whole[1], contexts)
        return EXPRESSION.sub(lambda found: str(self.evaluate(found[1], contexts) or ""), text)

    def close(self) -> None:
        self._node.kill()
        self._node.communicate()

    @classmethod
    @contextmanager
    def running(cls) -> Iterator["Parser"]:
        parser = cls()
        try:
            yield parser
        finally:
            parser.close()

    def _ask(self, **question: Any) -> Any:
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.write(json.dumps(question) + "\n")
        self._node.stdin.flush()
        reply = json.loads(self._node.stdout.readline() or '{"error": "node ended; see its message above"}')
        if "error" in reply:
            raise ValueError(reply["error"])
        return reply["answer"]


@cache
def workflows() -> Mapping[str, Path]:
    """Paths of the real workflow files by their plain name."""
    folder = Path(__file__).parents[2] / ".github" / "workflows"
    return {path.stem: path for path in sorted(folder.glob("*.yml"))}


@cache
def documents() -> Mapping[str, dict[str, Any]]:
    """The real workflow files as GitHub reads them, anchors and implied conditions filled in."""
    with Parser.running() as parser:
        read = {name: parser.read(path.read_text(), name=path.name) for name, path in workflows().items()}
    assert not any(errors for _, errors in read.values()), [errors for _, errors in read.values()]
    return {name: document for name, (document, _) in read.items()}
