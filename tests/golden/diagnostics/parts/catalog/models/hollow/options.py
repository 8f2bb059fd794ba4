"""Defines nothing."""
