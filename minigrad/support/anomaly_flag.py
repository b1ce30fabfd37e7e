"""Whether anomaly mode is on: `minigrad.more.anomaly` sets it, and some messages depend on it."""

enabled = False
check_nan = True
