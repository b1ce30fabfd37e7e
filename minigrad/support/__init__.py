"""What knows no graph: dtypes, data, PyTorch's words, printing, argument checks, random numbers.

Nothing here imports the core. Where a tensor or a node is looked at, it is by what it has.
"""
