"""The demo's engine: OpenAI-compatible, no GPU, with the timing of a real one (benchmarks/README.md)."""
