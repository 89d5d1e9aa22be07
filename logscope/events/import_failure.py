r"""Something that must be installed is missing or of the wrong version: one row a sentence, also at the end of tracebacks.

Sample
    #@ 0.1.15..0.5.23
    ModuleNotFoundError: No module named 'flashinfer'
    ImportError: cannot import name 'ResponseTextConfig' from 'openai.types.responses' (/usr/lib/python3/site-packages/openai/types/responses/__init__.py)
    ImportError: libcudart.so.12: cannot open shared object file: No such file or directory
    OSError: libnuma.so.1: cannot open shared object file: No such file or directory
    ImportError: /usr/lib/python3/site-packages/sgl_kernel/common_ops.abi3.so: undefined symbol: _ZN3c104cuda9SetDeviceEa
    ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.32' not found (required by /usr/lib/x.so)
    FileNotFoundError: [Errno 2] No such file or directory: 'ninja'
    importlib.metadata.PackageNotFoundError: No package metadata was found for flashinfer_python
    Exception: flashinfer_python is installed with version 0.2.5, which is less than the minimum required version 0.2.6. Please reinstall the latest version.
    /bin/sh: 1: nvcc: not found
    bash: sglang: command not found

Meaning
    A broken installation, never memory. `undefined symbol` and `GLIBC` mean that a binary package was built against
    another torch or another system. The same sentences inside a message that says `Ignore` are harmless.

Source
    CPython import system, `importlib.metadata`; glibc loader; SGLang `assert_pkg_version` (`utils`); shells.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_HEAD = r"^ *(?:[\w.]+\.)?"


def _line(kind: str, pattern: str, *literals: str) -> Shape:
    return Shape(pattern, literals, scope="line", sets={"kind": kind})


FAMILY = Family(
    shapes=(
        _line(
            "module",
            _HEAD + r"(?:ModuleNotFoundError|ImportError): (?P<text>No module named '?(?P<name>[\w.]+)'?.*)",
            "No module named ",
        ),
        _line(
            "name",
            _HEAD
            + r"ImportError: (?P<text>cannot import name '(?P<name>[^']+)' from (?:partially initialized module )?'(?P<module>[^']+)'.*)",
            "cannot import name ",
        ),
        _line(
            "library",
            r"(?P<text>(?P<name>[\w.+/-]+\.so[\w.]*): cannot open shared object file.*)",
            "cannot open shared object file",
        ),
        _line(
            "symbol", r"(?P<text>(?P<module>\S+\.so[\w.]*): undefined symbol: (?P<name>\w+).*)", "undefined symbol: "
        ),
        _line(
            "version",
            r"(?P<text>version `(?P<name>(?:GLIBC|GLIBCXX|CXXABI|OPENSSL|NVJITLINK)[\w.]*)' not found.*)",
            "' not found",
        ),
        _line(
            "program",
            _HEAD + r"FileNotFoundError: \[Errno 2\] (?P<text>No such file or directory: '(?P<name>[\w.+-]+)')",
            "FileNotFoundError: [Errno 2]",
        ),
        _line(
            "program",
            r"^(?:/bin/|/usr/bin/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?(?P<name>[\w./+-]+): (?P<text>(?:command )?not found)\s*$",
            ": not found",
            "command not found",
        ),
        _line(
            "package",
            _HEAD + r"PackageNotFoundError: (?P<text>.{0,200}?(?P<name>[\w.-]{1,100}))$",
            "PackageNotFoundError: ",
        ),
        _line(
            "version",
            r"^(?:[\w.]*(?:Error|Exception): )?(?P<text>(?P<name>[\w-]+) (?:is installed with version|with minimum required version|version) .*(?:less than|is not installed|is required).*)",
            "required version",
        ),
        _line(
            "module",
            _HEAD + r"ImportError: (?P<text>(?!cannot import name|No module named|\S+\.so).*)",
            "ImportError: ",
        ),
    ),
    columns=(
        Column("kind", "text", "module, name, library, symbol, version, program, package."),
        Column("name", "text", "What is missing."),
        Column("module", "text", "Where it was looked for."),
        Column("text", "text", "The sentence."),
    ),
    shared=True,
)
