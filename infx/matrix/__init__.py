"""Floor 2: from configs and changelog entries to benchmark and evaluation rows."""
