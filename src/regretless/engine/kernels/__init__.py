"""Kernels: the few hot loops, compiled by numba. They loop over rounds; parts decide.

A kernel is a function that is marked ``@kernel``. ``compiled.entry`` finds or makes its
machine code for the types of some arguments (``regretless.engine.machine``), so that no
call pays for looking at them.
"""
