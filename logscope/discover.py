"""The modules of a folder are its units; there is no registry anywhere."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType


@functools.cache
def units(package: str) -> dict[str, ModuleType]:
    """The modules of a package by name, in alphabetical order; names with a leading underscore are not units."""
    home = importlib.import_module(package)
    names = sorted(m.name for m in pkgutil.iter_modules(home.__path__) if not m.name.startswith("_"))
    return {name: importlib.import_module(f"{package}.{name}") for name in names}
