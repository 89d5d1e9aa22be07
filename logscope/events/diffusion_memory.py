r"""Memory of a diffusion server: components that are loaded, and the peak of a request.

Sample
    #@ 0.5.7..0.5.23
    [12-27 11:24:23] Loading vae from /models/wan/vae. avail mem: 34.97 GB
    #@ 0.5.7..0.5.9
    [12-27 11:24:25] Loaded vae: AutoencoderKLWan from customized. model size: 0.47 GB, avail mem: 34.50 GB
    #@ 0.5.8..0.5.23
    [05-27 11:24:25] Loaded transformer: WanTransformer3DModel (sgl-diffusion version). model size: 26.60 GB, consumed GPU mem: 26.72 GB, avail GPU mem: 7.80 GB
    #@ 0.5.9..0.5.9
    [02-27 11:24:25] Loaded transformer: WanTransformer3DModel (sgl-diffusion version). consumed: 26.72 GB, avail mem: 7.80 GB
    #@ 0.5.7..0.5.8.post1
    [01-27 11:25:23] Peak GPU memory: 46.76 GB, Remaining GPU memory at peak: 32.89 GB. Components that can stay resident: ['vae']
    #@ 0.5.9..0.5.23
    [05-27 11:25:23] Peak GPU memory: 46.76 GB, Peak allocated: 40.10 GB, Memory pool overhead: 6.66 GB (14.2%), Remaining GPU memory at peak: 32.89 GB. Components that could stay resident (based on the last request workload): ['vae'].
    #@ 0.5.7..0.5.23
    [05-27 11:25:23] Peak memory usage: 47882.24 MB
    [05-27 11:25:23] Memory usage - Max peak: 47882.24 MB, Avg peak: 47000.00 MB

Meaning
    Sizes are GiB (MB: MiB) of the device. `avail` is what is free for all processes; `peak` is the allocator's.

Source
    `loader/component_loader.py`, `managers/gpu_worker.py`, `entrypoints/openai/utils.py` below `multimodal_gen/runtime`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_AVAIL = r"(?P<avail_mem_gib>[-\d.]*\d) GB"

FAMILY = Family(
    shapes=(
        Shape(
            rf"Loading (?P<component>\S+) from (?P<model>.*)\. avail mem: {_AVAIL} *",
            ("Loading ",),
            contains=". avail mem: ",
            since="0.5.7",
            sets={"kind": "begin"},
        ),
        Shape(
            r"Loaded (?P<component>[^\s:]+)(?:: (?P<model>.*?))?\. (?:model size: (?P<model_gib>[\d.]+|N/A) GB, )?"
            rf"(?:consumed(?: GPU mem)?: (?P<consumed_gib>[-\d.]+) GB, |(?P<rest>.*?)\. )?avail(?: GPU)? mem: {_AVAIL} *",
            ("Loaded ",),
            contains=" mem: ",
            since="0.5.7",
            sets={"kind": "end"},
        ),
        Shape(
            r"Peak GPU memory: (?P<peak_gib>[\d.]+) GB, Remaining GPU memory at peak: (?P<remaining_gib>[-\d.]*\d) GB\."
            r"(?P<rest>.*)",
            ("Peak GPU memory:",),
            since="0.5.7",
            until="0.5.8.post1",
            sets={"kind": "peak"},
        ),
        Shape(
            r"Peak GPU memory: (?P<peak_gib>[\d.]+) GB, Peak allocated: (?P<allocated_gib>[\d.]+) GB, Memory pool overhead:"
            r" (?P<overhead_gib>[-\d.]+) GB \((?P<overhead_percent>[-\d.]+)%\), Remaining GPU memory at peak:"
            r" (?P<remaining_gib>[-\d.]*\d) GB\.(?P<rest>.*)",
            ("Peak GPU memory:",),
            since="0.5.9",
            sets={"kind": "peak"},
        ),
        Shape(
            r"Peak memory usage: (?P<peak_mib>[\d.]+) MB *",
            ("Peak memory usage:",),
            since="0.5.7",
            sets={"kind": "peak"},
        ),
        Shape(
            r"Memory usage - Max peak: (?P<peak_mib>[\d.]+) MB, Avg peak: (?P<average_peak_mib>[\d.]+) MB *",
            ("Memory usage - Max peak:",),
            since="0.5.7",
            sets={"kind": "peak"},
        ),
    ),
    columns=(
        Column("kind", "text", "begin, end (of a load), peak."),
        Column("component", "text", "transformer, vae, text_encoder …"),
        Column("model", "text", "Class or path."),
        Column("model_gib", "float", "Size of its weights.", "GiB"),
        Column("consumed_gib", "float", "Free before − free after.", "GiB"),
        Column("avail_mem_gib", "float", "Free memory at this line.", "GiB"),
        Column("peak_gib", "float", "Largest amount reserved by the allocator.", "GiB"),
        Column("allocated_gib", "float", "Largest amount in use.", "GiB"),
        Column("overhead_gib", "float", "Reserved − in use.", "GiB"),
        Column("overhead_percent", "float", "The same as a share.", "%", decimals=1),
        Column("remaining_gib", "float", "Free at the peak.", "GiB"),
        Column("peak_mib", "float", "Peak of a request.", "MiB"),
        Column("average_peak_mib", "float", "Mean over requests.", "MiB"),
        Column("rest", "text", "What else the line says."),
    ),
)
