"""What a knob would change, and at which exact value."""
