r"""Notices of small libraries: libnuma, jemalloc, OpenMP, Open MPI, locale.

Why
    Settings of the environment that no decision of the server depends on.

Sample
    libnuma: Warning: /sys not mounted or invalid. Assuming one node: No such file or directory
    <jemalloc>: Unsupported system page size
    OMP: Info #276: omp_set_nested routine deprecated, please use omp_set_max_active_levels instead.
    bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)
    groups: cannot find name for group ID 1000
    nohup: ignoring input
    nohup: appending output to 'nohup.out'
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "system libraries"
_REASON = "settings of the environment"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"libnuma: Warning: .*$",
        starts=("libnuma: Warning",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"<jemalloc>: .*$",
        starts=("<jemalloc>",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"OMP: (?:Info|Hint) #?\d*:? ?.*$",
        starts=(
            "OMP: Info",
            "OMP: Hint",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\S+: (?:line \d+: )?warning: setlocale: .*$",
        starts=(
            "bash: warning: setlocale",
            "/bin/bash: warning: setlocale",
            "/bin/sh: warning: setlocale",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"groups: cannot find name for group ID \d+\s*$",
        starts=("groups: cannot",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"nohup: (?:ignoring input|appending output to).*$",
        starts=("nohup: ",),
    ),
)
