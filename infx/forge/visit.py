"""Visit: one caller at one repository, the frame of nearly everything that is read or done."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from infx.forge.database import Database, Row
from infx.forge.repos import Bare
from infx.forge.site import Site


@dataclass(frozen=True, kw_only=True)
class Caller:
    """The owner of the token of one request. No login: nobody."""

    login: str = ""
    kind: str = "anonymous"
    """`anonymous`, `user`, `job` (GITHUB_TOKEN) or `app` (installation of a GitHub App)."""
    repo: int = 0
    run: int = 0
    job: int = 0
    permissions: Mapping[str, str] = field(default_factory=dict)

    @property
    def by_job(self) -> bool:
        return self.kind == "job"

    @property
    def by_app(self) -> bool:
        """Judged by the permissions of the token, not by a person's role."""
        return self.kind in ("job", "app")


NOBODY = Caller()


@dataclass(frozen=True)
class Visit:
    site: Site
    repo: Row
    caller: Caller = NOBODY

    @property
    def db(self) -> Database:
        return self.site.db

    @property
    def bare(self) -> Bare:
        """The repository's git folder."""
        return self.site.bare(self.repo)

    @property
    def branch(self) -> str:
        """The default branch."""
        name: str = self.repo["default_branch"]
        return name

    def tip(self, ref: str) -> str:
        """SHA of a branch or tag by its full name, from the mirror of refs; empty when there is none."""
        sha: str | None = self.db.value(
            "SELECT sha FROM refs WHERE repo = ? AND ref = ?", self.repo["id"], ref
        )
        return sha or ""

    @property
    def api(self) -> str:
        """Address of the repository for programs."""
        return f"{self.site.api}/repos/{self.repo['full_name']}"

    @property
    def page(self) -> str:
        """Address of the repository for people."""
        return f"{self.site.url}/{self.repo['full_name']}"

    def of(self, repo: Row) -> "Visit":
        """The same caller at another repository."""
        return replace(self, repo=repo)
