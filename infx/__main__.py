"""`python -m infx` is the console script."""

import sys


def main() -> None:
    """The console script, quiet also when Ctrl-C comes while it is still being loaded."""
    try:
        from infx.cli import entry
    except KeyboardInterrupt:
        sys.exit(130)
    entry()


if __name__ == "__main__":
    main()
