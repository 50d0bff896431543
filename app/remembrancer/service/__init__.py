"""What may be done: the one path of every change, and the only room that writes."""
