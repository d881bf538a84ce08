"""Floor 4: the embedded GitHub; only the command line imports it."""
