"""Policy files: strict, located, quick to load."""

import pytest
import yaml

from infx.edge import settings
from infx.errors import BadInput
from infx.read import policy
from infx.rules import Rules
from tests.builders import rules


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pausd: x", 'unknown key "pausd" (did you mean "paused"?)'),
        ("labels: {primry: {}}", '"labels.primry" (did you mean "primary"?)'),
        ("labels: {modifier: {x: {fats: true}}}", 'did you mean "fast"?'),
        ("format: 2\nfuture: 1", "newer format 2"),
        ("format: 0", "no format 0"),
        ("paused: 3", "correct `paused`"),
        ("canary: 3", "expected a mapping"),
        ("canary: {factor: .inf}", "finite"),
        ("a: [", "configs/policy.yaml:2:1"),
        ("paused: a\npaused: b", "configs/policy.yaml:2"),
        ("[]", "expected a mapping"),
        ("1: 2", "key 1 is not text"),
        ("paused: !!python/object:os.system x", "configs/policy.yaml:1"),
        ("label-authority: wrte", 'did you mean "write"?'),
        ("labels: {grant: [full-sweep-enabled]}", "in two classes"),
        ("\x00", "control characters"),
        ("eval-tasks: {qwen: gsm8k}", "eval-tasks.default"),
        ("custom-roles: {ops: boss}", "one of read, triage"),
    ],
)
def test_a_mistake_is_refused_with_its_place(text: str, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        settings.parse(text)
    assert says in caught.value.sentence
    assert caught.value.sentence.startswith("configs/policy.yaml")


@pytest.mark.parametrize("text", ["", "# nothing\n", "{}", "format: 1"])
def test_an_empty_policy_is_the_shipped_one(text: str) -> None:
    assert settings.parse(text) == rules()


def test_mappings_are_laid_over_and_named_tables_replaced() -> None:
    own = rules("max-gpu-hours: {plan: 5}\ndurations: {recorded: {k: 60}}\nlabels: {modifier: {}}")
    assert (own.max_gpu_hours.plan, own.max_gpu_hours.pull) == (5, 8000)
    assert (own.durations.recorded, own.durations.fixed) == ({"k": 60}, 1200)
    assert not own.labels.modifiers
    assert own.labels.primaries == rules().labels.primaries


def test_no_limit_can_be_written() -> None:
    assert rules("max-gpu-hours: {plan: null}").max_gpu_hours.excess(1e9, 0) != ""
    assert rules("max-gpu-hours: {plan: null, pull: null}").max_gpu_hours.excess(1e9, 0) == ""


def test_labels_of_an_adopters_priority_file_are_priority_labels() -> None:
    text = """
    version: 1
    base-score: 1.0
    labels:
      skip: {name: skip_queue}
      patch: {names: [engine-patch], score: 0.0, waived-by: [patch-waived]}
    """
    own = settings.parse("", priorities=text)
    assert set(own.labels.priorities) == {"skip_queue", "engine-patch", "patch-waived"}
    assert policy.priority_labels("version: 1") == frozenset()


def test_every_shipped_key_reaches_the_rules() -> None:
    shipped = yaml.safe_load(settings.SHIPPED.read_text())
    fields = {name.replace("-", "_") for name in shipped} - {"format"}
    assert fields == set(Rules.__dataclass_fields__)


def test_every_shipped_key_is_commented() -> None:
    """Beside it, or on the line above; rows of the label tables explain themselves by their fields."""
    lines = settings.SHIPPED.read_text().splitlines()
    keys = [(n, line) for n, line in enumerate(lines) if line.strip() and line.strip()[0] not in "#{"]
    rows = ("    ", "    spec-", '  - "')
    bare = [line for n, line in keys if "#" not in line + lines[n - 1] and not line.startswith(rows)]
    assert bare == []


def test_paths_are_below_the_root_of_the_layout() -> None:
    layout = rules("layout: {root: inferencex-e2e/}").layout
    assert layout.path(layout.changelog) == "inferencex-e2e/perf-changelog.yaml"
    assert rules().layout.path("configs") == "configs"
