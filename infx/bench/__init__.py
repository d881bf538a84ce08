"""Floor 3: what a job does once its engine is up: load, accuracy, power."""
