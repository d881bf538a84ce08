"""Floor 4: one command or workflow step per file: load, decide, apply."""
