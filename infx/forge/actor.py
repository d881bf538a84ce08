"""Actor: what one person does in one repository. Every method returns once the engine took the events."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from infx.forge import forks, issues, merging, pulls, pushes, reviews
from infx.forge.database import Row
from infx.forge.shapes import pull as shapes
from infx.forge.site import Json
from infx.forge.visit import Visit

Files = Mapping[str, str | bytes | None]
"""Path → content; None removes the file."""


class Actor:
    """Made by `Forge.at`. Whatever it does, REST can do too."""

    def __init__(self, at: Visit, settle: Callable[[], object]) -> None:
        self.at, self._settle = at, settle

    def push(self, branch: str, files: Files, *, message: str) -> str:
        """One commit on top of a branch (a new one starts at the default branch); the commit's SHA."""
        bare, ref = self.at.bare, f"refs/heads/{branch}"
        tip = bare.ref(ref) or bare.ref(f"refs/heads/{self.at.branch}")
        written = [(path, self._blob(data), "100644") for path, data in files.items()]
        tree = bare.put_all(bare.commit(tip).tree if tip else "", written)
        who = pulls.person(self.at.site, self.at.caller.login)
        sha = bare.write_commit(tree, (tip,) if tip else (), message, author=who, committer=who)
        pushes.move(self.at, ref, sha)
        self._settle()
        return sha

    def _blob(self, data: str | bytes | None) -> str | None:
        if data is None:
            return None
        return self.at.bare.write_blob(data.encode() if isinstance(data, str) else data)

    def pushed(self) -> list[str]:
        """Look for refs that plain git moved, and tell them; their names."""
        moved = pushes.notice(self.at)
        self._settle()
        return moved

    def fork(self) -> str:
        """Full name of this person's fork."""
        name: str = forks.fork(self.at)["full_name"]
        return name

    def open_pull(self, head: str, *, title: str, base: str = "", **more: Any) -> int:
        """Number of the new pull request. `head` is `branch`, or `owner:branch` of a fork; `more`: `body`,
        `draft`, `labels`."""
        repo = self.at.repo
        owner, _, ref = head.rpartition(":")
        head_repo = self.at.site.repo(f"{owner}/{repo['name']}") if owner else repo
        base = base or repo["default_branch"]
        row = pulls.open_pull(self.at, title=title, head=(head_repo, ref), base=base, **more)
        self._settle()
        return int(row["number"])

    def push_to_pull(self, number: int, files: Files, *, message: str) -> str:
        """One more commit on the head branch of a pull request; its SHA."""
        row = self._pull(number)
        head = Actor(self.at.of(self.at.site.repo_by_id(row["head_repo"])), self._settle)
        return head.push(row["head_ref"], files, message=message)

    def pull(self, number: int) -> Json:
        """The pull request, as REST shows it."""
        return shapes.full(self.at, self._pull(number))

    def _pull(self, number: int) -> Row:
        return pulls.find(self.at, number)

    def label(self, number: int, *names: str) -> None:
        issues.add_labels(self.at, issues.find(self.at, number), names)
        self._settle()

    def unlabel(self, number: int, name: str) -> None:
        issues.remove_label(self.at, issues.find(self.at, number), name)
        self._settle()

    def comment(self, number: int, body: str) -> int:
        """Id of the new comment."""
        made = issues.comment(self.at, issues.find(self.at, number), body)
        self._settle()
        return int(made["id"])

    def edit_comment(self, comment_id: int, body: str) -> None:
        issues.edit_comment(self.at, issues.find_comment(self.at, comment_id), body)
        self._settle()

    def delete_comment(self, comment_id: int) -> None:
        issues.delete_comment(self.at, issues.find_comment(self.at, comment_id))
        self._settle()

    def review(self, number: int, event: str, body: str = "", *, inline: Sequence[Json] = ()) -> int:
        """`event`: APPROVE, REQUEST_CHANGES or COMMENT; id of the review."""
        row = self._pull(number)
        made = reviews.create(self.at, row, event=event, body=body, sha=row["head_sha"], inline=inline)
        self._settle()
        return int(made["id"])

    def edit(self, number: int, **changes: str) -> None:
        """`title`, `body`, `base`."""
        pulls.edit(self.at, self._pull(number), changes)
        self._settle()

    def set_draft(self, number: int, draft: bool) -> None:
        pulls.set_draft(self.at, self._pull(number), draft)
        self._settle()

    def close(self, number: int) -> None:
        pulls.set_state(self.at, self._pull(number), "closed")
        self._settle()

    def reopen(self, number: int) -> None:
        pulls.set_state(self.at, self._pull(number), "open")
        self._settle()

    def merge(self, number: int, *, method: str = "merge") -> str:
        """SHA of the new tip of the base branch."""
        sha = merging.merge(self.at, self._pull(number), method=method)
        self._settle()
        return sha
