"""What a notebook asks and shows: predictions, exercises, the score, errors raised on purpose, and
programs beside PyTorch.
"""
