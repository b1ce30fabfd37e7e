"""Freeze new programs of tests/parity: ``python -m tests.parity.freeze``, with PyTorch.

It writes the lines of new ones into `tests/frozen.txt`: programs that were found to differ, and
random programs of further seeds. See `tests.frozen`.
"""

from tests import frozen
from tests.parity import test_random_graphs, test_wider_graphs
from tests.parity.wider import found

if __name__ == "__main__":
    frozen.grow("found", found.frozen_lines())
    frozen.grow("graphs", test_random_graphs.frozen_lines())
    frozen.grow("wider", test_wider_graphs.frozen_lines())
