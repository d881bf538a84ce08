"""Welcome: who to ask, what starts a sweep, what labels do, and what is the author's after the merge."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from infx.labels import LabelBook, Modifier, Primary
from infx.say.comment import WELCOME, Section
from infx.say.words import code, fold, plural
from infx.signoff import PHRASE

MARK = "<!-- infx:welcome -->"
SHOWN = 6
"""Most owners that are named."""


@dataclass(frozen=True, kw_only=True)
class Welcome:
    """What the text is made of."""

    owners: Mapping[str, int]
    """Owner → how many of the changed recipe paths are theirs."""
    paths: int
    labels: LabelBook
    fork: bool = False
    contact: str = ""
    """Where core maintainers are reached."""
    checklist: str = ""
    docs: str = ""
    """Address of the folder of the documentation; empty where it is not known."""


def body(welcome: Welcome) -> str:
    """The comment of its own."""
    return f"{MARK}\n{text(welcome)}\n"


def section(welcome: Welcome, *, head: str, order: tuple[int, ...]) -> Section:
    """The same inside of the status comment."""
    return Section(name=WELCOME, order=order, head=head, text=text(welcome))


def text(welcome: Welcome) -> str:
    lines = ["### How this pull request gets measured and merged", "", *_steps(welcome), ""]
    lines += fold("What each label does", _labels(welcome.labels))
    lines += ["", *fold("Before contacting a core maintainer", _contact(welcome)), ""]
    return "\n".join([*lines, *fold("中文", _chinese(welcome))])


def _steps(welcome: Welcome) -> Iterator[str]:
    yield f"1. **Ask an owner.** {_owners(welcome)}"
    yield (
        "2. **Start a sweep.** One appended changelog entry (`infx changelog new`) plus exactly one primary "
        f"label starts it{_by(welcome)}."
    )
    yield f"3. **Sign-off.** An owner reviews and writes a comment that begins with {code(PHRASE)}."
    yield "4. **Publish.** Once all is green, an authorised maintainer writes `/use <run_id>`."
    yield (
        "5. **After the merge** every job of the merge commit is yours to follow; transient failures often "
        "pass on a re-run, and the bot says which."
    )
    if links := _links(welcome):
        yield ""
        yield links


def _owners(welcome: Welcome) -> str:
    if not welcome.owners:
        return "No owner is named for these paths; any maintainer may review, and one is enough."
    names = [f"{code(one)} ({plural(count, 'path')})" for one, count in list(welcome.owners.items())[:SHOWN]]
    more = f" and {len(welcome.owners) - SHOWN} more" if len(welcome.owners) > SHOWN else ""
    what = f"For the {plural(welcome.paths, 'recipe path')} of this change"
    return f"{what}: {', '.join(names)}{more}. One is enough."


def _by(welcome: Welcome) -> str:
    if not welcome.fork:
        return "; setting it needs write access"
    return "; on a fork somebody with write access sets it, which approves exactly the head of that moment"


def _links(welcome: Welcome) -> str:
    if not welcome.docs:
        return ""
    pages = (
        ("labels", "labels.md"),
        ("reusing results", "commands-in-comments.md"),
        ("re-runs and failures", "failures.md"),
    )
    return "Help: " + " · ".join(f"[{name}]({welcome.docs}/{page})" for name, page in pages)


def _labels(book: LabelBook) -> Iterator[str]:
    for one in book.primaries.values():
        yield f"- {code(one.name)}: {_primary(one)}"
    for two in book.modifiers.values():
        yield f"- with {code(two.name)}: {_modifier(two)}"
    for name in sorted(book.grants):
        yield f"- {code(name)}: lets one sweep exceed the GPU budget; set by a maintainer"


def _primary(label: Primary) -> str:
    if not label.canary:
        return "no canary, everything starts at once"
    holds = "every key" if label.canary_failure == "all" else "its own key only"
    ends = "; the first failure ends its matrix" if label.fail_fast else ""
    return f"one canary a config key; a failed one holds back {holds}{ends}"


def _modifier(label: Modifier) -> str:
    said = (
        (label.all_evals, "accuracy of every point that may have one"),
        (label.evals_only, "accuracy alone, no throughput"),
        (label.fast, "a shortened agentic profile"),
        (label.resume, "only points without an accepted result"),
        (label.blocks_reuse, "its results are never published"),
    )
    return "; ".join(text for on, text in said if on) or "changes nothing"


def _contact(welcome: Welcome) -> Iterator[str]:
    yield "- the gate is green and the plan in the status comment is what you meant"
    yield "- every point and eval of the sweep is valid, or the comment says whose failure it is"
    yield "- an owner has signed off, and what still blocks is nothing that you can do"
    if welcome.checklist:
        yield f"- {code(welcome.checklist)} holds what the sign-off checks"
    if welcome.contact:
        yield f"- then write to {code(welcome.contact)}, with the number of this pull request"


def _chinese(welcome: Welcome) -> Sequence[str]:
    owners = "、".join(code(one) for one in list(welcome.owners)[:SHOWN]) or "任意维护者"
    by = "（派生仓库由维护者设置）" if welcome.fork else ""
    return [
        f"1. **联系所有者**：{owners}，一位即可。",
        f"2. **启动扫描**：在变更记录末尾追加一条，并设置恰好一个主标签{by}。",
        f"3. **签核**：所有者评审后发表以 {code(PHRASE)} 开头的评论。",
        "4. **发布**：全部通过后，由有权限的维护者写 `/use <run_id>`。",
        "5. **合并之后**：合并提交的所有任务由作者跟进；偶发故障重新运行后通常会通过。",
    ]
