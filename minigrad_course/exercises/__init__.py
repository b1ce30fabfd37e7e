"""The predictions and exercises of the chapters, a module for each: `ch04.py` for chapter 04."""
