"""The place of proposals: what agents would change, and what the person decides about it."""
