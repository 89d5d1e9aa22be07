r"""Screens of `nvidia-smi` that were pasted beside a log: one row a device or process.

Sample
    #@ 0.1.15..0.5.23
    |   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |
    | N/A   31C    P0    61W / 400W |  68123MiB / 81920MiB |      0%      Default |
    | N/A   31C    P0              61W / 400W |  68123MiB / 81920MiB |      0%      Default |
    |    0   N/A  N/A      12345      C   python                                    78000MiB |
    | NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |

Meaning
    `memory_used_mib` counts every process on the device; the rows of processes say whose it is. A container sees no
    processes of others.

Source
    NVIDIA `nvidia-smi`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?=.{0,300}$)\| *NVIDIA-SMI (?P<name>[\d.]+) +Driver Version: (?P<driver>[\d.]+) +CUDA Version: (?P<cuda>[\d.N/A]+) *\|",
            ("| NVIDIA-SMI",),
        ),
        Shape(
            r"(?=.{0,300}$)\| *(?P<device>\d+) +(?P<name>[A-Z]\S.*?) +(?:On|Off) *\| *(?P<bus>[0-9A-F]{8}:[0-9A-F:.]+) +(?:On|Off) *\|.*\|",
            ("|",),
        ),
        Shape(
            r"(?=.{0,300}$)\| *(?:\S+) +\S+C? +P\d+ +.*?\| *(?P<memory_used_mib>\d+)MiB */ *(?P<memory_total_mib>\d+)MiB *\| *(?P<busy_percent>\d+)%.*\|",
            ("|",),
        ),
        Shape(
            r"(?=.{0,300}$)\| *(?P<device>\d+) +\S+ +\S+ +(?P<process_id>\d+) +[CG+]+ +(?P<name>\S.*?) +(?P<memory_used_mib>\d+)MiB *\|",
            ("|",),
        ),
    ),
    columns=(
        Column("device", "int", "Index of the device on the host."),
        Column("name", "text", "Name of the device or process, or the version of the program."),
        Column("driver", "text", "Version of the driver."),
        Column("cuda", "text", "Version of CUDA that the driver knows."),
        Column("bus", "text", "Address on the bus."),
        Column("process_id", "int", "Process number on the host."),
        Column("memory_used_mib", "int", "Memory in use.", "MiB"),
        Column("memory_total_mib", "int", "Memory of the device.", "MiB"),
        Column("busy_percent", "int", "Share of the last second in which a kernel ran.", "%"),
    ),
    shared=True,
)
