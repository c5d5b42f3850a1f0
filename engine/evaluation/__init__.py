"""Judgments, measures and reports."""
