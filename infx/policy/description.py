"""Description: a pull request's text beside the facts. Advice only, and each rule can be switched off."""

from collections.abc import Callable

from infx.description import Advice, Change, DescriptionFacts, Disclosure, Item, Rule
from infx.rules import Rules


def advise(facts: DescriptionFacts, rules: Rules) -> tuple[Advice, ...]:
    """What is worth saying, in the order of the template. Without the template only the disclosure is."""
    on = [rule for rule in Rule if rule in rules.advice]
    found = ((rule, ADVISERS[rule](facts)) for rule in on)
    return tuple(Advice(rule=rule, text=told[0], chinese=told[1]) for rule, told in found if told)


Told = tuple[str, str] | None


def _disclosure(facts: DescriptionFacts) -> Told:
    if facts.said.disclosure == Disclosure.TOOL_ONLY:
        return (
            "a tool is named and no model: say which model and version, and what it did",
            "只写了工具名称：请写明模型、版本及其作用",
        )
    if facts.said.disclosure == Disclosure.MISSING:
        return (
            "name every AI model that contributed with its version and role, or write `No AI used`",
            "请写明每个参与的 AI 模型、版本及其作用，或写 `No AI used`",
        )
    return None


def _kind(facts: DescriptionFacts) -> Told:
    said = facts.said
    if not said.from_template:
        return None
    if not said.kinds:
        return "no type of change is ticked", "未勾选改动类型"
    if Change.CONFIGURATION in said.kinds and facts.configs is False:
        return (
            "`configuration` is ticked, and no config, script or changelog entry changes",
            "勾选了配置，但没有配置改动",
        )
    if Change.DOCUMENTATION in said.kinds and facts.docs is False:
        return "`documentation` is ticked, and no document changes", "勾选了文档，但没有文档改动"
    if facts.only_docs and Change.DOCUMENTATION not in said.kinds:
        return "only documents change, and `documentation` is not ticked", "仅改动文档，但未勾选文档"
    return None


def _tested(facts: DescriptionFacts) -> Told:
    if not _open(facts, Item.TESTED) or facts.only_docs:
        return None
    return "say how the change was tested, and tick the item", "请说明如何测试并勾选该项"


def _documentation(facts: DescriptionFacts) -> Told:
    if not _open(facts, Item.DOCUMENTATION) or facts.docs:
        return None
    return (
        "update the documentation, or tick the item when none is needed",
        "请更新文档，或在无需更新时勾选该项",
    )


def _entry(facts: DescriptionFacts) -> Told:
    if facts.keys is None or facts.entry is None:
        return None
    ticked = Item.ENTRY in facts.said.ticked
    if facts.keys and not facts.entry and ticked:
        return "the entry item is ticked, and no entry was appended", "勾选了变更记录项，但没有新增条目"
    if facts.entry and not facts.keys and ticked:
        return "an entry was appended though no config key changes", "没有配置项改动却新增了条目"
    if facts.keys and facts.entry and not ticked and facts.said.from_template:
        return "the entry is there: tick its item", "条目已新增：请勾选该项"
    return None


def _label(facts: DescriptionFacts) -> Told:
    if not facts.keys:
        return None
    if Item.LABEL in facts.said.ticked and facts.primaries != 1:
        return (
            f"the label item is ticked, and {facts.primaries} primary labels are set",
            f"勾选了标签项，但有 {facts.primaries} 个主标签",
        )
    if facts.primaries == 0 and facts.fork and facts.said.from_template:
        return "on a fork a maintainer sets the primary label", "派生仓库的主标签由维护者设置"
    return None


def _reuse(facts: DescriptionFacts) -> Told:
    if Item.REUSE in facts.said.ticked and facts.keys and facts.ready is False:
        return (
            "the reuse item is ticked, and no results are authorised for this head yet",
            "勾选了复用项，但此提交尚无授权结果",
        )
    return None


def _open(facts: DescriptionFacts, item: Item) -> bool:
    return facts.said.from_template and item not in facts.said.ticked


ADVISERS: dict[Rule, Callable[[DescriptionFacts], Told]] = {
    Rule.DISCLOSURE: _disclosure,
    Rule.KIND: _kind,
    Rule.TESTED: _tested,
    Rule.DOCUMENTATION: _documentation,
    Rule.ENTRY: _entry,
    Rule.LABEL: _label,
    Rule.REUSE: _reuse,
}
