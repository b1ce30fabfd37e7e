"""How fast minigrad is: beside PyTorch, other NumPy libraries, and NumPy written by hand.

`make bench`, or `python -m benchmarks`, runs everything and writes `results.json`, the plots and
the tables of `README.md`; `python -m benchmarks chain mlp` runs two rows and prints them.
"""
