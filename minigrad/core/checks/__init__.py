"""Checks that read the graph: what `backward` and `grad` are asked, and what they answer."""
