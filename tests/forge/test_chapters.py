"""What the demo's pull request changes is there to be changed, and may be submitted."""

from infx.evidence import scenario
from infx.forge.chapters import CHANGES, MASTER
from infx.matrix import generate
from infx.read.config import read_catalog
from infx.read.models import models
from tests import recipes

RUNNERS = "configs/runners.yaml"


def changed() -> str:
    text = (recipes.ROOT / MASTER).read_text()
    for old, new in CHANGES:
        assert old in text
        text = text.replace(old, new)
    return text


def test_the_demo_measures_scenarios_that_may_be_submitted() -> None:
    runners = (recipes.ROOT / RUNNERS).read_bytes()
    catalog = read_catalog([(MASTER, changed().encode())], (RUNNERS, runners))
    jobs = generate.test_config(catalog, generate.TestConfig(config_keys=("demo-*",)))
    accepted = models((recipes.ROOT / "configs/models.yaml").read_text())
    assert jobs
    assert {scenario(job.row) for job in jobs} <= set(accepted.scenarios)
