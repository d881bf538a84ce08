"""Clients that nobody here wrote accept the forge."""

import pytest

from tests.forge.clients.used import SCRIPTS, use

pytestmark = pytest.mark.clients


@pytest.mark.parametrize("client", SCRIPTS)
def test_thirty_common_calls(world, client):
    used = use(world, client)
    assert len(used) >= 30, sorted(used)
