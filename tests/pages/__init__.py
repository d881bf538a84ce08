"""The pages of results in a real browser."""
