"""Vega: its scripts for a page, and pictures of charts without a browser. No network is used."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infx.edge import files
from infx.errors import BadInput

Picture = Mapping[str, Any]
"""A Vega-Lite specification with its data."""


def scripts(env: Mapping[str, str]) -> str:
    """JavaScript of Vega, Vega-Lite and vega-embed in one piece. Putting it together takes seconds, so it is
    kept in the user's cache, if there is one."""
    import vl_convert  # late: 80 MB of library

    kept = _cache(env, f"vega-{vl_convert.get_vega_version()}-{vl_convert.get_vega_embed_version()}.js")
    if kept is not None and kept.is_file():
        return files.read_text(kept)
    text: str = vl_convert.javascript_bundle()  # type: ignore[call-arg] # its stub lacks the default
    if kept is not None:
        try:
            files.write_text(kept, text)
        except OSError:  # a cache that cannot be written is no cache
            return text
    return text


def _cache(env: Mapping[str, str], name: str) -> Path | None:
    root = env.get("XDG_CACHE_HOME") or (f"{env['HOME']}/.cache" if env.get("HOME") else "")
    return Path(root) / "infx" / name if root else None


def picture(spec: Picture, *, kind: str) -> bytes:
    """The chart as `svg` or `png` (twice the pixels, for sharp screens)."""
    import vl_convert

    if kind == "svg":
        return vl_convert.vegalite_to_svg(json.dumps(spec)).encode()
    if kind == "png":
        return bytes(vl_convert.vegalite_to_png(json.dumps(spec), scale=2))
    raise BadInput(f"no picture of the kind {kind!r:.20}", todo="give svg or png")
