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


def test_new_refuses_without_a_changed_key_and_beside_another_entry(repo: Repo) -> None:
    new = ("changelog", "new", "--base", "main", "--description", "x")
    assert repo.infx(*new)[0] == 1
    repo.write({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4]")})
    assert repo.infx(*new)[0] == 0
    assert repo.infx(*new)[0] == 1
