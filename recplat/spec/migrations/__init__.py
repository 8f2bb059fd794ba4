"""One module for each older version of the language: what changed after it, as edits of a file's text."""
