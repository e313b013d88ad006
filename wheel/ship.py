"""Make the shared library of machine code that a wheel brings.

``python wheel/ship.py`` compiles what built-in learners need (``rg.warmup``) into an
empty store, links the object files with the C compiler's linker (``CC``, else cc), and
writes the library and its index to ``src/regretless/engine/machine/shipped``.

The library needs nothing at link time: what it asks of Python and of the C library is
in every process that loads it, so that it is bound to no version of either.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from regretless.engine.machine import store
from regretless.engine.machine.level import level


def main() -> int:
    """Compile, link and index."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "store")
        environment = os.environ | {"REGRETLESS_STORE": str(kept)}
        subprocess.run(
            [sys.executable, "-m", "regretless", "warmup"], env=environment, check=True
        )
        kernels: dict[str, str] = {}
        objects: list[str] = []
        for path in sorted(kept.glob("*.o")):
            about, code = path.read_bytes().split(b"\n", 1)
            kernels[path.name.partition(".")[0]] = json.loads(about)["returns"]
            objects.append(str(Path(folder, path.name)))
            Path(objects[-1]).write_bytes(code)
        library = store.library_of(level())
        library.parent.mkdir(exist_ok=True)
        linker = os.environ.get("CC", "cc")
        options = ["-shared", "-nostdlib", "-Wl,--strip-all", "-o", str(library)]
        if sys.platform == "darwin":
            options[2] = "-Wl,-undefined,dynamic_lookup"
        subprocess.run([linker, *options, *objects], check=True)
    index = {"sources": store.sources(), "kernels": kernels}
    library.with_suffix(".json").write_text(json.dumps(index))
    size = library.stat().st_size / 2**20
    print(f"{library.name}: {len(kernels)} kernels, {size:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
