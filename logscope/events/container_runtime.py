r"""What a container engine or an image's entry point says of the container's limits and devices: one row a line.

Sample
    #@ 0.1.15..0.5.23
    docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].
    nvidia-container-cli: initialization error: driver error: failed to process request
    WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available.
       Use the NVIDIA Container Toolkit to start this container with GPU support; see
    NOTE: The SHMEM allocation limit is set to the default of 64MB.  This may be
       insufficient for PyTorch.  NVIDIA recommends the use of the following flags:
    ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).

Meaning
    Without a driver no server starts. 64 MB of shared memory are too little for several ranks: NCCL fails, or a
    process dies of a bus error.

Source
    Docker engine; NVIDIA container toolkit; entry points of NVIDIA's images; torch `utils/data/_utils/signal_handling.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(r"docker: (?P<text>.*)", ("docker: ",), sets={"subject": "engine"}),
        Shape(
            r"(?:Error response from daemon: |OCI runtime .{0,200}?: ?)(?P<text>.*)",
            ("Error response from daemon", "OCI runtime "),
            sets={"subject": "engine"},
        ),
        Shape(r"nvidia-container-cli: (?P<text>.*)", ("nvidia-container-cli: ",), sets={"subject": "driver"}),
        Shape(
            r"WARNING: (?P<text>The NVIDIA Driver was not detected\..*|No NVIDIA driver .*)",
            ("WARNING: The NVIDIA Driver", "WARNING: No NVIDIA"),
            sets={"subject": "driver"},
        ),
        Shape(
            r"NOTE: (?P<text>The SHMEM allocation limit is set to the default of (?P<shared_memory>\d+[KMG]B).*)",
            ("NOTE: The SHMEM",),
            sets={"subject": "shared_memory"},
        ),
        Shape(
            r"ERROR: (?P<text>Unexpected bus error encountered in worker\..*)",
            ("ERROR: Unexpected bus error",),
            sets={"subject": "shared_memory"},
        ),
        Shape(
            r"\s+(?P<text>(?:Use the NVIDIA Container Toolkit to start|insufficient for PyTorch\.  NVIDIA recommends|docker run --gpus all --ipc=host|https://docs\.nvidia\.com/datacenter/cloud-native/).*)",
            ("   ",),
            sets={"subject": "advice"},
        ),
    ),
    columns=(
        Column("subject", "text", "engine, driver, shared_memory, advice."),
        Column("shared_memory", "text", "Limit as printed."),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
