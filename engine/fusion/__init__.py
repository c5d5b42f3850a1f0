"""Rankings in, one ranking out, with the contribution of each."""
