"""Policy: YAML text laid over the shipped defaults becomes Rules. Strict: an unknown key is refused."""

from collections.abc import Mapping
from typing import Any, cast

from infx import rules
from infx.errors import BadInput
from infx.labels import LabelBook, Modifier, Primary
from infx.read import yaml
from infx.read.place import At, nearest

FORMAT = 1
WHOLE = frozenset(
    {
        "labels.primary",
        "labels.modifier",
        "labels.priority",
        "custom-roles",
        "durations.recorded",
        "eval-tasks",
        "recipe-roots",
        "registries",
    }
)
"""Tables whose keys are names of the repository's own: replaced as a whole, and free in their keys."""
ROLES = ("read", "triage", "write", "maintain", "admin")


def read(
    text: str, defaults: str, *, where: str = "configs/policy.yaml", priorities: str | None = None
) -> rules.Rules:
    """Rules of a repository. `text` is its policy (may be empty), `defaults` the shipped file, `priorities`
    the `ci-priority.yaml` of an adopting repository. BadInput names place, key and nearest spelling."""
    shipped = yaml.load(defaults, where="infx/defaults/policy.yaml")
    own = yaml.load(text, where=where)
    own = {} if own is None else own
    _newer(At(own, where))
    merged = At(_overlay(shipped, At(own, where)), where)
    extra = {} if priorities is None else dict.fromkeys(priority_labels(priorities), 0)
    return _rules(merged, extra)


def _newer(own: At) -> None:
    number = own["format"].integer(FORMAT)
    if number > FORMAT:
        raise BadInput(
            f"newer format {number}; this infx knows {FORMAT}", where=own.where, todo="update infx"
        )
    if number < FORMAT:
        raise BadInput(f"there is no format {number}", where=own.where, todo=f"write format: {FORMAT}")


def _overlay(shipped: Any, own: At) -> Any:
    """`own` over `shipped`: mappings key by key, everything else replaced."""
    if not isinstance(shipped, Mapping) or own.path in WHOLE:
        return own.value
    merged = dict(shipped)
    for name, value in own.fields().items():
        if name not in shipped:
            raise BadInput(
                f'unknown key "{value.path}"{nearest(name, shipped)}',
                where=own.where,
                todo="correct or remove it",
            )
        merged[name] = _overlay(shipped[name], value)
    return merged


def priority_labels(text: str, *, where: str = "configs/ci-priority.yaml") -> frozenset[str]:
    """Every label that an adopter's `ci-priority.yaml` names; its other settings are none of ours."""
    labels = At(yaml.load(text, where=where), where)["labels"]
    names: set[str] = set()
    for entry in {} if labels.absent else labels.fields().values():
        names.update(() if entry["name"].absent else (entry["name"].text(),))
        names.update(entry["names"].texts(), entry["waived-by"].texts())
    return frozenset(names)


def _known(at: At, *names: str) -> None:
    for name in at.fields():
        if name not in names:
            raise BadInput(
                f'unknown key "{at.path}.{name}"{nearest(name, names)}',
                where=at.where,
                todo="correct or remove it",
            )


def _primary(name: str, at: At) -> Primary:
    _known(at, "canary", "canary-failure", "fail-fast")
    failure = at["canary-failure"].choice(["all", "key"])
    return Primary(
        name=name,
        canary=at["canary"].flag(),
        canary_failure=cast(Any, failure),
        fail_fast=at["fail-fast"].flag(),
    )


def _modifier(name: str, at: At) -> Modifier:
    fields = ("blocks-reuse", "all-evals", "evals-only", "fast", "resume")
    _known(at, *fields)
    return Modifier(name=name, **{field.replace("-", "_"): at[field].flag(False) for field in fields})


def _labels(at: At, priorities: Mapping[str, int]) -> LabelBook:
    own_priorities = {name: value.integer() for name, value in at["priority"].fields().items()}
    book = LabelBook(
        primaries={name: _primary(name, value) for name, value in at["primary"].fields().items()},
        modifiers={name: _modifier(name, value) for name, value in at["modifier"].fields().items()},
        grants=frozenset(at["grant"].texts()),
        priorities={**priorities, **own_priorities},
        own=frozenset(at["own"].texts()),
    )
    groups = (book.primaries, book.modifiers, book.grants, own_priorities, book.own)
    every = [name for group in groups for name in group]
    if twice := sorted({name for name in every if every.count(name) > 1}):
        raise BadInput(f'label "{twice[0]}" is in two classes', where=at.where, todo="keep one of them")
    return book


def _layout(at: At) -> rules.Layout:
    plain = {name.replace("-", "_"): value.text() for name, value in at.fields().items() if name != "masters"}
    return rules.Layout(masters=at["masters"].texts(), **plain)


