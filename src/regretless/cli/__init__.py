"""The command line: what people type, and what they read. No mathematics here."""
