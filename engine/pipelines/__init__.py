"""A query and a setup in, a trace out."""
