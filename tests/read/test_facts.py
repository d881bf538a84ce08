"""Facts documents: written, read again, and valid by the published schema."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given

import infx
from infx.errors import BadInput
from infx.facts import Facts, PermitFacts, Role
from infx.golden import Curve, Stated
from infx.jobs import schema
from infx.read import facts as documents
from infx.read.speculation import spoken
from infx.signoff import Claim
from infx.source import SourceFacts
from tests.builders import FULL, event, run_of
from tests.checks.subjects import served, subject
from tests.policy import test_signoff as signoffs
from tests.policy import test_source as sources
from tests.policy.test_gate import FACTS

SCHEMAS = Path(infx.__file__).parent / "schemas"


@given(FACTS)
def test_facts_come_back_as_they_went(facts: Facts) -> None:
    text = json.dumps(documents.write(facts))
    assert documents.read(json.loads(text), "event", where="f.json") == facts
    jsonschema_rs.validator_for(documents.schema("event")).validate(json.loads(text))


def test_both_validators_accept_a_full_document() -> None:
    labeled = event("labeled", FULL, (FULL,))
    document = documents.write(event("labeled", FULL, (FULL,), runs=(run_of(1, labeled),), run_id=2))
    jsonschema.validate(json.loads(json.dumps(document)), documents.schema("event"))


def test_permit_facts_come_back() -> None:
    facts = PermitFacts(person=Role(login="ada", permission="write"), editor=Role(login="eve"))
    assert documents.read(documents.write(facts), "permit", where="f") == facts


@given(sources.FACTS)
def test_source_facts_come_back_as_they_went(facts: SourceFacts) -> None:
    text = json.dumps(documents.write(facts))
    assert documents.read(json.loads(text), "source", where="f.json") == facts
    jsonschema_rs.validator_for(documents.schema("source")).validate(json.loads(text))


def test_signoff_facts_come_back_with_everything_that_checks_look_at() -> None:
    stated = Stated(flags={"--speculative-algorithm": "EAGLE", "--speculative-num-steps": "3"})
    one = served(flags=stated.flags, spoken=spoken("sglang", stated), config={"model": "org/draft"})
    curve = Curve(name="q_mtp", source="", model="q", about="", values={"thinking_on": {3: 3.39}})
    facts = signoffs.facts(
        signoffs.said(claims=(Claim(item="sweep-green", ticked=False, reason="x"),)),
        assessed=(signoffs.old(),),
        diffs={"a": "b"},
        subject=subject(served=(one,), curves=(curve,)),
    )
    text = json.dumps(documents.write(facts))
    assert documents.read(json.loads(text), "signoff", where="f.json") == facts
    jsonschema_rs.validator_for(documents.schema("signoff")).validate(json.loads(text))


@pytest.mark.parametrize("name", [*(f"facts-{topic}" for topic in documents.TOPICS), "decision"])
def test_the_published_schema_is_the_one_in_use(name: str) -> None:
    assert json.loads((SCHEMAS / f"{name}.json").read_text()) == schema.document(name)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"webhok": {}}, 'unknown field "webhok" (did you mean "webhook"?)'),
        ({"reuse": "maybe"}, "one of none, covers"),
        ({"webhook": {"action": "x"}}, "`webhook.name`"),
        ({"runs": [{"id": -1}]}, "`runs[0].id`"),
        ({"format": 9}, "newer format"),
        ({"facts": "source"}, "holds facts of source"),
        ({"runs": 3}, "`runs`"),
    ],
)
def test_a_bad_document_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput) as caught:
        documents.read({**documents.write(event()), **change}, "event", where="f.json")
    assert says in caught.value.sentence
