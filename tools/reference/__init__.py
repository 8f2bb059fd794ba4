"""The reference part of the documentation, made from the types, the catalog, the codes and the commands."""
