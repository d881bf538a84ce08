"""`python -m infx` is the console script."""

from infx.cli import entry

if __name__ == "__main__":
    entry()
