"""The first fused chunks, read together with the query by a model and ordered again."""
