import os
import signal

import pytest

from infx.launch.brake import Brake, signals
from infx.reason import Reason, Stopped
from infx.record import Outcome


def test_a_deadline_stops_waiting() -> None:
    with pytest.raises(Stopped, match=r"deadline of 0\.1 s") as stop:
        Brake(deadline_s=0.1).wait(lambda: False, limit_s=5)
    assert (stop.value.reason, stop.value.outcome) == (Reason.CANARY_TIMEOUT, Outcome.TIMEOUT)


def test_a_limit_is_an_answer() -> None:
    assert Brake().wait(lambda: False, limit_s=0.06) is False
    assert Brake(deadline_s=0).wait(lambda: True, limit_s=0) is True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_pull_the_brake_and_are_given_back(number: signal.Signals) -> None:
    before, brake = signal.getsignal(number), Brake()
    with signals(brake):
        os.kill(os.getpid(), number)
        with pytest.raises(Stopped, match=number.name):
            brake.check()
    assert signal.getsignal(number) is before
