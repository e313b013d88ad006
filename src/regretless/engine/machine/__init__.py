"""Machine code: made once by numba, kept on disk, and called without numba.

A kernel (``engine.kernels``) is compiled for the types of its arguments. What comes out
is one function of one argument, ``int64 kernel(int64 *frame)``: the frame holds the
addresses of arrays and the numbers, word by word (``frame``). Such code is position
independent, so that it can be kept: in a shared library inside of a wheel, or in object
files of the user's own (``store``), which are loaded in milliseconds (``loading``).
What is kept is used only while the functions that it was made from are still the same
(``contents``) and for the processors that it was made for (``level``). ``compiling`` is
the only module here that needs numba.
"""
