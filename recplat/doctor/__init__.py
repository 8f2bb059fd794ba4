"""The state of this machine: `facts.py` looks, `checks.py` judges what was seen. Nothing here imports torch."""
