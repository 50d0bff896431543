"""What the person prefers."""
