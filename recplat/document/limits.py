"""How much one document may hold. Every limit is far above any real spec and keeps reading it under two seconds."""

MAX_BYTES = 8 << 20
MAX_DEPTH = 64
MAX_EVENTS = 500_000  # the parser's events: one a scalar or key, two a map or list
MAX_NODES = 1_000_000  # nodes once every alias, and every list in `name`, is written out
MAX_FAULTS = 100  # of one kind of pass over one file; a person reads the first ten
MAX_EXTENDS = 16  # files in one chain
MAX_FILES = 64
