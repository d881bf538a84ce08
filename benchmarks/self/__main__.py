"""Run the benchmarks of this folder, all or those named: `python -m benchmarks.self [matrix …]`."""

import importlib
import pkgutil
import sys

import benchmarks.self as folder


def main(wanted: list[str]) -> None:
    names = [module.name for module in pkgutil.iter_modules(folder.__path__)]
    for name in names:
        if name != "__main__" and (not wanted or name in wanted):
            print(f"# {name}")
            importlib.import_module(f"benchmarks.self.{name}").bench()


if __name__ == "__main__":
    main(sys.argv[1:])
