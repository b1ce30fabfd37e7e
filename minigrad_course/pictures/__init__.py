"""The pictures and tables of the chapters, drawn from the objects of the page."""
