"""`python -m infx` is the console script."""


def main() -> None:
    """The console script, quiet also when Ctrl-C comes while it is still being loaded."""
    try:
        from infx.cli import entry
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    entry()


if __name__ == "__main__":
    main()
