"""Modules of an SGLang wheel with everything around them replaced by stubs, so that its sizing code runs anywhere.

Only in a subprocess: the import system of the process is changed for good.
"""

from __future__ import annotations

import builtins
import importlib.abc
import importlib.machinery
import sys
import types
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self


class StubBase:
    """What a class derived from a stub is derived from."""

    def __init_subclass__(cls, **_: Any) -> None:
        super().__init_subclass__()


class Stub:
    """Answers everything with another stub, and is false, empty and zero."""

    def __call__(self, *_: Any, **__: Any) -> Stub:
        return Stub()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Stub()

    def __getitem__(self, _: Any) -> Stub:
        return Stub()

    def __setitem__(self, _: Any, __: Any) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __bool__(self) -> bool:
        return False

    def __int__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0

    def __len__(self) -> int:
        return 0

    def __contains__(self, _: Any) -> bool:
        return False

    def __or__(self, _: Any) -> Stub:
        return Stub()

    __ror__ = __or__

    def __lt__(self, _: Any) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__

    def __mro_entries__(self, _: tuple[Any, ...]) -> tuple[type, ...]:
        return (StubBase,)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class StubModule(types.ModuleType):
    """A module in which every name is a stub."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Stub()


class WheelFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the modules that are asked for from the wheel, and stubs all else that is no standard library."""

    def __init__(self, wheel: Path, real: Sequence[str]) -> None:
        self.archive = zipfile.ZipFile(wheel)
        self.real = set(real)

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if fullname.split(".", 1)[0] in sys.stdlib_module_names:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return types.ModuleType(spec.name) if spec.name in self.real else StubModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        if module.__name__ not in self.real:
            return
        member = module.__name__.replace(".", "/") + ".py"
        source = self.archive.read(member).decode()
        # Running the release's own code is the whole point; it comes from the wheel that the package index gave.
        builtins.exec(compile(source, member, "exec"), module.__dict__)


def install(wheel: Path, real: Sequence[str]) -> None:
    """Make the named modules of the wheel importable, and everything around them a stub."""
    for name in [n for n in sys.modules if n.split(".", 1)[0] in ("numpy", "sglang", "torch")]:
        del sys.modules[name]
    sys.meta_path.insert(0, WheelFinder(wheel, real))
