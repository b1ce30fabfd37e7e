"""Memory that the operating system need not be asked for again.

A computation takes and frees large arrays all the time. glibc gets large blocks from the operating
system one by one and gives them back at once, so every array starts with pages that the system has
to fill with zeros first: for a product of two arrays that takes longer than the arithmetic. How
large "large" is, glibc learns: when such a block is freed, blocks up to its size come from the heap
from then on, and the heap keeps twice that much for the next ones.

The price: up to 64 MB that were freed may stay with the process. With another C library nothing
happens.

Source: M_MMAP_THRESHOLD in https://man7.org/linux/man-pages/man3/mallopt.3.html
"""

from __future__ import annotations

import numpy as np

LARGEST = 32 * 2**20  # bytes; glibc does not learn from larger blocks


def keep_freed_pages() -> None:
    """Let arrays of up to 32 MB be made of memory that was freed before."""
    np.empty(LARGEST - 2**16, np.uint8)  # is freed at once, without having been touched
