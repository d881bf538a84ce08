"""Clients that nobody here wrote accept the forge."""

import pytest

from tests.forge.clients.used import SCRIPTS, use
from tests.forge.table import shown, written

pytestmark = [pytest.mark.clients, pytest.mark.node]


@pytest.mark.parametrize("client", SCRIPTS)
def test_thirty_common_calls(world, client):
    used = use(world, client)
    assert len(used) >= 30, sorted(used)
    assert {shown(one) for one in used} == documented(client)


def documented(client: str) -> set[str]:
    """Endpoints with a tick in the client's column of docs/forge.md."""
    rows = [[cell.strip() for cell in line.split("|")] for line in written().splitlines()[2:]]
    place = list(SCRIPTS).index(client) + 2
    return {row[1].strip("`") for row in rows if row[place]}
