"""Who is behind a team: the file first, then an App's token, and never a guess."""

from typing import Any

import pytest

from infx.edge.api import Denied
from infx.edge.teams import Members, app_api
from infx.errors import BadInput, CouldNotTell
from infx.facts import Answer
from infx.read.teams import Teams, teams


class Api:
    """Answers by path: a mapping, or a status that denies."""

    def __init__(self, **answers: Any) -> None:
        self.answers, self.asked = answers, 0

    def get(self, path: str) -> Any:
        self.asked += 1
        answer = self.answers["member" if "memberships" in path else "team"]
        if isinstance(answer, int):
            raise Denied(answer, "no", where=path) if answer < 500 else CouldNotTell("502")
        return answer


@pytest.mark.parametrize(
    ("member", "team", "answer"),
    [
        ({"state": "active"}, {}, Answer.YES),
        ({"state": "pending"}, {}, Answer.NO),
        (404, {"slug": "nv"}, Answer.NO),
        (404, 404, Answer.UNKNOWN),
        (403, {}, Answer.UNKNOWN),
        (502, {}, Answer.UNKNOWN),
        (404, 502, Answer.UNKNOWN),
    ],
)
def test_membership_is_told_in_three_values(member: Any, team: Any, answer: Answer) -> None:
    api: Any = Api(member=member, team=team)
    members = Members(listed=Teams(), api=api)
    assert members.answer("@org/nv", "ada") == answer
    asked = api.asked
    assert members.answer("@ORG/nv", "Ada") == answer
    assert api.asked == asked


def test_without_a_token_nobody_knows() -> None:
    assert Members(listed=Teams()).answer("@org/nv", "ada") == Answer.UNKNOWN
    assert Members(listed=Teams()).answer("ada@example.com", "ada") == Answer.UNKNOWN


def test_the_file_wins() -> None:
    api: Any = Api(member={"state": "active"}, team={})
    listed = teams("teams: {org/nv: [Ada, '@bea']}\nemails: {Cleo@Example.com: cleo}\n")
    members = Members(listed=listed, api=api)
    answers = [members.answer("@Org/NV", name) for name in ("ada", "BEA", "eva")]
    assert answers == [Answer.YES, Answer.YES, Answer.NO]
    assert members.answer("cleo@example.com", "Cleo") == Answer.YES
    assert api.asked == 0


@pytest.mark.parametrize(
    "text", ["team: {}", "teams: {nv: [a]}", "teams: {org/nv: ada}", "emails: {a@b.c: [x]}"]
)
def test_a_wrong_file_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        teams(text)


def test_no_app_and_a_key_that_is_none() -> None:
    assert app_api({}) is None
    assert app_api({"INFX_APP_ID": "7"}) is None
    with pytest.raises((BadInput, CouldNotTell)):
        app_api({"INFX_APP_ID": "7", "INFX_APP_KEY": "no key", "GITHUB_REPOSITORY": "o/r"})
