"""Teams: whether a person stands behind an owner that is a team or an address, in three values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from infx.edge.api import Api
from infx.errors import BadInput, CouldNotTell, InfxError
from infx.facts import Answer
from infx.read.place import At
from infx.read.teams import Teams

TEAMS, PEOPLE = 50, 5000
"""Most teams that are listed in one look, and most members of all of them: at most a hundred requests,
however many people sign."""


@dataclass(frozen=True, kw_only=True)
class Members:
    """The file `teams.yaml`, and an App's token where there is one (permission Members: read)."""

    listed: Teams
    api: Api | None = None
    seen: dict[str, frozenset[str] | None] = field(default_factory=dict)
    """Owner → logins behind it; None where nobody could tell."""

    def answer(self, owner: str, login: str) -> Answer:
        """Whether `login` is behind `owner` (`@org/team` or an address)."""
        known = self.listed.members(owner)
        if known is None:
            known = self._behind(owner.lower())
        if known is None:
            return Answer.UNKNOWN
        return Answer.YES if login.lower() in known else Answer.NO

    def _behind(self, owner: str) -> frozenset[str] | None:
        """Members of a team, looked up once."""
        if owner not in self.seen:
            asks = owner.startswith("@") and len(self.seen) < TEAMS
            self.seen[owner] = self._list(self.api, owner) if self.api and asks else None
        return self.seen[owner]

    def _list(self, api: Api, owner: str) -> frozenset[str] | None:
        """None when GitHub does not give the whole list, or there is no room for it."""
        org, _, team = owner[1:].partition("/")
        path = f"/orgs/{quote(org, safe='')}/teams/{quote(team, safe='')}/members"
        room = PEOPLE - sum(len(one) for one in self.seen.values() if one)
        found: set[str] = set()
        try:
            for item in api.pages(path):
                if len(found) >= room:
                    return None
                found.add(At(item, path)["login"].text().lower())
        except InfxError:
            return None
        return frozenset(found)


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
