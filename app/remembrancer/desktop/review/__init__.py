"""What is due, one card after the other."""
