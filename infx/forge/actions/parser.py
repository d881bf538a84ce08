"""Workflow files and expressions as GitHub itself reads them: one node process that answers questions."""

import contextlib
import json
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from infx.edge import files
from infx.errors import BadInput, CouldNotTell

SCRIPT = Path(__file__).with_name("parser.mjs")
Contexts = Mapping[str, Any]
"""`github`, `needs`, `inputs`, … by name. A name that is not in it is an error in an expression."""


class Parser:
    """Questions to GitHub's parser. The process starts with the first question; any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def parse(self, source: Path | str, *, name: str = "workflow.yml") -> dict[str, Any]:
        """The workflow as plain data; every job's `if` is there in full, with the implied `success() && (…)`.

        `source` is a path or the text itself. BadInput with GitHub's own complaints when the file is invalid.
        """
        document, errors = self.read(source, name=name)
        if errors:
            raise BadInput(" | ".join(errors), where=name, todo="correct the workflow file")
        return document

    def read(self, source: Path | str, *, name: str = "workflow.yml") -> tuple[dict[str, Any], list[str]]:
        """As `parse`, with the complaints beside what could be read (`{}` when nothing could)."""
        text = source if isinstance(source, str) else files.read_text(source)
        answer = self._ask({"ask": "parse", "name": name, "text": text})
        return answer["document"], answer["errors"]

    def evaluate(self, expression: str, contexts: Contexts, status: str = "success") -> Any:
        """Value of an expression without its braces.

        `status` names the one of `success`, `failure` and `cancelled` that is true; anything else: none is.
        """
        request = {"ask": "evaluate", "expression": expression, "contexts": contexts, "status": status}
        return self._ask(request)

    def fill(self, value: Any, contexts: Contexts, status: str = "success") -> Any:
        """`value` (text, list, mapping) with every `${{ … }}` inside replaced by what it means."""
        return self._ask({"ask": "fill", "value": value, "contexts": contexts, "status": status})

    def bind(self, value: Any, contexts: Contexts) -> Any:
        """`value` with every constant path into `contexts` as a literal; the rest stays an expression.

        Of `github` only single values are replaced: the runner adds to that context.
        """
        return self._ask({"ask": "bind", "value": value, "contexts": contexts})

    def true(self, expression: str, contexts: Contexts, status: str = "success") -> bool:
        """Truth of an expression by GitHub's rules: false, 0, "" and null are false."""
        value = self.evaluate(expression, contexts, status)
        return value not in (False, 0, "", None)

    def close(self) -> None:
        with self._lock:
            self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, request: Mapping[str, Any]) -> Any:
        line = json.dumps(request) + "\n"
        with self._lock:
            # A second try, for the process may have died since the last question.
            answer = self._exchange(line) or self._exchange(line)
        if not answer:
            raise CouldNotTell("GitHub's workflow parser gave no answer", todo="run `npm ci` and try again")
        reply = json.loads(answer)
        if "error" in reply:
            raise BadInput(reply["error"], where="workflow expression", todo="correct the workflow file")
        return reply["answer"]

    def _exchange(self, line: str) -> str:
        """One answer line; empty when the process ended over the question."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = ""
        if not answer:
            self._stop()
        return answer

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    ["node", str(SCRIPT)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    encoding="utf-8",
                    start_new_session=True,
                )
            except OSError as error:
                raise CouldNotTell("node is not installed", todo="install node 20 or later") from error
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                # What was still to be written is of no use to a dead process.
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()
