"""Secrets of a repository and of its environments: everybody may see their names, nobody their values."""

import base64
import hashlib
from collections.abc import Callable
from typing import Any

from infx.forge import environments, settings
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.site import Json, Site

Kind = Callable[[Call], str]
"""Under what kind of setting the secrets of a path are kept."""


def shape(row: Row) -> Json:
    return {name: row[name] for name in ("name", "created_at", "updated_at")}


def private_key(site: Site) -> Any:
    """One for the whole forge; its key is secret enough for the secrets of tests."""
    from nacl.public import PrivateKey  # only who writes a secret needs it

    return PrivateKey(hashlib.sha256(site.hook_key.encode()).digest())


def opened(call: Call) -> str:
    """The secret of the body, sealed with the public key (docs: Encrypting secrets for the REST API)."""
    from nacl.exceptions import CryptoError
    from nacl.public import SealedBox

    sealed = call.bytes("encrypted_value")
    try:
        text: bytes = SealedBox(private_key(call.site)).decrypt(sealed)
    except (CryptoError, TypeError):
        raise Problem(422, "Bad request - crypto_box_seal decryption failed") from None
    return text.decode("utf-8", "replace")


def offer(path: str, kind: Kind, *, scope: str) -> None:
    """List, read, write and remove under one path."""
    one, read, write = f"{path}/{{secret}}", f"{scope}:read", f"{scope}:write"

    def listing(call: Call) -> Reply:
        sql = f"{settings.SETTING} ORDER BY name"
        return call.rows(sql, call.repo["id"], kind(call), shape=shape, envelope="secrets")

    def get(call: Call) -> Reply:
        row = settings.find(call.at, kind(call), call.params["secret"])
        if not row:
            raise not_found()
        return Reply(shape(row))

    def key(call: Call) -> Reply:
        kind(call)
        public = bytes(private_key(call.site).public_key)
        number = str(int.from_bytes(public[:7], "big"))
        return Reply({"key_id": number, "key": base64.b64encode(public).decode()})

    def put(call: Call) -> Reply:
        of, name, value = kind(call), call.params["secret"], opened(call)
        new = settings.find(call.at, of, name) is None
        settings.put(call.at, of, name, value=value)
        return created({}) if new else NOTHING

    def delete(call: Call) -> Reply:
        settings.remove(call.at, kind(call), get(call).body["name"])
        return NOTHING

    route("GET", path, read, role="write")(listing)
    route("GET", f"{path}/public-key", read, role="write")(key)
    route("GET", one, read, role="write")(get)
    route("PUT", one, write)(put)
    route("DELETE", one, write)(delete)


offer(f"{R}/actions/secrets", lambda call: "secret", scope="secrets")
offer(
    f"{R}/environments/{{name}}/secrets",
    lambda call: environments.held(call.at, call.params["name"], "secret"),
    scope="environments",
)
