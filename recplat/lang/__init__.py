"""The words that catalog folders, the spec and the plan share. Pure: no numpy, no torch, no files."""
