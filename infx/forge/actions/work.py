"""The work of one runner: act runs one job, its lines become steps and a log, its files become outputs."""

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from infx.edge import files
from infx.errors import InfxError
from infx.forge.actions import graph, jobfile, prepare
from infx.forge.actions.act import Act
from infx.forge.actions.parser import Parser
from infx.forge.actions.prepare import Order, Place
from infx.forge.actions.stream import Stream
from infx.forge.ports import Store

FLUSH_S = 0.3
MASK = "***"
LOST = "The self-hosted runner lost communication with the server."


@dataclass(frozen=True, kw_only=True)
class Outcome:
    conclusion: str
    outputs: Mapping[str, str] = field(default_factory=dict)


class Work:
    """One job on one runner. `run` is called once, in a thread; `cancel` and `kill` come from others."""

    def __init__(self, order: Order, store: Store, parser: Parser, *, place: Place) -> None:
        self._order, self._store, self._parser, self._place = order, store, parser, place
        self._act = Act()
        self._stream = Stream(jobfile.own_steps(order.document, order.job_id))
        self._log: list[str] = []
        self._flushed = 0.0
        self._masks: list[str] = []
        self._lost = False
        self._why = ""

    def cancel(self, why: str = "The operation was canceled.") -> None:
        self._why = self._why or why
        self._stream.cancelled = True
        self._act.interrupt()

    def kill(self) -> None:
        self._lost = True
        self._act.kill()

    def run(self) -> Outcome:
        """Never raises for what the job did. Files and processes of the job are gone afterwards."""
        order = self._order
        token = self._store.mint_token(
            order.run.repository, run=order.run.id, job=order.job.id, permissions=order.permissions
        )
        self._masks = [token, *order.secrets.values()]
        self._stream.begin(self._now())
        try:
            call = prepare.call(order, self._place, self._parser, token=token)
            self._act.run(call, self._line, self._flush)
            outcome = self._outcome()
        except InfxError as problem:
            self._say(f"##[error]{problem.sentence}")
            outcome = Outcome(conclusion=graph.FAILURE)
        finally:
            self._store.end_token(token)
            self._finish()
            shutil.rmtree(order.folder, ignore_errors=True)
        return outcome

    def _outcome(self) -> Outcome:
        if self._lost:
            self._say(f"##[error]{LOST}")
            return Outcome(conclusion=graph.FAILURE)
        if self._act.stopped:
            self._say(f"##[error]{self._why}")
            return Outcome(conclusion=graph.CANCELLED, outputs=self._outputs())
        success = self._stream.result == graph.SUCCESS
        return Outcome(conclusion=graph.SUCCESS if success else graph.FAILURE, outputs=self._outputs())

    def _outputs(self) -> dict[str, str]:
        """What the last step left. As on GitHub, a value that holds a secret is not handed on."""
        found = {}
        for path in sorted((self._order.folder / prepare.OUTPUTS).iterdir()):
            value = files.read_text(path).removesuffix("\n")
            if any(secret and secret in value for secret in self._masks):
                self._say(f"##[warning]Skip output '{path.name}' since it may contain secret.")
            else:
                found[path.name] = value
        return found

    def _line(self, line: str) -> None:
        text, changed = self._stream.feed(line, self._now())
        if text:
            self._log.append(text)
        if changed:
            self._store.change_job(self._order.job.id, steps=[dict(step) for step in self._stream.steps])
        self._flush()

    def _say(self, text: str) -> None:
        self._log.append(f"{self._now()} {text}\n")

    def _flush(self, *, now: bool = False) -> None:
        if self._log and (now or time.monotonic() - self._flushed > FLUSH_S):
            text = "".join(self._log)
            for secret in self._masks:
                text = text.replace(secret, MASK) if secret else text
            self._log.clear()
            self._flushed = time.monotonic()
            self._store.append_log(self._order.job.id, text)

    def _finish(self) -> None:
        self._stream.end(self._now())
        self._store.change_job(self._order.job.id, steps=[dict(step) for step in self._stream.steps])
        self._flush(now=True)

    def _now(self) -> str:
        return stamp(self._store.now())


def stamp(now: float) -> str:
    """ISO 8601 in UTC, whole seconds, as in the REST API."""
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
