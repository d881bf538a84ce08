"""docs/forge.md is current; the ticks of the clients are compared where the clients run."""

from infx.forge.faults import DELIVERIES, REQUESTS
from tests.forge.clients.used import SCRIPTS
from tests.forge.table import DIFFERENCES, PAGE, offered, table, written
from tests.forge.webhooks import SENT


def test_the_table_has_every_endpoint_and_difference():
    nobody: dict[str, set[str]] = {client: set() for client in SCRIPTS}
    ticks = written().replace("✓", "").replace("  ", " ")
    assert ticks == table(nobody).replace("  ", " ")


def test_differences_are_of_endpoints_that_exist():
    assert set(DIFFERENCES) <= set(offered())


def test_the_page_names_every_fault_and_event():
    text = PAGE.read_text()
    assert [name for name in (*REQUESTS, *DELIVERIES, *SENT) if f"`{name}`" not in text] == []
