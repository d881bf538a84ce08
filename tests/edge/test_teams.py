"""Who is behind a team: the file first, then an App's token, and never a guess."""

from collections.abc import Iterator
from typing import Any

import pytest

from infx.edge.api import Denied
from infx.edge.teams import Members, app_api
from infx.errors import BadInput, CouldNotTell
from infx.facts import Answer
from infx.read.teams import Teams, teams


class Api:
    """Lists of members by team; a status denies, or breaks off in the middle."""

    def __init__(self, *logins: str, status: int = 0) -> None:
        self.logins, self.status, self.asked = logins, status, list[str]()

    def pages(self, path: str) -> Iterator[Any]:
        self.asked.append(path)
        yield from ({"login": login} for login in self.logins)
        if self.status:
            raise Denied(self.status, "no", where=path) if self.status < 500 else CouldNotTell("502")


def behind(api: Any, *people: str, team: str = "@org/nv") -> list[Answer]:
    members = Members(listed=Teams(), api=api)
    return [members.answer(team, person) for person in people]


def test_a_team_is_listed_once_whoever_signs() -> None:
    api = Api("Ada", "bea")
    people = ["ada", "BEA", *(f"eva{number}" for number in range(500))]
    assert behind(api, *people) == [Answer.YES, Answer.YES, *[Answer.NO] * 500]
    assert api.asked == ["/orgs/org/teams/nv/members"]


@pytest.mark.parametrize("status", [401, 403, 404, 502])
def test_half_a_list_is_no_list(status: int) -> None:
    assert behind(Api("ada", status=status), "ada", "eva") == [Answer.UNKNOWN, Answer.UNKNOWN]


def test_more_people_or_teams_than_are_looked_up_could_not_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infx.edge.teams.TEAMS", 3)
    monkeypatch.setattr("infx.edge.teams.PEOPLE", 5)
    api: Any = Api("ada", "bea")
    members = Members(listed=Teams(), api=api)
    answers = [members.answer(f"@org/t{number}", "ada") for number in range(5)]
    assert answers == [Answer.YES, Answer.YES, *[Answer.UNKNOWN] * 3]
    assert len(api.asked) == 3


def test_without_a_token_nobody_knows() -> None:
    assert Members(listed=Teams()).answer("@org/nv", "ada") == Answer.UNKNOWN
    assert Members(listed=Teams()).answer("ada@example.com", "ada") == Answer.UNKNOWN


def test_the_file_wins() -> None:
    api: Any = Api("eva")
    listed = teams("teams: {org/nv: [Ada, '@bea']}\nemails: {Cleo@Example.com: cleo}\n")
    members = Members(listed=listed, api=api)
    answers = [members.answer("@Org/NV", name) for name in ("ada", "BEA", "eva")]
    assert answers == [Answer.YES, Answer.YES, Answer.NO]
    assert members.answer("cleo@example.com", "Cleo") == Answer.YES
    assert api.asked == []


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
