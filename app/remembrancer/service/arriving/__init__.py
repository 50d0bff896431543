"""How what a file holds arrives in a store: as it was, or merged with what is there."""
