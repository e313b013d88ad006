"""Formats: one file for each format that is read, and what their readers share."""
