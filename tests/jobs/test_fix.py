import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infx import block
from infx.jobs.new import entry as text_of
from infx.policy.changelog import Facts, gate
from infx.read.appended import read_appended
from infx.versions import Versions, right
from tests.policy.test_changelog import MESS, PULLS, STATES
from tests.repo import CHANGELOG, MASTER, Repo, entry

M1 = "m1-fp8-h200-sglang"


def test_placeholder_and_bytes_are_repaired_together(repo: Repo) -> None:
    repo.write({"perf-changelog.yaml": CHANGELOG + entry(M1, "XXX").lstrip("\n").rstrip("\n")})
    assert repo.infx("changelog", "fix", "--base", "main", "--pr", "7")[0] == 0
    assert repo.read("perf-changelog.yaml") == CHANGELOG + entry(M1)


def test_nothing_to_fix_writes_nothing(repo: Repo) -> None:
    code, _, err = repo.infx("changelog", "fix", "--base", "main")
    assert code == 0
    assert "nothing to fix" in err


def test_new_then_check_passes(repo: Repo) -> None:
    repo.write({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4]")})
    text = 'says "why": #1 \\ 中文'
    assert repo.infx("changelog", "new", "--base", "main", "--description", text)[0] == 0
    assert repo.read("perf-changelog.yaml").startswith(CHANGELOG)
    repo.commit({})
    assert repo.infx("changelog", "check", "--base", "main", "--pr", "7")[0] == 0


def test_new_links_to_a_number_only(repo: Repo) -> None:
    repo.write({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4]")})
    new = ("changelog", "new", "--base", "main", "--description", "x", "--pr")
    with pytest.raises(SystemExit):
        repo.infx(*new, "seven")
    assert repo.infx(*new, "7")[0] == 0
    assert repo.read("perf-changelog.yaml").endswith("/pull/7\n")


def test_new_refuses_without_a_changed_key_and_beside_another_entry(repo: Repo) -> None:
    new = ("changelog", "new", "--base", "main", "--description", "x")
    assert repo.infx(*new)[0] == 1
    repo.write({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4]")})
    assert repo.infx(*new)[0] == 0
    assert repo.infx(*new)[0] == 1


NAMES = st.sampled_from(["a", "b-1", "c.d", "odd key", "yes", "0x1", "null", "1e-5", "é-x"])
KEYS = st.lists(NAMES, min_size=1, max_size=4, unique=True)
SAID = st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=30), min_size=1, max_size=3)


@given(STATES, MESS.map(b"".join), KEYS, SAID)
@settings(deadline=None)
def test_what_new_and_fix_write_passes_the_gate(
    base: bytes, more: bytes, keys: list[str], said: list[str]
) -> None:
    """Whatever stands on the base and whatever is said: the file is right and reads back as it was meant."""
    target = right(Versions(merge_base=base, target=base, head=base + b"\n" + more))
    written = target + block.tail(target, [text_of(keys, said, f"{PULLS}/9").encode()])
    versions = Versions(merge_base=base, target=target, head=written)
    entries, kind, sentence = read_appended(versions.added.decode(), line=1, where="log")
    assert (kind, sentence) == ("", "")
    assert [(one.config_keys, one.description) for one in entries] == [(tuple(keys), tuple(said))]
    facts = Facts(pulls=PULLS, pr=9, keys=(*keys, "a-b"), changed=frozenset(keys))
    assert gate(versions, facts, entries).kind == "appended"
    damaged = written.replace(b"\n\n", b"\n \n\n").rstrip(b"\n").replace(b"\n", b"\r\n")
    assert right(Versions(merge_base=base, target=target, head=damaged)) == written
