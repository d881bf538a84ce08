"""Floor 4: one slash command per file."""
