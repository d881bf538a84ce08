"""A simulator of what GitHub does with the real workflow files: which of them start, and which jobs run."""
