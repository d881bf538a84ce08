"""infx: a labelled pull request becomes a benchmark sweep, and its results reach publication."""

__version__ = "0.1.0"
