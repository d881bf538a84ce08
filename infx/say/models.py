"""docs/MODELS.md, made of `configs/models.yaml`."""

from collections.abc import Iterator, Mapping

from infx.models import Models, Window

HEAD = """# Models, scenarios and engines that may be submitted

Made of `configs/models.yaml` by `make docs`. A window counts for pull requests opened on its days; no window
means always.
"""


def page(models: Models) -> str:
    """The whole page."""
    return "\n".join([HEAD, *_models(models), "", *_scenarios(models), "", *_engines(models), ""])


def _models(models: Models) -> Iterator[str]:
    yield from ("| prefix | model | window | checkpoints | precisions |", "|---|---|---|---|---|")
    for prefix, one in models.models.items():
        points = ", ".join(f"`{name}`" for name in one.checkpoints)
        yield f"| `{prefix}` | {one.name} | {one.window.text} | {points} | {_windows(one.precisions)} |"


def _scenarios(models: Models) -> Iterator[str]:
    yield from ("| scenario | shown as | window | arms |", "|---|---|---|---|")
    for key, one in models.scenarios.items():
        yield f"| `{key}` | {one.name} | {one.window.text} | {_windows(one.arms)} |"


def _engines(models: Models) -> Iterator[str]:
    yield from ("| engine | name | first | images | recipes |", "|---|---|---|---|---|")
    for key, one in models.engines.items():
        images = ", ".join(f"`{name}`" for name in one.images)
        recipes = ", ".join(f"<{address}>" for address in one.recipes) or "none"
        yield f"| `{key}` | {one.name} | {'yes' if one.first else 'no'} | {images} | {recipes} |"


def _windows(found: Mapping[str, Window]) -> str:
    bare = Window()
    return (
        ", ".join(
            f"`{name}`" if window == bare else f"`{name}` ({window.text})" for name, window in found.items()
        )
        or "any"
    )
