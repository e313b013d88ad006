"""Kernels: the few hot loops, compiled by numba. They loop over rounds; parts decide.

Each kernel is built once per digest of the sources that go into it (see
:func:`regretless.generic.digest`) and called through ``Compiled``, which fixes the
argument types so that no call pays for looking at them.
"""
