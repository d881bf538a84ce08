"""Recipes of one commit: the script and the fingerprint of every row."""

from collections.abc import Mapping
from typing import Any

from infx.errors import BadInput
from infx.matrix import flags
from infx.matrix.fingerprint import fingerprint, ground
from infx.matrix.flags import Settings
from infx.matrix.script import path_of, resolve
from infx.matrix.variant import choose
from infx.point import Fingerprint
from infx.rules import Rules
from infx.spell import near
from infx.state import State


class Recipes:
    """Script and fingerprint of rows at one commit; rows of one recipe share the work."""

    def __init__(self, state: State, rules: Rules) -> None:
        self.state, self.rules = state, rules
        self.ground = ground(state, rules)

    def script(self, row: Mapping[str, Any]) -> str:
        """Script or recipe variant of a row. BadInput when there is not exactly one."""
        layout = self.rules.layout
        patterns = [layout.path(pattern) for pattern in self.rules.script_patterns]
        # A name may also start at the layout's root.
        roots = {start: layout.path(folder) for start, folder in {**self.rules.recipe_roots, "": ""}.items()}
        try:
            script = resolve(row, patterns, self.state.files, roots=roots)
        except BadInput as error:
            self._known(row["runner"], where=error.where)
            raise
        if path_of(script) not in self.state.documents:
            return script
        name, _ = choose(self.state.documents[path_of(script)], _variant(script), row, where=path_of(script))
        return f"{path_of(script)}:{name}" if name else path_of(script)

    def fingerprint(self, row: Mapping[str, Any], script: str) -> Fingerprint:
        path = path_of(script)
        document = self.state.documents.get(path)
        flat = None if document is None else choose(document, _variant(script), row, where=path)[1]
        return fingerprint(row, script, ground=self.ground, variant=flat)

    def settings(self, row: Mapping[str, Any], script: str) -> Settings:
        """Flags and variables that the row's script or recipe variant gives its engine."""
        path = path_of(script)
        if path in self.state.documents:
            return flags.stated(choose(self.state.documents[path], _variant(script), row, where=path)[1])
        return flags.settings(self.state.files.get(path, b""))

    def _known(self, runner: str, *, where: str) -> None:
        """A misspelt runner is why no script was found: scripts are named after its hardware."""
        labels = self.state.catalog.runners.labels
        if runner not in labels:
            what = f"runners.yaml knows no label {runner}"
            raise BadInput(what, where=where, todo=f"correct `runner` or add it; {near(runner, labels)}")

    def loose(self, row: Mapping[str, Any]) -> Fingerprint:
        """As `fingerprint`; a row without a script counts by itself, so that two trees can be compared."""
        try:
            return self.fingerprint(row, self.script(row))
        except BadInput:
            return self.fingerprint(row, "")


def _variant(script: str) -> str:
    return script.partition(":")[2]
