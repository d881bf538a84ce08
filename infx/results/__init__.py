"""Floor 2: from raw measurements to published rows and pages."""
