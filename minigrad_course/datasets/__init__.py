"""The data on which the course trains its networks."""
