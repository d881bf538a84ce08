"""Shapes: rows become the JSON that GitHub's description asks for; the same in REST answers and webhooks."""
