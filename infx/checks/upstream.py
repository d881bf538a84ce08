"""Every serving variant has a recipe at its engine's project: merged or published, not only proposed."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import BAD_LINKS, Link, Served, Subject, Upstream

ID = "recipe-linked"


def check(subject: Subject, sheet: Sheet) -> Finding:
    variants: dict[tuple[str, bool], Served] = {}
    for one in subject.served:
        engine = subject.models.engine(one.framework)
        if engine and engine.recipes:
            variants.setdefault((engine.name, one.disaggregated), one)
    if not variants:
        return Finding(check=ID, grade=Grade.NA, what="no engine with upstream recipes")
    judged = [judge(name, one, subject, several=len(variants) > 1) for (name, _), one in variants.items()]
    for grade, what in (
        (Grade.FAIL, "an upstream recipe is missing or not merged"),
        (Grade.UNKNOWN, "could not tell: an upstream recipe cannot be reached"),
    ):
        if texts := tuple(text for found, text in judged if found == grade):
            return Finding(check=ID, grade=grade, what=what, evidence=texts)
    return Finding(
        check=ID, grade=Grade.PASS, what="merged or published", evidence=tuple(text for _, text in judged)
    )


def judge(name: str, one: Served, subject: Subject, *, several: bool) -> tuple[Grade, str]:
    """One good address is enough for a variant; of bad ones the first is told."""
    engine = subject.models.engine(one.framework)
    links = [
        link
        for link in subject.links
        if engine and engine.keeps(link.address) and (not several or link.disaggregated == one.disaggregated)
    ]
    about = f"{name}, {'disaggregated' if one.disaggregated else 'aggregated'}"
    good = next((link for link in links if link.state in (Link.MERGED, Link.PUBLISHED)), None)
    if good:
        return Grade.PASS, f"{about}: {good.address} is {good.state}"
    return bad(about, links)


def bad(about: str, links: list[Upstream]) -> tuple[Grade, str]:
    proposed = next((link for link in links if link.state in BAD_LINKS), None)
    unknown = next((link for link in links if link.state == Link.UNREACHABLE), None)
    if unknown:
        return Grade.UNKNOWN, f"{about}: {unknown.address} cannot be reached"
    if proposed:
        return Grade.FAIL, f"{about}: {proposed.address} is {proposed.state}"
    return Grade.FAIL, f"{about}: no link in the description; add `Upstream recipe: <address>`"
