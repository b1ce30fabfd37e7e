"""Keeps freed memory in the process, so that the next large array can reuse it.

A computation allocates and frees large arrays all the time. glibc requests each large block from
the operating system and returns it as soon as it is freed, so every new array starts with pages
that the system first has to fill with zeros. For a product of two arrays that takes longer than the
arithmetic. What counts as large is a threshold that glibc adjusts: once such a block has been
freed, it takes blocks up to that size from the heap, and the heap keeps up to twice that much free
memory for later blocks.

The price is that up to 64 MB of freed memory may stay with the process. With another C library this
has no effect.

Source: M_MMAP_THRESHOLD in https://man7.org/linux/man-pages/man3/mallopt.3.html
"""

from __future__ import annotations

import numpy as np

LARGEST = 32 * 2**20  # bytes; glibc does not raise its threshold further


def keep_freed_pages() -> None:
    """Raise the threshold of glibc, so that arrays of up to 32 MB reuse freed memory."""
    np.empty(LARGEST - 2**16, np.uint8)  # freed at once, and its pages are never touched
