"""Verdict comments: one for each sign-off, edited in place."""

import re
from collections.abc import Mapping, Sequence

from infx.assessment import Verdict
from infx.say.comment import Section
from infx.say.words import code, fold, short
from infx.signoff import Finding, Grade, Kind, Place, SignoffFacts, Statement

EVIDENCE = 500
"""Characters of one piece of evidence."""
SHOWN = 12
"""Most pieces of one check."""
ADDRESS = re.compile(r"https?://[\w.:-]+/[\w.-]+/[\w.-]+/(?:actions/runs|pull)/\d+")
ORDER = (Grade.FAIL, Grade.UNKNOWN, Grade.WARN, Grade.HUMAN, Grade.PASS, Grade.NA)
SAID = {
    Grade.FAIL: "FAIL",
    Grade.UNKNOWN: "COULD NOT TELL",
    Grade.WARN: "WARN",
    Grade.HUMAN: "HUMAN",
    Grade.PASS: "PASS",
    Grade.NA: "N/A",
}
KINDS: Mapping[Kind, tuple[str, str]] = {
    Kind.PASSED: ("passed", "通过"),
    Kind.CARRIED: ("carried forward", "沿用先前结论"),
    Kind.NEW_HEAD: ("new head needs sign-off", "新提交需要重新签核"),
    Kind.WITHDRAWN: ("withdrawn", "已撤回"),
    Kind.DELETED_ACCOUNT: ("rejected: deleted account", "拒绝：账号已删除"),
    Kind.TOO_LONG: ("rejected: too long", "拒绝：内容过长"),
    Kind.EDITED: ("rejected: edited by somebody else", "拒绝：被他人修改"),
    Kind.NOT_AN_OWNER: ("rejected: not an owner", "拒绝：不是所有者"),
    Kind.NO_SIGNER: ("rejected: no signer line", "拒绝：缺少签名行"),
    Kind.OTHER_SIGNER: ("rejected: signed by another name", "拒绝：签名与作者不符"),
    Kind.FAILED: ("rejected: a check failed", "拒绝：有检查未通过"),
    Kind.COULD_NOT_TELL: ("could not tell", "无法判断"),
}
NEXT = {
    Kind.NEW_HEAD: ("look at the new diff and sign again", "查看新的差异后重新签核"),
    Kind.FAILED: (
        "mend what failed, then edit the sign-off or wait for the next look",
        "修复未通过的项目，然后编辑签核或等待下次检查",
    ),
    Kind.NO_SIGNER: ("add the line `Signed: @login`", "添加 `Signed: @登录名` 一行"),
    Kind.OTHER_SIGNER: ("sign with the account that writes", "用发表评论的账号签名"),
    Kind.EDITED: ("the owner writes it again", "由所有者本人重新填写"),
    Kind.NOT_AN_OWNER: ("one of the owners above signs", "由上述所有者之一签核"),
    Kind.TOO_LONG: ("shorten it", "请缩短内容"),
}


def mark(key: str) -> str:
    """Hidden mark of the verdict on one sign-off."""
    return f"<!-- infx:signoff {key} -->"


def section(
    verdict: Verdict, facts: SignoffFacts, statement: Statement | None, *, order: tuple[int, ...]
) -> Section:
    """What the verdict comment shows. `order` keeps an older run from replacing a newer one's words."""
    return Section(name="verdict", order=order, head=facts.head_sha, text=text(verdict, facts, statement))


def text(verdict: Verdict, facts: SignoffFacts, statement: Statement | None) -> str:
    english, chinese = KINDS[verdict.kind]
    todo = NEXT.get(verdict.kind, ("", ""))
    lines = [
        f"**Sign-off of @{verdict.author}: {english}** at `{short(verdict.head)}`{_where(statement)}",
        "",
        f"{code(verdict.reason, EVIDENCE)}{_next(todo[0])}",
    ]
    if verdict.covers:
        lines.append(f"It covers {', '.join(code(one) for one in verdict.covers[:SHOWN])}.")
    if verdict.findings:
        lines += ["", *_checks(verdict.findings, statement), "", *_details(verdict.findings)]
    if facts.faults:
        skipped = "; ".join(facts.faults[:SHOWN])
        lines += ["", f"Lines of CODEOWNERS that GitHub skips: {code(skipped, EVIDENCE)}"]
    lines += [
        "",
        f"CODEOWNERS of `{facts.base_ref}` at `{short(facts.base_sha)}`; later commits are not covered.",
        "",
        *fold(
            "中文",
            [
                f"@{verdict.author} 的签核：**{chinese}**，针对提交 `{short(verdict.head)}`，"
                f"之后的提交未包括在内。{todo[1]}"
            ],
        ),
    ]
    return "\n".join(lines)


def _next(todo: str) -> str:
    return f" · next: {todo}" if todo else ""


def _where(statement: Statement | None) -> str:
    if statement is None or not statement.url.startswith(("https://", "http://")):
        return ""
    names = {Place.COMMENT: "comment", Place.REVIEW: "review", Place.INLINE: "line comment"}
    return f" ([{names[statement.place]}]({statement.url.split(')')[0]}))"


def _checks(found: Sequence[Finding], statement: Statement | None) -> list[str]:
    """One short line a check, those that stand in the way first."""
    ordered = sorted(found, key=lambda one: ORDER.index(one.grade))
    return [
        f"- {SAID[one.grade]} **{one.check}**: {code(one.what, EVIDENCE)}{_owner(one, statement)}"
        for one in ordered
    ]


def _owner(one: Finding, statement: Statement | None) -> str:
    """What the owner says where no program can tell."""
    if one.grade != Grade.HUMAN or statement is None:
        return ""
    claim = next((claim for claim in statement.claims if claim.item == one.check), None)
    if claim is None:
        return " · owner says nothing"
    return " · owner says yes" if claim.ticked else f" · owner says no: {code(claim.reason)}"


def _linked(piece: str) -> str:
    """An address of a run or a pull request can be followed; everything else is text."""
    return f"<{piece}>" if ADDRESS.fullmatch(piece) else code(piece, EVIDENCE)


def _details(found: Sequence[Finding]) -> list[str]:
    lines: list[str] = []
    for one in found:
        if one.evidence:
            lines += [
                f"**{one.check}**",
                *(f"- {_linked(piece)}" for piece in one.evidence[:SHOWN]),
                "",
            ]
    return fold("Evidence 依据", lines) if lines else []
