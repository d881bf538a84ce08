"""Floor 3: how an engine is started, watched and ended on each kind of cluster."""
