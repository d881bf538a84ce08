"""Subject: what a pull request contains and what was measured of it, as checks of a sign-off see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from infx.event import FileChange
from infx.golden import Curve, Spoken
from infx.models import Models


class Link(StrEnum):
    """What an address leads to."""

    MERGED = "merged"
    PUBLISHED = "published"
    OPEN = "open"
    DRAFT = "draft"
    CLOSED = "closed"
    UNREACHABLE = "unreachable"


BAD_LINKS = frozenset({Link.OPEN, Link.DRAFT, Link.CLOSED})


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line that the pull request adds."""

    path: str
    line: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True, kw_only=True)
class Served:
    """How points of one key are served: one script or recipe variant with one image."""

    key: str
    script: str
    image: str
    model: str
    prefix: str
    precision: str
    framework: str
    hardware: str
    """First part of the runner type: `h200`."""
    scenario: str
    """`8k1k` or `agentic-coding`."""
    speculates: str = "none"
    """`none`, `mtp`, `draft_model`."""
    disaggregated: bool = False
    chat: bool = False
    """Its load goes through chat templates."""
    new: bool = False
    """The target has no such key."""
    arms: tuple[str, ...] = ()
    """KV offload backends of its points; `none` for none."""
    flags: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    spoken: Spoken | None = None
    """Its speculation as written."""
    config: Mapping[str, str] = field(default_factory=dict)
    """vLLM's speculative config."""
    switch: bool = True
    """Its evals can leave out what throughput pins."""


@dataclass(frozen=True, kw_only=True)
class Value:
    """One planned point, and its accepted result if there is one."""

    key: str
    title: str
    curve: str
    """Points that share a line on a chart."""
    eval: bool = False
    task: str = ""
    model: str = ""
    """Prefix of its model."""
    image: str = ""
    conc: int = 0
    run: int = 0
    """Run of the accepted result; 0 without one."""
    reason: str = ""
    """Why there is none."""
    score: float | None = None
    measured_image: str = ""
    latency: float | None = None
    """Median end-to-end latency in seconds."""
    throughput: float | None = None
    """Tokens per second and GPU."""

    @property
    def accepted(self) -> bool:
        return self.run > 0


@dataclass(frozen=True, kw_only=True)
class Upstream:
    """An address in the description, and what is behind it."""

    address: str
    state: Link
    disaggregated: bool = False
    """Its line says that it is for disaggregated serving."""


@dataclass(frozen=True, kw_only=True)
class Reuse:
    """The command on record that says whose results stand."""

    by: str = ""
    text: str = ""
    """What `resolve source` says of it."""
    covers: bool = False
    advice: str = ""
    """The command to paste where there is none."""
    trouble: str = ""


@dataclass(frozen=True, kw_only=True)
class Known:
    """A recipe that the repository has with this change."""

    prefix: str
    hardware: str
    framework: str


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Everything that the checks look at."""

    pr: int
    runs: str = ""
    """Beginning of the addresses of workflow runs."""
    opened: str = ""
    """Day on which the pull request was opened, ISO 8601."""
    description: str = ""
    files: tuple[FileChange, ...] = ()
    added: tuple[Line, ...] = ()
    """Lines that it adds to scripts, recipes and what they load."""
    served: tuple[Served, ...] = ()
    """Of every key that it changes."""
    values: tuple[Value, ...] = ()
    trouble: str = ""
    """Why it could not be looked up what was measured."""
    links: tuple[Upstream, ...] = ()
    reuse: Reuse = field(default_factory=Reuse)
    models: Models = field(default_factory=Models)
    """Of the target, with rows for new models that this change brings."""
    new_models: tuple[str, ...] = ()
    floors: Mapping[str, float] = field(default_factory=dict)
    """`prefix task` → lowest passing score, of the target."""
    curves: tuple[Curve, ...] = ()
    """Golden curves at the head."""
    unsourced: tuple[str, ...] = ()
    """Golden files that changed without another source run."""
    recipes: tuple[Known, ...] = ()
    append_only: bool = False
    removed: tuple[str, ...] = ()
    """Points of the target that are gone."""
    shared: tuple[str, ...] = ()
    """Files that changed and that other recipes read too."""
    waiver: str | None = None
    """Text of the waiver of this pull request."""
    waiver_path: str = ""

    def address(self, run: int) -> str:
        """Of a workflow run."""
        return f"{self.runs or 'run '}{run}"
