"""How fast minigrad is: beside PyTorch, MyGrad, micrograd, and NumPy written by hand."""
