from collections.abc import Callable
from typing import Any

import pytest

from infx.errors import BadInput
from infx.read.tables import curve, features, records


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (records, "", {}),
        (records, "clusters: { a: { driver: local } }", {"a": {"driver": "local"}}),
        (features, "features: { X: 'a/b:1' }", {"X": "a/b:1"}),
        (curve, "m: { thinking_on: { 3: 3.39 } }", {"thinking_on": {3: 3.39}}),
    ],
)
def test_what_planning_gets(read: Callable[..., Any], text: str, value: Any) -> None:
    assert read(text.encode(), where="f") == value


@pytest.mark.parametrize(
    ("read", "text", "says"),
    [
        (records, "clusters: { a: 5 }", "correct `clusters.a`"),
        (records, "clusters: { a: { load: 5 } }", "correct `clusters.a.load`"),
        (records, "clusters: [a]", "correct `clusters`"),
        (records, "[a]", "correct the document"),
        (features, "features: { X: 1 }", "correct `features.X`"),
        (curve, "m: 5", "correct `m`"),
        (curve, "m: { thinking_on: 5 }", "correct `m.thinking_on`"),
        (curve, "{}", "exactly one model"),
        (curve, "5", "a mapping"),
    ],
)
def test_another_shape_is_bad_input_with_its_place(read: Callable[..., Any], text: str, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(text.encode(), where="f")
    assert says in caught.value.sentence
