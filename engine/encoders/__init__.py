"""Text to unit vectors, never the same text twice."""
