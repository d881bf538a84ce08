"""What leaves a recorded life, and what stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.forge.life.scrub import scrub

ADA = {
    "login": "ada-l",
    "type": "User",
    "id": 4711,
    "node_id": "U_x",
    "avatar_url": "https://a.example/u/4711",
}
AUTHOR = {"name": "Ada Lovelace", "email": "ada@engine.example", "username": "ada-l"}
BOT = {"login": "github-actions[bot]", "type": "Bot", "id": 41898282}


def text_of(*values: object) -> str:
    return json.dumps(scrub([{"kind": "event", "payload": value} for value in values]))


@pytest.mark.parametrize(
    "secret",
    [
        "ghp_" + "a1" * 18,
        "github_pat_" + "a1" * 20,
        "hf_" + "a1" * 17,
        "eyJhbGciOiJub25lIn0.eyJzY3AiOiJBIn0.",
        "https://x.example/_blobs/1?sp=r&sig=0123abc",
        "https://user:hunter2@x.example/",
        "Authorization: Bearer abcdef0123456789abcdef",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
    ],
)
def test_secrets_go(secret):
    shown = text_of({"body": f"before {secret} after"})
    assert "before" in shown
    assert "***" in shown
    for part in ("a1a1", "eyJ", "0123abc", "hunter2", "abcdef0123", "MIIE"):
        assert part not in shown


def test_a_person_becomes_one_pseudonym_everywhere():
    shown = text_of(
        {"user": ADA, "commit": {"author": AUTHOR}},
        {"body": "thanks @ada-l\nSigned-off-by: Ada Lovelace <ada@engine.example>", "label": "ada-l:feature"},
    )
    for part in ("ada", "Ada", "Lovelace", "engine.example", "4711", "U_x"):
        assert part not in shown
    assert "thanks @person-1\\nSigned-off-by: person-1 <person-1@users.invalid>" in shown
    assert "person-1:feature" in shown


def test_bots_organizations_and_githubs_own_words_stay():
    open_user = {"login": "open", "type": "User", "name": None}
    shown = scrub([{"kind": "event", "state": "open", "body": "open", "users": [open_user, BOT]}])[0]
    assert (shown["state"], shown["body"]) == ("open", "person-1")
    assert shown["users"][1] == BOT


def test_a_pinned_action_is_no_address():
    assert "actions/checkout@v4.1.0" in text_of({"body": "actions/checkout@v4.1.0"})


@given(
    st.recursive(
        st.text(max_size=20), lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=9), inner)
    )
)
def test_the_shape_stays_and_twice_is_once(value):
    once = scrub([{"kind": "event", "payload": value, "user": ADA}])
    assert scrub(once) == once
