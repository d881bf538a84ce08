"""Settings: the policy of the repository at hand, over the defaults that ship with infx."""

from pathlib import Path

from infx.edge import files
from infx.edge.git import Git
from infx.failure import Signature
from infx.read import policy
from infx.read.failures import failures
from infx.rules import Rules

POLICY = "configs/policy.yaml"
SHIPPED = Path(__file__).parent.parent / "defaults" / "policy.yaml"


def load(root: Path) -> Rules:
    """Rules of the work tree at `root`; the shipped ones alone when it has no `configs/policy.yaml`."""
    own = root / POLICY
    rules = parse(files.read_text(own) if own.exists() else "")
    priorities = root / rules.layout.path(rules.layout.ci_priority)
    if not priorities.exists():
        return rules
    return parse(files.read_text(own) if own.exists() else "", priorities=files.read_text(priorities))


def at(git: Git, commit: str) -> Rules:
    """Rules of one commit, read from git objects."""
    text = files.decode(git.show(commit, POLICY) or b"", where=POLICY)
    rules = parse(text)
    priorities = git.show(commit, rules.layout.path(rules.layout.ci_priority))
    return rules if priorities is None else parse(text, priorities=files.decode(priorities, where=POLICY))


def parse(text: str, *, where: str = POLICY, priorities: str | None = None) -> Rules:
    """Rules from the text of a policy, such as the default branch's; `""` gives the shipped ones."""
    return policy.read(text, files.read_text(SHIPPED), where=where, priorities=priorities)


def signatures(root: Path, rules: Rules) -> tuple[Signature, ...]:
    """How failures look, by the work tree at `root`; none when it has no such file."""
    path = root / rules.layout.path(rules.layout.failures)
    return failures(files.read_text(path), where=rules.layout.failures) if path.exists() else ()
