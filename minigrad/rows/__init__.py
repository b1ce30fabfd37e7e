"""Rows of the operation table: what each one declares, and how its arguments become arrays.

Nothing here records a graph; `core.operation` turns a row into a function that does.
"""
