"""Its function has another name than recplat calls."""


def make(options, inputs):
    return None
