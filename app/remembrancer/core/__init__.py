"""What a memory is: values and pure functions."""
