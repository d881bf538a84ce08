"""`python -m infx.simulator --port 8000 --model demo`: serves until it is ended."""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import uvicorn

from infx.simulator.api import App
from infx.simulator.engine import ROLES, Engine, Faults
from infx.simulator.prefix import Prefixes


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="simulator", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--model", required=True, help="id that clients must name")
    parser.add_argument("--max-model-len", type=int, default=8192, help="prompt and output tokens together")
    parser.add_argument("--role", choices=ROLES, default="", help="one half of a disaggregated engine")
    parser.add_argument("--accuracy", type=float, default=0.97, help="share of word problems answered right")
    parser.add_argument("--load-seconds", type=float, default=0.2, help="time until it is ready")
    parser.add_argument("--speedup", type=float, default=1.0, help="engine time divided by this")
    parser.add_argument("--prefix-caching", action="store_true", help="reuse prompts seen before")
    parser.add_argument("--stamps", type=Path, metavar="FILE", help="write when each request had its tokens")
    parser.add_argument(
        "--fault",
        default="",
        help="hang-at=N, die-after=N, die-loading, malformed, zero-tokens, early; several with commas",
    )
    return parser.parse_args(argv)


def faults(text: str) -> Faults:
    """`hang-at=4,malformed` as Faults; TypeError for a name that is none."""
    pairs = [word.partition("=") for word in text.split(",") if word]
    wrong: dict[str, Any] = {
        name.replace("-", "_"): int(value) if mark else True for name, mark, value in pairs
    }
    return Faults(**wrong)


def main() -> None:
    args = parse(sys.argv[1:])
    wrong = faults(args.fault)
    if wrong.die_loading:
        time.sleep(args.load_seconds)
        sys.exit("out of memory while loading the weights (asked for)")
    app = App(
        Engine(speedup=args.speedup, faults=wrong, stamps=args.stamps, role=args.role),
        model=args.model,
        accuracy=args.accuracy,
        max_model_len=args.max_model_len,
        load_s=args.load_seconds,
        prefixes=Prefixes() if args.prefix_caching else None,
    )
    uvicorn.run(app, host=args.host, port=args.port, log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
