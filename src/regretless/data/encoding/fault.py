"""What is wrong with a row, before it is known which one it is."""


class Fault(Exception):  # noqa: N818 - what is wrong with a row, not an error of ours
    """What is wrong with a row; becomes the words of a ``Problem`` or a ``BadRow``."""
