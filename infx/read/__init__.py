"""Floor 1: text or JSON becomes nouns; strict, and no file is opened here."""
