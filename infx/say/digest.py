"""Digest: what operators of the runners should know, as one comment that is kept up to date."""

from collections import Counter
from collections.abc import Iterator

from infx.fleet import FINE, Fleet, Shape
from infx.say.words import code, plain

MARK = "<!-- infx:digest -->"
SHOWN = 40
"""Most nodes that are listed."""


def comment(fleet: Fleet, *, day: str) -> str:
    """`day` is the date that the comment speaks of, UTC."""
    return "\n".join([MARK, f"### Runners on {day}", "", *_english(fleet), "", *_chinese(fleet)]) + "\n"


def line(fleet: Fleet, repository: str) -> str:
    """One line for a chat."""
    bad = [node for node in fleet.nodes if node.shape not in FINE]
    counts = Counter(node.shape for node in bad)
    told = [f"{number} {shape}" for shape, number in counts.items()]
    told += [f"{queue.jobs} jobs wait {queue.minutes} min for {queue.label}" for queue in fleet.queues]
    return f"{repository}: {'; '.join(told) or 'every runner is well'}"


def _english(fleet: Fleet) -> Iterator[str]:
    bad = [node for node in fleet.nodes if node.shape not in FINE]
    well = len(fleet.nodes) - len(bad)
    yield f"{well} of {len(fleet.nodes)} nodes need nobody."
    for label, why in fleet.maintained.items():
        yield f"- {code(label)} is in maintenance: {plain(why)}"
    for queue in fleet.queues:
        yield f"- {queue.jobs} jobs wait for {code(queue.label)}, the oldest for {queue.minutes} min"
    for node in bad[:SHOWN]:
        yield f"- {code(node.name)} ({code(node.label)}) **{node.shape}**: {plain(node.why)}"
    if len(bad) > SHOWN:
        yield f"- and {len(bad) - SHOWN} more: `infx runners`"
    if any(node.shape == Shape.POISONED for node in bad):
        yield ""
        yield "A poisoned node that keeps its labels fails cell after cell: `infx runners --quarantine NODE`."


def _chinese(fleet: Fleet) -> Iterator[str]:
    bad = [node for node in fleet.nodes if node.shape not in FINE]
    yield "<details><summary>中文</summary>"
    yield ""
    yield f"{len(fleet.nodes)} 个节点中有 {len(bad)} 个需要处理，{len(fleet.queues)} 个队列等待过久。"
    yield "仍带标签的中毒节点会继续让任务失败：用 `infx runners --quarantine NODE` 移除其标签。"
    yield ""
    yield "</details>"
