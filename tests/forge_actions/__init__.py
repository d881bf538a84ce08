"""Tests of the Actions half of the embedded GitHub."""
