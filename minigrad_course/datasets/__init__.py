"""What the networks of the course are trained on."""
