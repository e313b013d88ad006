"""Parts: what an online algorithm is made of. Small tuples with generic functions.

Everything here is data plus pure functions of it; nothing here loops over rounds, opens
a file or imports numba. A part's type picks the code, its fields are numbers.
"""
