"""What an agent would get."""
