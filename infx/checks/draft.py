"""A separate draft model is served as it ships, and the precision that it ships in is on record."""

from collections.abc import Iterator

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Served, Subject

ID = "draft-model"
PATHS = ("--speculative-draft-model-path", "--speculative_model_dir", "--draft-model")
"""Where other engines name the draft."""
OWN = (
    "--speculative-draft-model-quantization",
    "--speculative-draft-quantization",
    "--speculative-draft-dtype",
    "--speculative-draft-load-format",
    "--draft-quantization",
    "--draft-dtype",
)
"""What changes the draft itself; `unquant` and `auto` leave it as it ships."""
INHERITED = ("--quantization", "--dtype", "--load-format")
"""What the draft takes over from the model where it has no flag of its own."""
HARMLESS = frozenset({"unquant", "auto", "none"})


def check(subject: Subject, sheet: Sheet) -> Finding:
    drafting = [one for one in subject.served if path(one)]
    if not drafting:
        return Finding(check=ID, grade=Grade.NA, what="no separate draft model")
    wrong = [f"{one.key}: {text}" for one in drafting for text in changes(one)]
    if wrong:
        what = "the draft is not served as it ships"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=tuple(wrong))
    shown = {path(one): recorded(one, subject) for one in drafting}
    texts = tuple(f"{name}: {precision or 'precision not on record'}" for name, precision in shown.items())
    if not all(shown.values()):
        what = "add the draft's precision to `drafts` of configs/models.yaml"
        return Finding(check=ID, grade=Grade.WARN, what=what, evidence=texts)
    return Finding(check=ID, grade=Grade.PASS, what="served as shipped", evidence=texts)


def path(one: Served) -> str:
    """Checkpoint of the separate draft; the config of vLLM's speculation names it `model`."""
    named = next((one.flags[name] for name in PATHS if one.flags.get(name)), one.config.get("model", ""))
    return named or ("(not named)" if one.speculates == "draft_model" else "")


def changes(one: Served) -> Iterator[str]:
    own = [name for name in OWN if name in one.flags]
    yield from (f"{name} {one.flags[name]}" for name in own if one.flags[name] not in HARMLESS)
    if not own:
        yield from (
            f"{name} {one.flags[name]} is inherited by the draft"
            for name in INHERITED
            if one.flags.get(name, "auto") not in HARMLESS
        )


def recorded(one: Served, subject: Subject) -> str:
    model = subject.models.models.get(one.prefix)
    return model.drafts.get(path(one), "") if model else ""
