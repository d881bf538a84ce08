"""Look: the embedded GitHub as pages for people, read only, at GitHub's own addresses."""
