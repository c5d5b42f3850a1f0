"""The workspace on disk: collections that are built, replaced and read by several processes at once."""
