"""What `recplat init` writes: `spec_text.py` the spec, `sample_data.py` the made-up data beside it."""
