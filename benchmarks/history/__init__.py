"""A history of published rows out of the simulator."""
