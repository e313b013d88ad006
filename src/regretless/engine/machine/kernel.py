"""Machine code that can be called: on arguments, or again and again on the same ones.

A call packs a frame and runs the machine code without the interpreter's lock, in a
microsecond or two. A caller at every event binds the arguments once
(:meth:`Kernel.bind`) and gets a builtin function that needs 50 ns: its ``self`` is the
frame, and a few instructions of our own (`TRAMPOLINES`) call the kernel and make a
Python int of what it returns. They hold the interpreter's lock meanwhile.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from .frame import Format, Frame, PartRaised

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
  %count = load i64, ptr %chain
  %frame = getelementptr i64, ptr %chain, i64 1
  %reader = load ptr, ptr %frame
  %first = getelementptr i64, ptr %reader, i64 3
  %address = ptrtoint ptr %object to i64
  store i64 %address, ptr %first
  %code = load ptr, ptr %reader
  %status = call i64 %code(ptr %reader)
  %fine = icmp eq i64 %status, 0
  br i1 %fine, label %returned, label %raised
returned:
  %place = getelementptr i64, ptr %reader, i64 2
  %value = load i64, ptr %place
  %refused = icmp slt i64 %value, 0
  br i1 %refused, label %end, label %next
next:
  %k = phi i64 [ 1, %returned ], [ %later, %ran ]
  %over = icmp eq i64 %k, %count
  br i1 %over, label %end, label %run
run:
  %doubled = mul i64 %k, 2
  %at = add i64 %doubled, 1
  %frame_place = getelementptr i64, ptr %chain, i64 %at
  %next_frame = load ptr, ptr %frame_place
  %next_code = load ptr, ptr %next_frame
  %next_status = call i64 %next_code(ptr %next_frame)
  %next_fine = icmp eq i64 %next_status, 0
  br i1 %next_fine, label %ran, label %raised
ran:
  %found_place = getelementptr i64, ptr %next_frame, i64 2
  %found = load i64, ptr %found_place
  %after = add i64 %at, 1
  %wanted_place = getelementptr i64, ptr %chain, i64 %after
  %wanted = load i64, ptr %wanted_place
  %same = icmp eq i64 %found, %wanted
  %later = add i64 %k, 1
  br i1 %same, label %next, label %end
end:
  %result = phi i64 [ %value, %returned ], [ %value, %next ], [ -100, %ran ]
  %number = call ptr @PyLong_FromLongLong(i64 %result)
  ret ptr %number
raised:
  %guilty = phi ptr [ %reader, %0 ], [ %next_frame, %run ]
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
exception, 2 what it returns, and 3 the first argument. A chain is the number of its
kernels, and two words for each: its frame, and what it should return (the first one:
nothing less than 0)."""

NOT_WANTED = -100  # what a chain returns where its second kernel returns something else
FIRST = 3  # the word of the first argument
METH_NOARGS, METH_O = 4, 8


class Taken(NamedTuple):
    """A frame of a kernel, while it is used."""

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


def bound(
    run: Callable[..., int | None], arguments: tuple[object, ...]
) -> Callable[[], int | None]:
    """What runs on these very arguments: machine code, or else a function."""
    bind = getattr(run, "bind", None)
    return partial(run, *arguments) if bind is None else bind(*arguments)


def chained(
    first: Callable[[object], int],
    others: Sequence[Callable[[], int | None]],
    wanted: int,
) -> Callable[[object], int]:
    """What runs a bound kernel on an object, and then, if it may, others in turn.

    They run unless the first one returns a negative number, as long as each returns
    `wanted`. What is returned is what the first one returned, or `NOT_WANTED` where
    another one returned something else. A kernel that returns nothing returns 0.

    Not a line of Python runs between machine code, so no handler of a signal does: its
    arrays change all together, or not at all.
    """
    frames = [getattr(each, "__self__", None) for each in (first, *others)]
    if isinstance(frames[0], Address) and all(isinstance(f, Address) for f in frames):
        words = [len(frames), *(word for frame in frames for word in (frame, wanted))]
        chain = (ctypes.c_int64 * len(words))(*words)
        code = _definition(frames[0].chain_code, METH_O)
        return _new_function(code, Address(chain, (first, *others)), None)

    def run(thing: object) -> int:
        found = first(thing)
        if found < 0 or all((each() or 0) == wanted for each in others):
            return found
        return NOT_WANTED

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


class FromStore:
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
        try:
            taken = self._idle.pop()  # threads have a frame each
        except IndexError:
            taken = self._new_frame()
        if taken.pack(arguments) != self._whole:
            self._layout.pack(taken.frame, arguments)
        if self._run(taken.frame) != 0:
            raise PartRaised(self._name)
        found = self._layout.result(taken.frame)
        self._idle.append(taken)
        return found

    def bind(self, *arguments: object) -> Callable[[], int]:
        """What runs it on these very arguments."""
        return self._builtin(arguments, 0, METH_NOARGS)

    def bind_rest(self, *arguments: object) -> Callable[[object], int]:
        """What runs it on the address of an object, and these arguments after it."""
        return self._builtin((0, *arguments), 1, METH_O)

    def _new_frame(self) -> Taken:
        frame = self._layout.new(self._address)
        if self._packer is None:
            return Taken(frame, _understand_nothing)
        return Taken(frame, self._packer(self._layout, frame))

    def _builtin(
        self, arguments: tuple[object, ...], which: int, flags: int
    ) -> Callable[..., int]:
        """A builtin that calls a frame by one of the trampolines."""
        layout = self._layout
        if layout.first != FIRST or layout.returns not in ("", "i", "b"):
            raise TypeError(f"the kernel {self._name} does not return one int")
        frame = layout.new(self._address)
        layout.pack(frame, arguments)
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
