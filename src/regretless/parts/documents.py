"""What is stored or printed by name: a document, as JSON has them.

Values are numbers, strings, lists, None, documents again, and arrays where a file
keeps them. Who reads one checks what it takes out: a file may hold anything.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Document: TypeAlias = dict[str, Any]
