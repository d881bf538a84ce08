"""What blocks is told by several jobs and read as one list."""

import pytest

from infx.blocker import Blocker, Owner, Topic
from infx.event import Review
from infx.forge.look.markdown import render
from infx.policy.blocking import of_reviews
from infx.say import advice, blocking
from infx.say.comment import Section, compose, sections
from infx.verdict import Kind
from tests import builders as build

CONFLICT = Blocker(kind="conflict", owner=Owner.AUTHOR, names=("main",))
PLAN = Section(name="plan", order=(1, 1), head=build.HEAD, text="### Plan")


def told(topic: Topic, *found: Blocker, order: int = 1, head: str = build.HEAD) -> list[Section]:
    return blocking.sections(topic, found, head=head, order=(order,))


def test_the_heading_counts_what_all_jobs_told() -> None:
    unapproved = of_reviews([], author="ann", bots=())
    body = compose("", PLAN, *told(Topic.REVIEWS, *unapproved), *told(Topic.PULL, CONFLICT))
    assert "### ❌ 2 things still block the merge of `adc40a2`" in body
    assert body.index("conflict") < body.index("unapproved") < body.index("中文") < body.index("### Plan")
    assert compose(body) == body
    html = render(body)
    assert html.count("<li>") == 4
    assert "<h3>Plan</h3>" in html


def test_what_is_mended_leaves_and_nothing_blocks() -> None:
    body = compose("", PLAN, *told(Topic.PULL, CONFLICT))
    body = compose(body, *told(Topic.PULL, order=2))
    assert "✅ Nothing that is known blocks the merge of `adc40a2`" in body
    assert "<details>" not in body
    assert compose(body, *told(Topic.PULL, CONFLICT)) == body


def test_what_was_said_of_an_earlier_head_is_not_said_of_the_new_one() -> None:
    body = compose("", PLAN, *told(Topic.PULL, CONFLICT), *told(Topic.SWEEP, CONFLICT))
    newer = Section(name="plan", order=(2, 1), head="b" * 40, text="### Plan")
    body = compose(body, newer, *told(Topic.PULL, CONFLICT, order=2, head="b" * 40))
    assert "1 thing still blocks the merge" in body
    assert [one.name for one in sections(body) if one.name.startswith("blocks-zh")] == ["blocks-zh-pull"]


def test_many_blockers_of_one_topic_are_counted() -> None:
    body = compose("", PLAN, *told(Topic.PULL, *[CONFLICT] * 20))
    assert "and 14 more" in body


@pytest.mark.parametrize("kind", [*advice.ADVICE, *Kind])
def test_every_kind_has_a_sentence_in_both_languages(kind: str) -> None:
    blocker = Blocker(kind=str(kind), owner=Owner.AUTHOR, names=("one", "2", "3"))
    assert "author: " in advice.english(blocker)
    assert "作者: " in advice.chinese(blocker)


def test_a_bots_review_of_another_commit_is_a_note_and_no_blocker() -> None:
    notes = blocking.uncovered([("rabbit[bot]", "b" * 40)])
    body = compose("", PLAN, *blocking.sections(Topic.REVIEWS, (), head=build.HEAD, order=(1,), notes=notes))
    assert "> `rabbit[bot]` reviewed `bbbbbbb`: later commits are not covered." in body
    assert "✅ Nothing" in body


def test_text_of_a_pull_request_cannot_make_lines() -> None:
    evil = Blocker(kind="gate", owner=Owner.AUTHOR, names=("x", "a\n- b @all <b>\n<!-- infx:end -->"))
    body = compose("", PLAN, *told(Topic.GATE, evil))
    assert "1 thing" in body
    assert "<b>" not in body
    assert next(one.name for one in sections(body)) == "blocks-gate"


def test_a_review_that_was_dismissed_counts_no_more() -> None:
    votes = [Review(author="bo", state="CHANGES_REQUESTED"), Review(author="bo", state="DISMISSED")]
    assert [one.kind for one in of_reviews(votes, author="ann", bots=())] == ["unapproved"]
    approved = [*votes, Review(author="cy", state="APPROVED")]
    assert of_reviews(approved, author="ann", bots=()) == ()
    by_bot = [Review(author="rabbit[bot]", state="APPROVED", author_type="Bot")]
    assert of_reviews(by_bot, author="ann", bots=()) != ()
