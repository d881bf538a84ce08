"""Local stand-ins for the marketplace actions that workflows pin; act maps them by owner, name and ref."""
