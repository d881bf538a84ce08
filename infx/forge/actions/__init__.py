"""The Actions half of the embedded GitHub: which workflow files an event starts, and running their jobs."""
