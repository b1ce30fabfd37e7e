"""The parts of `tools/slides.py`: things on a slide, their heights, the rule, the pages."""
