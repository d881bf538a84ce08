"""Teams: whether a person stands behind an owner that is a team or an address, in three values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from infx.edge.api import Api, Denied
from infx.errors import BadInput, CouldNotTell, InfxError
from infx.facts import Answer
from infx.read.teams import Teams


@dataclass(frozen=True, kw_only=True)
class Members:
    """The file `teams.yaml`, and an App's token where there is one (permission Members: read)."""

    listed: Teams
    api: Api | None = None
    asked: dict[tuple[str, str], Answer] = field(default_factory=dict)

    def answer(self, owner: str, login: str) -> Answer:
        """Whether `login` is behind `owner` (`@org/team` or an address)."""
        place = (owner.lower(), login.lower())
        if place not in self.asked:
            self.asked[place] = self._answer(owner, login)
        return self.asked[place]

    def _answer(self, owner: str, login: str) -> Answer:
        known = self.listed.members(owner)
        if known is not None:
            return Answer.YES if login.lower() in known else Answer.NO
        if self.api is None or not owner.startswith("@"):
            return Answer.UNKNOWN
        org, _, team = owner[1:].partition("/")
        return self._look(self.api, f"/orgs/{quote(org, safe='')}/teams/{quote(team, safe='')}", login)

    def _look(self, api: Api, team: str, login: str) -> Answer:
        """404 of a membership means no only where the team itself can be read."""
        try:
            state = api.get(f"{team}/memberships/{quote(login, safe='')}").get("state")
            return Answer.YES if state == "active" else Answer.NO
        except Denied as no:
            if no.status != 404:
                return Answer.UNKNOWN
        except CouldNotTell:
            return Answer.UNKNOWN
        try:
            api.get(team)
        except InfxError:
            return Answer.UNKNOWN
        return Answer.NO


def app_api(env: Mapping[str, str]) -> Api | None:
    """Api with a token of the App that the environment names; None when it names none, CouldNotTell when
    GitHub gives no token for it."""
    number, key = env.get("INFX_APP_ID", ""), env.get("INFX_APP_KEY", "")
    if not (number and key):
        return None
    from github import Auth, GithubException, GithubIntegration  # late: few runs have an App
    from jwt import PyJWTError

    url = env.get("GITHUB_API_URL") or "https://api.github.com"
    owner, _, name = env.get("GITHUB_REPOSITORY", "").partition("/")
    try:
        app = GithubIntegration(auth=Auth.AppAuth(number, key), base_url=url)
        return Api(app.get_access_token(app.get_repo_installation(owner, name).id).token, url)
    except (GithubException, OSError) as problem:
        raise CouldNotTell(
            f"GitHub gave no token for the App ({type(problem).__name__})",
            where="INFX_APP_ID",
            todo="check id, key and installation",
        ) from problem
    except (PyJWTError, ValueError) as problem:
        raise BadInput("not a private key", where="INFX_APP_KEY", todo="give the App's PEM file") from problem
