"""Registry: does an image exist? Three answers: it is there, it is missing, or nobody could tell.

Only hosts that policy lists are asked: an image name comes from a pull request, and a name must not choose
which machine infx talks to. Protocol: the manifest and token parts of the OCI distribution specification.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from infx import image
from infx.image import Image

TIMEOUT_S = 5
MOST = 64
"""Images that one plan may ask about."""
MANIFESTS = ", ".join(
    f"application/vnd.{kind}+json"
    for kind in (
        "oci.image.index.v1",
        "oci.image.manifest.v1",
        "docker.distribution.manifest.list.v2",
        "docker.distribution.manifest.v2",
    )
)
CHALLENGE = re.compile(r'\b(\w{1,40})="([^"]*)"')


@dataclass(frozen=True, kw_only=True)
class Look:
    """What is known of one image."""

    answer: Literal["there", "missing", "unknown"]
    why: str = ""


@dataclass(kw_only=True)
class Registry:
    """Looks images up without an account. `addresses` is policy's `registries`: host → address of its API."""

    addresses: Mapping[str, str]
    silent: dict[str, str] = field(default_factory=dict)
    """Hosts that did not answer, and why; they are not asked twice."""

    def look(self, references: Iterable[str]) -> dict[str, Look]:
        """An answer for each reference as written, never an error; none at all without addresses."""
        if not self.addresses:
            return {}
        wanted = list(dict.fromkeys(references))
        found = {text: self._look(text) for text in wanted[:MOST]}
        return found | {
            text: Look(answer="unknown", why=f"more than {MOST} images") for text in wanted[MOST:]
        }

    def _look(self, text: str) -> Look:
        wanted = image.parse(text)
        if wanted is None:
            return Look(answer="unknown", why="not a registry reference")
        address = self.addresses.get(wanted.host)
        if address is None:
            return Look(answer="unknown", why=f"policy lists no registry {wanted.host}")
        if wanted.host in self.silent:
            return Look(answer="unknown", why=self.silent[wanted.host])
        return self._ask(address, wanted)

    def _ask(self, address: str, wanted: Image) -> Look:
        import httpx  # late: most commands ask no registry

        try:
            with httpx.Client(timeout=TIMEOUT_S, headers={"Accept": MANIFESTS}) as client:
                status = _status(client, f"{address}/v2/{wanted.repository}/manifests/{wanted.reference}")
        except (httpx.HTTPError, ValueError) as problem:
            self.silent[wanted.host] = f"{wanted.host} did not answer ({type(problem).__name__})"
            return Look(answer="unknown", why=self.silent[wanted.host])
        if status == 200:
            return Look(answer="there")
        if status == 404:
            return Look(answer="missing")
        private = "; the repository is private or does not exist" if status in (401, 403) else ""
        return Look(answer="unknown", why=f"{wanted.host} answered {status}{private}")


def _status(client: Any, url: str) -> int:
    """Status of a manifest, with an anonymous token when the registry wants one."""
    reply = client.head(url)
    if reply.status_code == 401:
        asked = dict(CHALLENGE.findall(reply.headers.get("www-authenticate", "")))
        if "realm" not in asked:
            return 401
        granted = client.get(asked.pop("realm"), params=asked)
        token = granted.json().get("token", "") if granted.status_code == 200 else ""
        if token:
            reply = client.head(url, headers={"Authorization": f"Bearer {token}"})
    return int(reply.status_code)
