"""Machine code that can be called: on arguments, or again and again on the same ones.

A call packs a frame and runs the machine code without the interpreter's lock, in a
microsecond or two. Whoever calls at every event binds the arguments once
(:meth:`Kernel.bind`) and gets a builtin function that needs 50 ns: its ``self`` is the
frame, and a few instructions of our own (`TRAMPOLINES`) call the kernel and make a
Python int of what it returns. They hold the interpreter's lock meanwhile.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from operator import call
from typing import Any, NamedTuple, Protocol, cast

from .frame import Format, Frame, PartRaised

__all__ = [
    "NOT_WANTED",
    "TRAMPOLINES",
    "ByNumba",
    "Kernel",
    "Stored",
    "bound",
    "chained",
    "in_one_go",
]

TRAMPOLINES = """
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyLong_FromLongLong(i64)
declare void @PyErr_SetNone(ptr)

define ptr @regretless_call(ptr %self, ptr %unused) {
  %frame = call ptr @PyLong_AsVoidPtr(ptr %self)
  %result = call ptr @regretless_run(ptr %frame)
  ret ptr %result
}

define ptr @regretless_call_on(ptr %self, ptr %object) {
  %frame = call ptr @PyLong_AsVoidPtr(ptr %self)
  %first = getelementptr i64, ptr %frame, i64 3
  %address = ptrtoint ptr %object to i64
  store i64 %address, ptr %first
  %result = call ptr @regretless_run(ptr %frame)
  ret ptr %result
}

define ptr @regretless_call_chain(ptr %self, ptr %object) {
  %chain = call ptr @PyLong_AsVoidPtr(ptr %self)
  %frame = load ptr, ptr %chain
  %first = getelementptr i64, ptr %frame, i64 3
  %address = ptrtoint ptr %object to i64
  store i64 %address, ptr %first
  %code = load ptr, ptr %frame
  %status = call i64 %code(ptr %frame)
  %fine = icmp eq i64 %status, 0
  br i1 %fine, label %returned, label %raised
returned:
  %place = getelementptr i64, ptr %frame, i64 2
  %value = load i64, ptr %place
  %refused = icmp slt i64 %value, 0
  br i1 %refused, label %end, label %go_on
go_on:
  %next_place = getelementptr i64, ptr %chain, i64 1
  %next_frame = load ptr, ptr %next_place
  %next_code = load ptr, ptr %next_frame
  %next_status = call i64 %next_code(ptr %next_frame)
  %next_fine = icmp eq i64 %next_status, 0
  br i1 %next_fine, label %compare, label %raised
compare:
  %next_value_place = getelementptr i64, ptr %next_frame, i64 2
  %next_value = load i64, ptr %next_value_place
  %wanted_place = getelementptr i64, ptr %chain, i64 2
  %wanted = load i64, ptr %wanted_place
  %same = icmp eq i64 %next_value, %wanted
  %found = select i1 %same, i64 %value, i64 -100
  br label %end
end:
  %result = phi i64 [ %value, %returned ], [ %found, %compare ]
  %number = call ptr @PyLong_FromLongLong(i64 %result)
  ret ptr %number
raised:
  %guilty = phi ptr [ %frame, %0 ], [ %next_frame, %go_on ]
  %second = getelementptr i64, ptr %guilty, i64 1
  %exception = load ptr, ptr %second
  call void @PyErr_SetNone(ptr %exception)
  ret ptr null
}

