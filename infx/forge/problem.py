"""Problem: an answer that is not what was asked for, in GitHub's words."""

from collections.abc import Mapping, Sequence
from typing import Any

from infx.forge.docs import ROOT


class Problem(Exception):
    """Raised anywhere below a route; the app answers with `status` and GitHub's error body."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: Sequence[Mapping[str, Any] | str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.errors = status, message, errors
        self.headers = dict(headers or {})

    def as_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"message": self.message}
        if self.errors:
            body["errors"] = list(self.errors)
        return {**body, "documentation_url": ROOT, "status": str(self.status)}


def not_found() -> Problem:
    return Problem(404, "Not Found")


def invalid(message: str, *errors: Mapping[str, Any] | str) -> Problem:
    return Problem(422, message, errors=errors)


def wrong(resource: str, field: str, code: str = "invalid") -> Problem:
    """GitHub's answer to one bad field."""
    return invalid("Validation Failed", {"resource": resource, "field": field, "code": code})


def refused(message: str = "Resource not accessible by integration") -> Problem:
    return Problem(403, message)
