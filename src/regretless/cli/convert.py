"""``regretless convert``: any data that can be read, as Arrow or as LIBSVM text."""

from __future__ import annotations

from typing import Annotated

from ..declared import Argument
from . import options as o
from .console import print_json, say
from .output_file import check_outputs
from .usage import checking_usage


def convert(
    data: Annotated[str, Argument(text="A file, glob, URI, or -.")],
    output: Annotated[str, Argument(text="FILE.arrow, or FILE.svm[.gz|.zst].")],
    json: o.Json = False,
    quiet: o.Quiet = False,
    *,
    reading: o.Reading,
) -> None:
    """Parse data once and for all: an Arrow file that is read without parsing.

    Example: regretless convert clicks.svm.gz clicks.arrow
    """
    from ..data.convert import check_target, convert_files
    from ..data.input_files import find_places
    from ..data.read_options import ReadOptions

    with checking_usage():
        options = ReadOptions.of(reading.asked())
        check_target(output)
    check_outputs({"the output": output}, [data])
    places = find_places(data)  # once: a pipe has no second beginning
    rows, skipped = convert_files(places, output, options)
    if json:
        document = {
            "command": "convert",
            "output": output,
            "rows": rows,
            "skipped": {"count": skipped.count, "first": skipped.messages},
        }
        print_json(document)
        return
    for line in skipped.remarks():
        say(line)
    if not quiet:
        say(f"{output}: {rows:,} rows")
