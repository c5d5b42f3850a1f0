"""Files to an immutable corpus of chunks, with a report of everything that was read."""
