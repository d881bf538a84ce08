"""Description: what the text of a pull request says of itself, as far as its template asks for it."""

from dataclasses import dataclass
from enum import StrEnum


class Disclosure(StrEnum):
    """How the part about AI models reads."""

    NAMED = "named"
    NONE_USED = "no-ai-used"
    NOT_VERIFIABLE = "not-verifiable"
    TOOL_ONLY = "tool-only"
    """An editor or an agent is named, and no model."""
    MISSING = "missing"


class Change(StrEnum):
    """Type of change."""

    BUG_FIX = "bug fix"
    FEATURE = "feature"
    CONFIGURATION = "configuration"
    DOCUMENTATION = "documentation"
    OTHER = "other"


class Item(StrEnum):
    """Items of the checklist, by the hidden word behind each."""

    DISCLOSURE = "disclosure"
    TESTED = "tested"
    DOCUMENTATION = "documentation"
    ENTRY = "entry"
    LABEL = "label"
    REUSE = "reuse"


@dataclass(frozen=True, kw_only=True)
class Description:
    """One description."""

    disclosure: Disclosure = Disclosure.MISSING
    kinds: frozenset[Change] = frozenset()
    """Ticked types of change."""
    ticked: frozenset[Item] = frozenset()
    from_template: bool = False
    """At least one item of the checklist is there."""


@dataclass(frozen=True, kw_only=True)
class DescriptionFacts:
    """A description, and what is known of its pull request. None: not known."""

    said: Description
    keys: bool | None = None
    """Config keys change."""
    entry: bool | None = None
    """A changelog entry was appended as it has to be."""
    primaries: int = 0
    fork: bool = False
    ready: bool | None = None
    """The status before the merge is content."""
    configs: bool | None = None
    """Configs, scripts or the changelog are touched."""
    docs: bool | None = None
    """Documentation is touched."""
    only_docs: bool = False


class Rule(StrEnum):
    """One rule; its policy key is `advice.<rule>`."""

    DISCLOSURE = "disclosure"
    KIND = "kind"
    TESTED = "tested"
    DOCUMENTATION = "documentation"
    ENTRY = "entry"
    LABEL = "label"
    REUSE = "reuse"


@dataclass(frozen=True, kw_only=True)
class Advice:
    """One line of advice."""

    rule: Rule
    text: str
    chinese: str

    @property
    def key(self) -> str:
        return f"advice.{self.rule}"
