"""The programs that are measured, a module a kind; `benchmarks.table` says at which sizes.

Every module has a dictionary PROGRAMS: a library's name → a function that takes the library and a
size and returns a step, a function without arguments that runs forward and backward and returns the
gradients. minigrad and PyTorch run the same program. "numpy" is what a good NumPy programmer would
write by hand who knows the derivatives: rule by rule, in place where an array is not needed again,
but without algebra that goes over several operations.
"""