define ptr @regretless_run(ptr %frame) {
  %code = load i64, ptr %frame
  %kernel = inttoptr i64 %code to ptr
  %status = call i64 %kernel(ptr %frame)
  %fine = icmp eq i64 %status, 0
  br i1 %fine, label %returned, label %raised
returned:
  %place = getelementptr i64, ptr %frame, i64 2
  %value = load i64, ptr %place
  %number = call ptr @PyLong_FromLongLong(i64 %value)
  ret ptr %number
raised:
  %second = getelementptr i64, ptr %frame, i64 1
  %exception = load i64, ptr %second
  %kind = inttoptr i64 %exception to ptr
  call void @PyErr_SetNone(ptr %kind)
  ret ptr null
}
"""
"""The frame of a bound call is described in ``frame``: word 0 is the code, 1 the
exception, 2 what it returns, and 3 the first argument. A chain is three words: the
frame of a first kernel, that of a second one, and what the second should return."""

NO_FRAME = ctypes.create_string_buffer(0)
NOT_WANTED = -100  # what a chain returns where its second kernel returns something else
FIRST = 3  # the word of the first argument
METH_NOARGS, METH_O = 4, 8


class Taken(NamedTuple):
    """A frame of a kernel, while it is used."""

    run: Callable[[], int]
    frame: Frame
    pack: Callable[[object], int]
    """Writes arguments into the frame; how many it understood."""


class Kernel(Protocol):
    """Machine code of a kernel, for some types of arguments."""

    def __call__(self, *arguments: object) -> Any:
        """Run it."""
        ...

    def bind(self, *arguments: object) -> Callable[[], int]:
        """What runs it on these very arguments; it returns an int."""
        ...

    def bind_rest(self, *arguments: object) -> Callable[[object], int]:
        """What runs it on the address of an object, and these arguments after it."""
        ...

    def taken(self, arguments: tuple[object, ...]) -> Taken:
        """What runs it once on these arguments, and is given back then."""
        ...

    def give_back(self, taken: Taken) -> None:
        """Let another call have it."""
        ...


def in_one_go(
    calls: Sequence[tuple[Callable[..., object], tuple[object, ...]]],
) -> int:
    """Run kernels, one after the other, as long as each returns 1; how many did.

    Not a line of Python runs between them, so no handler of a signal does: they change
    their arrays all together, or not at all.
    """
    kernels = [cast("Kernel", kernel) for kernel, _ in calls]
    taken = [k.taken(given) for k, (_, given) in zip(kernels, calls, strict=True)]
    done = sum(takewhile((1).__eq__, map(call, [each.run for each in taken])))
    for kernel, each in zip(kernels, taken, strict=True):
        kernel.give_back(each)
    return done


def bound(
    run: Callable[..., int | None], arguments: tuple[object, ...]
) -> Callable[[], int | None]:
    """What runs on these very arguments: machine code, or else a function."""
    bind = getattr(run, "bind", None)
    return partial(run, *arguments) if bind is None else bind(*arguments)


def chained(
    first: Callable[[object], int], second: Callable[[], int | None], wanted: int
) -> Callable[[object], int]:
    """What runs one bound kernel on an object, and then, if it may, another one.

    The second one runs unless the first one returns a negative number. What is returned
    is what the first one returned, or `NOT_WANTED` where the second one does not return
    `wanted`. A kernel that returns nothing returns 0.
    """
    begin, end = (getattr(each, "__self__", None) for each in (first, second))
    if isinstance(begin, Address) and isinstance(end, Address):
        chain = (ctypes.c_int64 * 3)(begin, end, wanted)
        code = _definition(begin.chain_code, METH_O)
        return _new_function(code, Address(chain, (first, second)), None)

    def run(thing: object) -> int:
        found = first(thing)
        if found < 0:
            return found
        return found if (second() or 0) == wanted else NOT_WANTED

    return run


class ByNumba:
    """Machine code that numba has compiled, and calls."""

    def __init__(self, entry: Callable[..., int]) -> None:
        self._entry = entry

    def __call__(self, *arguments: object) -> Any:
        """Run it."""
        return self._entry(*arguments)

    def bind(self, *arguments: object) -> Callable[[], int]:
        """What runs it on these very arguments."""
        return partial(self._entry, *arguments)

    def bind_rest(self, *arguments: object) -> Callable[[object], int]:
        """What runs it on the address of an object, and these arguments after it."""
        return lambda thing: self._entry(id(thing), *arguments)

    def taken(self, arguments: tuple[object, ...]) -> Taken:
        """What runs it once on these arguments, and is given back then."""
        run: Callable[[], int] = partial(self._entry, *arguments)
        return Taken(run, NO_FRAME, _understand_nothing)

    def give_back(self, taken: Taken) -> None:
        """Nothing: it has no frame."""


class Stored:
    """Machine code that was kept, or compiled to be kept.

    Parameters
    ----------
    name : str
        That of the kernel, for errors.
    address : int
        Where ``int64 kernel(int64 *frame)`` is.
    layout : Format
        The layout of its frame.
    trampolines : callable
        Gives the addresses of `TRAMPOLINES`: without an argument, with one, a chain.
    packer : callable or None
        Gives, for a layout and a frame, a quick function that writes a tuple of
        arguments into it, and returns how many it understood.
    holds_lock : bool
        Whether the kernel needs the interpreter's lock.
    """

    def __init__(
        self,
        name: str,
        address: int,
        layout: Format,
        trampolines: Callable[[], tuple[int, ...]],
        packer: Callable[[Format, Frame], Callable[[object], int]] | None,
        *,
        holds_lock: bool,
    ) -> None:
        prototype = ctypes.PYFUNCTYPE if holds_lock else ctypes.CFUNCTYPE
        self._run = prototype(ctypes.c_int64, ctypes.c_void_p)(address)
        self._name, self._address, self._layout = name, address, layout
        self._trampolines, self._packer = trampolines, packer
        self._whole = len(layout.leaves)
        self._idle: list[Taken] = []

    def __call__(self, *arguments: object) -> Any:
        """Run it."""
        taken = self.taken(arguments)
        if self._run(taken.frame) != 0:
            raise PartRaised(self._name)
        found = self._layout.result(taken.frame)
        self._idle.append(taken)
        return found

    def taken(self, arguments: tuple[object, ...]) -> Taken:
        """What runs it once on these arguments, and is given back then."""
        try:
            taken = self._idle.pop()  # threads have a frame each
        except IndexError:
            taken = self._new_frame()
        if taken.pack(arguments) != self._whole:
            self._layout.pack(taken.frame, arguments)
        return taken

    def give_back(self, taken: Taken) -> None:
        """Let another call have it."""
        self._idle.append(taken)

    def bind(self, *arguments: object) -> Callable[[], int]:
        """What runs it on these very arguments."""
        return self._builtin(arguments, 0, METH_NOARGS)

    def bind_rest(self, *arguments: object) -> Callable[[object], int]:
        """What runs it on the address of an object, and these arguments after it."""
        return self._builtin((0, *arguments), 1, METH_O)

    def _new_frame(self) -> Taken:
        frame = self._layout.new(self._address)
        run = self._function(frame, (), 0, METH_NOARGS)
        if self._packer is None:
            return Taken(run, frame, _understand_nothing)
        return Taken(run, frame, self._packer(self._layout, frame))

    def _builtin(
        self, arguments: tuple[object, ...], which: int, flags: int
    ) -> Callable[..., int]:
        layout = self._layout
        if layout.first != FIRST or layout.returns not in ("", "i", "b"):
            raise TypeError(f"the kernel {self._name} does not return one int")
        frame = layout.new(self._address)
        layout.pack(frame, arguments)
        return self._function(frame, arguments, which, flags)

    def _function(
        self, frame: Frame, arguments: tuple[object, ...], which: int, flags: int
    ) -> Callable[..., int]:
        """A builtin that calls a frame by one of the trampolines."""
        address, codes = Address(frame, arguments), self._trampolines()
        address.chain_code = codes[2]
        return _new_function(_definition(codes[which], flags), address, None)


def _understand_nothing(arguments: object) -> int:
    """Leave arguments to the slow way of packing."""
    return -1


class Address(int):
    """The address of a frame, which lives as long, and so do the arguments."""

    _alive: tuple[object, ...]
    chain_code: int  # of the trampoline that goes on from here

    def __new__(
        cls, frame: Frame | ctypes.Array[ctypes.c_int64], arguments: tuple[object, ...]
    ) -> Address:
        """The address of a frame that holds these arguments."""
        self = super().__new__(cls, ctypes.addressof(frame))
        self._alive = (frame, arguments)
        return self


class _Definition(ctypes.Structure):
    """Python's ``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_definitions: dict[tuple[int, int], _Definition] = {}  # builtins point to them


def _definition(code: int, flags: int) -> int:
    found = _definitions.get((code, flags))
    if found is None:
        found = _definitions[code, flags] = _Definition(b"kernel", code, flags, None)
    return ctypes.addressof(found)


_new_function = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p
)(("PyCFunction_NewEx", ctypes.pythonapi))
