import pytest

from infx.errors import BadInput
from infx.read.power import trace

HEAD = '{"boot": "b", "driver": "580"}\nunix_s,steady_s,gpu,power_w,energy_j,own,foreign\n'


def test_samples_by_gpu_and_what_a_driver_did_not_say() -> None:
    found = trace(HEAD + "1.5,0.5,GPU-a,500.0,1.0,1,0\n1.6,0.6,GPU-b,N/A,,0,2\n")
    assert found.boot == "b"
    assert [one.watts for one in found.gpus["GPU-a"]] == [500.0]
    (other,) = found.gpus["GPU-b"]
    assert (other.watts, other.joules, other.own, other.foreign) == (None, None, 0, 2)
    assert found.used == {"GPU-a": found.gpus["GPU-a"]}


def test_a_killed_sampler_may_leave_half_a_line() -> None:
    assert trace(HEAD + "1.5,0.5,GPU-a,500.0,1.0,0,0\n1.6,0.6,GP").gpus.keys() == {"GPU-a"}


@pytest.mark.parametrize(
    "text", ["", "[]\n", "x\n", "[" * 100_000, HEAD + "1,2,3\n", HEAD + "1,2,g,x,1,0,0\n"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        trace(text)
