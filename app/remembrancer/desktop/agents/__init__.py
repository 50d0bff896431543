"""Who may come in, who is here, and how to connect one more."""
