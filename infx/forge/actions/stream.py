"""act's JSON lines become steps and a log as GitHub shows them, with times of arrival."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from infx.forge.actions import graph, jobfile

MARKED = {
    "group": "##[group]",
    "endgroup": "##[endgroup]",
    "error": "##[error]",
    "warning": "##[warning]",
} | {"notice": "##[notice]"}
FAREWELL = "Error: Job '"
"""act's last words on a failed job, which say nothing new."""
QUEUED, RUNNING, DONE = "queued", "in_progress", "completed"


class Stream:
    """Reads one job's lines; `steps` is what the REST API lists, `result` what act made of the job."""

    def __init__(self, steps: Sequence[Mapping[str, Any]]) -> None:
        names = ["Set up job", *map(jobfile.step_title, steps), "Complete job"]
        self.steps: list[dict[str, Any]] = [_step(name, number) for number, name in enumerate(names, 1)]
        self.result = ""
        self.cancelled = False
        """Set when the job is being interrupted: what then fails was cancelled."""
        self._places = {jobfile.step_key(step, index): index + 1 for index, step in enumerate(steps)}
        self._forgiven: set[int] = set()

    def begin(self, at: str) -> None:
        self._start(0, at)

    def feed(self, line: str, at: str) -> tuple[str, bool]:
        """Text for the log, and whether a step changed."""
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            return ("" if line.startswith(FAREWELL) else _stamped(line, at)), False
        if not isinstance(record, dict) or "msg" not in record:
            return "", False
        if "jobResult" in record:
            self.result = record["jobResult"]
        return self._text(record, at), self._note_step(record, at)

    def end(self, at: str) -> None:
        """Steps that never ran were skipped; one that was cut off has no result of its own."""
        for place, step in enumerate(self.steps[:-1]):
            if step["status"] == RUNNING:
                self._finish(place, graph.CANCELLED if self.cancelled else graph.FAILURE, at)
            elif step["status"] == QUEUED:
                self._finish(place, graph.SKIPPED, at)
        self._start(len(self.steps) - 1, at)
        self._finish(len(self.steps) - 1, graph.SUCCESS, at)

    def _note_step(self, record: Mapping[str, Any], at: str) -> bool:
        path = record.get("stepID")
        if not path or len(path) > 1 or record.get("stage") != "Main" or path[0] not in self._places:
            return False
        place = self._places[path[0]]
        if record["msg"].startswith("Failed but continue"):
            self._forgiven.add(place)
        if "stepResult" in record:
            self._finish(place, self._step_conclusion(place, record["stepResult"]), at)
            return True
        if record["msg"].startswith("⭐ Run Main"):
            if self.steps[0]["status"] != DONE:
                self._finish(0, graph.SUCCESS, at)
            self._start(place, at)
            return True
        return False

    def _step_conclusion(self, place: int, result: str) -> str:
        if result == graph.FAILURE and place in self._forgiven:
            return graph.SUCCESS
        return graph.CANCELLED if result == graph.FAILURE and self.cancelled else str(result)

    def _start(self, place: int, at: str) -> None:
        self.steps[place] |= {"status": RUNNING, "started_at": at}

    def _finish(self, place: int, conclusion: str, at: str) -> None:
        step = self.steps[place]
        started = step["started_at"] or at
        step |= {"status": DONE, "conclusion": conclusion, "started_at": started, "completed_at": at}

    def _text(self, record: Mapping[str, Any], at: str) -> str:
        message = str(record["msg"])
        command = record.get("command")
        if record.get("raw_output"):
            return _stamped(message, at)
        if command == "summary":
            text = f"##[group]Step summary\n{record.get('content', '').rstrip()}\n##[endgroup]"
            return _stamped(text, at)
        if command in MARKED:
            return _stamped(MARKED[command] + str(record.get("arg", "")), at)
        if message.startswith("⭐ Run Main"):
            if record.get("stepID", [""])[0] not in self._places:
                return ""
            return _stamped("##[group]Run " + message.removeprefix("⭐ Run Main ") + "\n##[endgroup]", at)
        # Complaints about the missing git folder are act's own: the job's folder is empty until a checkout.
        if record.get("level") == "error" and "git repository" not in message:
            return _stamped(f"##[error]{message}", at)
        return ""


def _step(name: str, number: int) -> dict[str, Any]:
    times = {"started_at": None, "completed_at": None}
    return {"name": name, "number": number, "status": QUEUED, "conclusion": None, **times}


def _stamped(text: str, at: str) -> str:
    """Every line with its time in front, as in GitHub's log files."""
    return "".join(f"{at} {line}\n" for line in text.rstrip("\n").split("\n"))
