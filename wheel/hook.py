"""The build hook: a wheel that brings machine code is for one platform."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Nothing in the library is bound to a version of the C library.
LINUX = {"linux_x86_64": "manylinux_2_17_x86_64"}


class MachineCode(BuildHookInterface):
    """Tag the wheel, if ``wheel/ship.py`` has left machine code to bring."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say what the wheel is for; without machine code it is for all."""
        shipped = Path(self.root, "src/regretless/engine/machine/shipped")
        if version == "editable" or not list(shipped.glob("*.json")):
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{LINUX.get(platform, platform)}"
