"""The pictures and tables of the chapters, drawn from the notebook's own objects."""
