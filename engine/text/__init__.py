"""Text to tokens that know their place in the original, and back to highlights and chunks."""
