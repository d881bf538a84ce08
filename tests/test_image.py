import pytest

from infx.image import Image, parse


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("lmsysorg/sglang:v0.5.16-cu130", ("docker.io", "lmsysorg/sglang", "v0.5.16-cu130")),
        ("ubuntu", ("docker.io", "library/ubuntu", "latest")),
        ("nvcr.io/nvidia/x/y:1", ("nvcr.io", "nvidia/x/y", "1")),
        (
            "nvcr.io#nvidia/tensorrt-llm/release:1.3.0rc14",
            ("nvcr.io", "nvidia/tensorrt-llm/release", "1.3.0rc14"),
        ),
        ("127.0.0.1:5000/a:b", ("127.0.0.1:5000", "a", "b")),
        (f"a/b:1@sha256:{'0' * 64}", ("docker.io", "a/b", f"sha256:{'0' * 64}")),
    ],
)
def test_references_as_recipes_write_them(text: str, parts: tuple[str, str, str]) -> None:
    host, repository, reference = parts
    assert parse(text) == Image(host=host, repository=repository, reference=reference)


@pytest.mark.parametrize(
    "text", ["", "UPPER/case:1", "a/b:1?x=y", "a/../b:1", "http://host/a", "a b", "a/b:1\n", "/srv/x.sqsh"]
)
def test_anything_else_is_none(text: str) -> None:
    assert parse(text) is None
