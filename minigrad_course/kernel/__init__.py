"""What a notebook runs on: the library at its chapter, the reader's own, and help below errors."""
