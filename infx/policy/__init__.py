"""Floor 2: facts in, decision and reason out. Policies do not import each other."""
