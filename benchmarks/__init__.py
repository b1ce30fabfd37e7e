"""How fast minigrad is: beside PyTorch, other NumPy libraries, and NumPy written by hand."""
