"""From a closed timeline to a map. `flow.py` has the steps."""
