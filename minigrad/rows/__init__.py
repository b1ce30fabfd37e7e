"""What an operation is made of: what its row declares, and how arguments become arrays.

Nothing here records anything; `core.operation` turns a row into a function that does.
"""
