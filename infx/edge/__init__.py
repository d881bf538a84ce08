"""Floor 3: the only input and output; one module for each outside world."""
