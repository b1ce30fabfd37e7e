"""Helpers that know nothing about the graph: dtypes, errors, printing, checks, random numbers.

Nothing here imports the core, so this code recognizes tensors and nodes by their attributes.
"""