def _grid(at: At) -> rules.GridRule:
    _known(at, "scenario", "spec-decoding", "hardware", "min-step", "max-conc", "reason")
    return rules.GridRule(
        scenario=at["scenario"].text(""),
        spec_decoding=at["spec-decoding"].text(""),
        hardware=at["hardware"].texts(),
        min_step=None if at["min-step"].absent else at["min-step"].integer(),
        max_conc=None if at["max-conc"].absent else at["max-conc"].integer(),
        reason=at["reason"].text(),
    )


def _durations(at: At) -> rules.Durations:
    whole = {name: at[name].integer() for name in ("fixed", "agentic-extra", "fast-profile", "eval")}
    recorded = {key: value.integer() for key, value in at["recorded"].fields().items()}
    return rules.Durations(
        recorded=recorded, **{name.replace("-", "_"): value for name, value in whole.items()}
    )


def _numbers(at: At) -> dict[str, float]:
    return {name.replace("-", "_"): value.number() for name, value in at.fields().items()}


def _power(at: At) -> rules.Power:
    named = {name.replace("-", "_"): at[name].number() for name in ("clock-s", "max-gap-s", "counter-share")}
    return rules.Power(required=at["required"].texts(), **named)


def _texts(at: At) -> dict[str, str]:
    return {name: value.text() for name, value in at.fields().items()}


def _tasks(at: At) -> dict[str, str]:
    return {**_texts(at), "default": at["default"].text()}


def _rules(at: At, priorities: Mapping[str, int]) -> rules.Rules:
    hours = at["max-gpu-hours"]
    limits = {name: None if hours[name].absent else hours[name].number() for name in ("plan", "pull")}
    named = {
        name: at[name].choice(ROLES[2:])
        for name in ("label-authority", "grant-authority", "command-authority")
    }
    strict = {name: at[name].choice(["warn", "refuse"]) for name in ("base-drift", "excluded-node")}
    return rules.Rules(
        layout=_layout(at["layout"]),
        labels=_labels(at["labels"], priorities),
        reuse_authority=cast(Any, at["reuse-authority"].choice(["role", "association"])),
        custom_roles={name: value.choice(ROLES) for name, value in at["custom-roles"].fields().items()},
        paused=at["paused"].text(""),
        max_gpu_hours=rules.GpuHours(**limits),
        auto_rerun=at["auto-rerun"].integer(),
        harness_version=at["harness-version"].integer(),
        max_entries=at["max-entries"].integer(),
        script_patterns=at["script-patterns"].texts(),
        recipe_roots=_texts(at["recipe-roots"]),
        registries=_texts(at["registries"]),
        durations=_durations(at["durations"]),
        canary=rules.Canary(**_numbers(at["canary"])),
        queue_hours=at["queue-hours"].number(),
        queue_alert=at["queue-alert"].number(),
        eval_tasks=_tasks(at["eval-tasks"]),
        grid_rules=tuple(_grid(one) for one in at["grid-rules"].items()),
        agentic=rules.Agentic(**_numbers(at["agentic"])),
        power=_power(at["power"]),
        checks=rules.Checks(
            passing=frozenset(at["checks"]["passing"].texts()), may_skip=at["checks"]["may-skip"].texts()
        ),
        advice=frozenset(name for name, on in at["advice"].fields().items() if on.flag()),
        former_bots=frozenset(at["former-bots"].texts()),
        review_bots=at["review-bots"].texts(),
        core_team=at["core-team"].texts(),
        guarded_paths=at["guarded-paths"].texts(),
        signoff=cast(Any, at["signoff"].choice(["advisory", "required"])),
        quiet=at["quiet"].flag(),
        audit_from=at["audit-from"].text(""),
        digest_issue=at["digest-issue"].integer(),
        **{name.replace("-", "_"): cast(Any, value) for name, value in {**named, **strict}.items()},
    )


def schema(defaults: str) -> dict[str, Any]:
    """JSON Schema of a policy, read off the shipped file: its keys, and the type of each shipped value."""
    shape = _shape(yaml.load(defaults, where="infx/defaults/policy.yaml"), "")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Policy", **shape}


def _shape(value: Any, path: str) -> dict[str, Any]:
    if isinstance(value, Mapping):
        if path in WHOLE:
            return {"type": "object"}
        inner = {name: _shape(one, f"{path}.{name}" if path else name) for name, one in value.items()}
        return {"type": "object", "properties": inner, "additionalProperties": False}
    if path.startswith("max-gpu-hours."):
        return {"type": ["number", "null"]}
    names = {list: "array", bool: "boolean", str: "string", int: "number", float: "number"}
    return {"type": names[type(value)]}
