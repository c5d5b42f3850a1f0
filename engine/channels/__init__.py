"""Sources of rankings over one corpus."""
