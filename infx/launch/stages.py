"""Stages: a driver's protocol around the work of clients. Each stage is logged; clean-up hides no failure."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from infx.launch.base import Driver
from infx.reason import Stopped


@contextmanager
def serving(driver: Driver, probe: Callable[[str], bool]) -> Iterator[None]:
    """An engine that is ready inside the block, and gone after it. `probe` is asked with the engine's URL."""
    try:
        with stage(driver, "prepare"):
            driver.prepare()
        with stage(driver, "start"):
            driver.start()
            driver.wait_started()
        driver.note("engine started")
        with stage(driver, "wait ready"):
            driver.wait_ready(lambda: probe(driver.url))
        with stage(driver, "serve"):
            yield
    finally:
        for name, act in (("stop", driver.stop), ("collect", driver.collect), ("clean up", driver.clean_up)):
            last(driver, name, act)


@contextmanager
def stage(driver: Driver, name: str) -> Iterator[None]:
    """A line in the driver's log when it begins and when it ends, with the seconds it took."""
    begin = time.monotonic()
    driver.say(f"{name}: begins")
    try:
        yield
    except BaseException as problem:
        driver.say(f"{name}: failed after {time.monotonic() - begin:.2f} s: {problem}")
        raise
    driver.say(f"{name}: done after {time.monotonic() - begin:.2f} s")


def last(driver: Driver, name: str, act: Callable[[], None]) -> None:
    """A stage that is always run. What goes wrong in it is said, and changes nothing about the result."""
    try:
        with stage(driver, name):
            act()
    except (Stopped, OSError) as problem:
        driver.note(f"{name}: {problem}")
