"""What the pages are made of: one concern a file, no search logic."""
