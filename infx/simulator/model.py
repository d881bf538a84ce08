"""Service-time model: continuous batching with chunked prefill, one call of `step` per engine iteration.

Pure and clockless: the server sleeps as long as `step` says, tests add the durations up in virtual time.
Fitted to a 7 B dense bf16 model on one H200 under vLLM 0.25, input 1,024 and output 128 tokens, concurrency 1
to 256: tests/benchmarks/test_model.py holds the measured table and the error that remains.
"""

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Service:
    """How long one engine iteration takes."""

    step_s: float = 4.86e-3
    """Reading the weights once, and launching the kernels: the floor of every iteration."""
    context_s: float = 44e-9
    """For each token of KV cache that a decoding sequence attends to."""
    prefill_step_s: float = 11e-3
    """Added when an iteration holds prefill, which runs without captured graphs."""
    prefill_s: float = 21.5e-6
    """For each prompt token computed; tokens found in the prefix cache cost nothing."""
    budget: int = 8192
    """Most tokens in one iteration; decoding sequences are served first, one token each."""
    max_batch: int = 256
    """Most sequences in flight; others wait."""

    def duration(self, *, prefill: int, context: int) -> float:
        """Seconds of one iteration with `prefill` prompt tokens and `context` tokens of attended KV cache."""
        extra = self.prefill_step_s + prefill * self.prefill_s if prefill else 0.0
        return self.step_s + context * self.context_s + extra


@dataclass(kw_only=True, eq=False)
class Sequence:
    """One request inside the engine. Lengths in tokens."""

    prompt: int
    output: int
    cached: int = 0
    """Prompt tokens found in the prefix cache; at least one prompt token is always computed."""
    computed: int = field(init=False)
    made: int = 0

    def __post_init__(self) -> None:
        self.computed = min(self.cached, self.prompt - 1)

    @property
    def decoding(self) -> bool:
        return self.computed == self.prompt

    @property
    def done(self) -> bool:
        return self.made >= self.output


class Batch:
    """The scheduler: sequences in arrival order, waiting until there is room."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.waiting: deque[Sequence] = deque()
        self.running: list[Sequence] = []

    def add(self, sequence: Sequence) -> None:
        self.waiting.append(sequence)

    def drop(self, sequence: Sequence) -> None:
        """Forget a sequence whose client went away."""
        if sequence in self.running:
            self.running.remove(sequence)
        elif sequence in self.waiting:
            self.waiting.remove(sequence)

    @property
    def busy(self) -> bool:
        return bool(self.running or self.waiting)

    def step(self) -> tuple[float, list[Sequence]]:
        """One iteration: its duration in seconds, and the sequences that got one token each at its end."""
        while self.waiting and len(self.running) < self.service.max_batch:
            self.running.append(self.waiting.popleft())
        got = [sequence for sequence in self.running if sequence.decoding]
        context = sum(sequence.prompt + sequence.made for sequence in got)
        room, prefill = self.service.budget - len(got), 0
        for sequence in self.running:
            chunk = min(sequence.prompt - sequence.computed, room - prefill)
            if chunk > 0:
                prefill += chunk
                sequence.computed += chunk
                if sequence.decoding:
                    got.append(sequence)
        for sequence in got:
            sequence.made += 1
        self.running = [sequence for sequence in self.running if not sequence.done]
        return self.service.duration(prefill=prefill, context=context), got
