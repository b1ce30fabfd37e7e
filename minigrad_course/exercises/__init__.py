"""The predictions and exercises of each chapter, one module a chapter: `ch04.py` for chapter 04."""
