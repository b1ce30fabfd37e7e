"""What a notebook asks, and what it shows beside an answer: predictions, exercises, the score,
errors raised on purpose, and what PyTorch prints.
"""
