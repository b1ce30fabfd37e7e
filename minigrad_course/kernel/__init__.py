"""What a notebook runs on: the library at a chapter, the reader's own, and help below errors."""
