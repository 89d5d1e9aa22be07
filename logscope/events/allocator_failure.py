r"""An allocator could not give memory: one row a sentence, also inside tracebacks and other messages.

Sample
    #@ 0.1.15..0.5.23
    torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 23.69 GiB total capacity; 21.31 GiB already allocated; 13.06 MiB free; 21.96 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.
    torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacty of 14.75 GiB of which 11.06 MiB is free. Process 41 has 14.73 GiB memory in use. Of the allocated memory 13.90 GiB is allocated by PyTorch, and 11.41 MiB is reserved by PyTorch but unallocated.
    torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 6 has a total capacity of 139.80 GiB of which 488.19 MiB is free. Including non-PyTorch memory, this process has 139.20 GiB memory in use. Of the allocated memory 134.73 GiB is allocated by PyTorch, with 1.20 GiB allocated in private pools (e.g., CUDA Graphs), and 297.40 MiB is reserved by PyTorch but unallocated.
    torch.OutOfMemoryError: HIP out of memory. Tried to allocate 5.38 GiB. GPU 4 has a total capacity of 191.45 GiB of which 1.20 GiB is free. Of the allocated memory 188.69 GiB is allocated by PyTorch, and 1.01 GiB is reserved by PyTorch but unallocated.
    torch.OutOfMemoryError: XPU out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 15.91 GiB of which 102.00 MiB is free. Of the allocated memory 14.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated. Please use `empty_cache` to release all unoccupied cached memory.
    RuntimeError: NPU out of memory. Tried to allocate 260.00 MiB (NPU 0; 28.50 GiB total capacity; 10.24 GiB already allocated; 10.24 GiB current active; 149.57 MiB free; 10.28 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb.
    torch.OutOfMemoryError: CUDA out of memory.
    GiB. GPU 7 has a total capacity of 95.00 GiB of which 11.00 MiB is free.
    RuntimeError: MPS backend out of memory (MPS allocated: 17.36 GB, other allocations: 613.56 MB, max allowed: 18.13 GB). Tried to allocate 192.00 MB on private pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure).
    RuntimeError: [metal::malloc] Attempting to allocate 135383101952 bytes which is greater than the maximum allowed buffer size of 86586540032 bytes.
    RuntimeError: [METAL] Command buffer execution failed: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory).
    RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 1313792 bytes. Error code 12 (Cannot allocate memory)
    RuntimeError: could not create a primitive
    RuntimeError: CUDA error: out of memory
    RuntimeError: CUDA driver error: out of memory
    RuntimeError: Triton Error [CUDA]: out of memory
    RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`
    RuntimeError: Failed to allocate memory for batch_prefill_tmp_v with size 67108864 and alignment 16 in AlignedAllocator
    [torch_memory_saver.cpp] cuMemCreate CUDA_ERROR_OUT_OF_MEMORY (may not be an issue e.g. torch allocator will free cache and retry)
    [torch_memory_saver.cpp] CUresult error: 2 (out of memory)  file=csrc/utils.h func=cu_mem_create line=104
    OSError: [Errno 12] Cannot allocate memory
    OSError: [Errno 28] No space left on device
    MemoryError: Unable to allocate 3.05 GiB for an array with shape (409600, 1000) and data type float64
    MemoryError: std::bad_alloc

Meaning
    The numbers stand as they are printed, each beside its own unit, because torch chooses the unit. `device` counts
    inside `CUDA_VISIBLE_DEVICES` of that process. `free` is what the driver says: other processes and, on unified
    memory, the rest of the system are in it. `reserved_total` of the older text holds what is allocated; `reserved` of
    the newer one does not. A request far below `free` is fragmentation or a limit. A text that a renderer has wrapped
    gives one row for its head and one row for each part that holds device numbers. FlashInfer's `AlignedAllocator` is a
    fixed workspace, not device memory; torch_memory_saver's `may not be an issue` is followed by a second try.

Source
    torch `c10/cuda/CUDACachingAllocator.cpp`, `c10/core/impl/alloc_cpu.cpp`, `aten/src/ATen/mps/MPSAllocator.mm`,
    `c10/xpu/XPUCachingAllocator.cpp`; torch_npu; MLX `backend/metal/allocator.cpp`, `device.cpp`; oneDNN; Triton
    `driver.c`; FlashInfer `allocator.h`; torch_memory_saver `csrc/utils.h`; libc `strerror`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape


def _amount(name: str) -> str:
    return rf"(?P<{name}>\d{{1,20}}(?:\.\d{{1,6}})?) ?(?P<{name}_unit>bytes|B|[KMGT]i?B)"


def _seen(*parts: str) -> str:
    """Optional looks ahead: what is cut off or worded otherwise is left out, the rest is still read."""
    return "".join(rf"(?:(?=.{{0,2000}}?{part}))?" for part in parts)


_BACKEND = r"(?P<backend>CUDA|HIP|XPU|NPU|MUSA|HPU|MLU|GCU) out of memory\b"
_REQUEST = rf"Tried to allocate {_amount('requested')}"
_DEVICE = (
    r"(?:GPU|NPU|MLU|HPU) (?P<device>\d+) has a total cap",
    rf"total capac(?:i)?ty of {_amount('total')}",
    rf"of which {_amount('free')} is free",
    rf"this process has {_amount('process')} memory in use",
    rf"Process (?P<other_process_id>\d+) has {_amount('other_process')} memory in use",
    rf"{_amount('allowed')} allowed;",
    rf"Of the allocated memory {_amount('allocated')} is allocated by PyTorch",
    rf"with {_amount('private_pools')} allocated in private pools",
    rf"and {_amount('reserved')} is reserved by PyTorch but unallocated",
)
_OLD_DEVICE = (
    r"\((?:GPU|NPU|MLU|HPU) (?P<device>\d+);",
    rf"; {_amount('total')} total capacity",
    rf"; {_amount('allocated')} already allocated",
    rf"; {_amount('active')} current active",
    rf"; {_amount('free')} free",
    rf"; {_amount('reserved_total')} reserved in total by PyTorch",
)
_MPS = (
    rf"MPS allocated: {_amount('allocated')}",
    rf"other allocations: {_amount('other_process')}",
    rf"max allowed: {_amount('allowed')}",
)


def _text(backend: str, pattern: str, *literals: str) -> Shape:
    return Shape(pattern, literals, scope="line", sets={"backend": backend})


def _size(name: str, doc: str) -> tuple[Column, Column]:
    return (
        Column(name, "float", f"{doc}, in the unit beside it.", "see unit"),
        Column(f"{name}_unit", "text", f"Unit of `{name}` as printed: bytes, KiB, MiB, GiB; MPS writes MB and GB."),
    )


FAMILY = Family(
    shapes=(
        Shape(
            rf"{_BACKEND}(?=.{0, 200}?\((?:GPU|NPU|MLU|HPU) \d+;){_seen(_REQUEST, *_OLD_DEVICE)}",
            (" out of memory. Tried to allocate",),
            scope="line",
        ),
        Shape(rf"{_BACKEND}{_seen(_REQUEST, *_DEVICE)}", (" out of memory",), scope="line"),
        Shape(rf"(?=.{{0,2000}}?has a total capac){_seen(*_DEVICE)}", (" has a total capac",), scope="line"),
        _text(
            "MPS",
            "MPS backend out of memory" + _seen(_REQUEST, *_MPS),
            "MPS backend out of memory",
        ),
        _text(
            "Metal",
            r"\[metal::malloc\] Attempting to allocate (?P<requested>\d+) (?P<requested_unit>bytes)"
            r"(?: which is greater than the maximum allowed buffer size of (?P<allowed>\d+) (?P<allowed_unit>bytes))?",
            "[metal::malloc]",
        ),
        _text(
            "Metal",
            r"\[malloc(?:_or_wait)?\] Unable to allocate (?P<requested>\d+) (?P<requested_unit>bytes)",
            "[malloc",
        ),
        _text(
            "Metal",
            r"\[METAL\] Command buffer execution failed: (?P<what>Insufficient Memory|.{0,200}?OutOfMemory)",
            "[METAL] Command buffer execution failed",
        ),
        _text(
            "CPU",
            r"DefaultCPUAllocator: (?P<what>can't allocate memory|not enough memory)"
            r": you tried to allocate (?P<requested>\d+) (?P<requested_unit>bytes)"
            r"(?:\. (?:Error code|Buy new RAM) ?(?P<code>\d+)?)?",
            "DefaultCPUAllocator",
        ),
        _text(
            "oneDNN",
            r"(?P<what>could not (?:create|initialize) a (?:primitive|memory(?: object)?))\s*$",
            "could not create a ",
            "could not initialize a ",
        ),
        Shape(
            r"(?P<backend>CUDA|HIP|MUSA|XPU)(?: driver)? error(?: in \S+)?: (?P<what>out of memory)",
            (": out of memory",),
            scope="line",
        ),
        _text(
            "Triton",
            r"Triton Error \[(?:CUDA|HIP|XPU|MUSA)\]:(?: Code: \d+, Mess+age:)? (?P<what>out of memory)",
            "Triton Error [",
        ),
        _text(
            "CUDA",
            r"(?P<what>(?:CUBLAS|CUDNN|CUSOLVER|CUSPARSE|CUFFT|ROCBLAS|HIPBLAS)_STATUS_(?:ALLOC_FAILED|MEMORY_ERROR))",
            "_STATUS_ALLOC_FAILED",
            "_STATUS_MEMORY_ERROR",
        ),
        _text(
            "CUDA",
            r"\[torch_memory_saver\.cpp\] (?P<function>\w+) (?P<what>CUDA_ERROR_OUT_OF_MEMORY) \((?P<note>may not be an issue)",
            "may not be an issue",
        ),
        _text(
            "CUDA",
            r"\[torch_memory_saver\.cpp\] TorchMemorySaver::(?P<function>\w+) return (?P<what>OOM)",
            "] TorchMemorySaver::",
        ),
        _text(
            "CUDA",
            r"(?P<what>Cuda failure (?:\d+ )?'out of memory'"
            r"|\bcudaErrorMemoryAllocation\b|\bhipErrorOutOfMemory\b|\bCUDA_ERROR_OUT_OF_MEMORY\b)",
            "Cuda failure",
            "cudaErrorMemoryAllocation",
            "hipErrorOutOfMemory",
            "CUDA_ERROR_OUT_OF_MEMORY",
        ),
        _text(
            "CUDA",
            r"\[torch_memory_saver\.cpp\] (?:CUresult|cudaError) error: (?P<code>\d+) \((?P<what>out of memory)\)"
            r"(?: +file=\S+ func=(?P<function>\w+))?",
            "[torch_memory_saver.cpp]",
        ),
        _text("HIP", r"(?P<what>HSA_STATUS_ERROR_OUT_OF_RESOURCES)", "HSA_STATUS_ERROR_OUT_OF_RESOURCES"),
        _text(
            "XPU",
            r"(?P<what>(?:UR_RESULT|PI|ZE_RESULT)_ERROR_OUT_OF_(?:DEVICE_MEMORY|HOST_MEMORY|RESOURCES))",
            "_ERROR_OUT_OF_",
        ),
        _text(
            "NPU", r"(?P<what>ACL_ERROR_RT_MEMORY_ALLOCATION|halMemAlloc failed)", "MEMORY_ALLOCATION", "halMemAlloc"
        ),
        Shape(
            r"Failed to allocate memory for (?P<what>\w+) with size (?P<requested>\d+) and alignment \d+ in"
            r" (?P<function>AlignedAllocator)",
            ("Failed to allocate memory for ",),
            scope="line",
            sets={"backend": "FlashInfer", "requested_unit": "bytes"},
        ),
        _text(
            "host",
            rf"(?:MemoryError|_ArrayMemoryError): (?P<what>Unable to allocate) {_amount('requested')}",
            "Unable to allocate ",
        ),
        _text("host", r"(?P<what>Cannot allocate memory|std::bad_alloc)", "Cannot allocate memory", "std::bad_alloc"),
        _text("host", r"(?P<what>No space left on device)", "No space left on device"),
    ),
    columns=(
        Column("backend", "text", "Whose memory: CUDA, HIP, XPU, NPU, MPS, Metal, CPU, oneDNN, Triton, host, …"),
        Column("what", "text", "The decisive words of a sentence that holds no sizes, or the name of the buffer."),
        Column("function", "text", "Function or allocator that failed, where it is printed."),
        Column("note", "text", "What the sentence itself says against its weight: a second try follows."),
        Column("code", "int", "Error number of the operating system or the driver."),
        Column("device", "int", "Index of the device among those visible to the process."),
        *_size("requested", "What was asked for"),
        *_size("total", "Size of the device"),
        *_size("free", "Free on the device at that moment, whoever holds the rest"),
        *_size("process", "Held by this process, memory outside torch included"),
        Column("other_process_id", "int", "Number of the first other process that the sentence names."),
        *_size("other_process", "Held by the first other process; on MPS by other allocations"),
        *_size("allowed", "The limit of the process or of a buffer"),
        *_size("allocated", "Allocated by torch and in use"),
        *_size("active", "Currently active (torch_npu)"),
        *_size("private_pools", "Of the allocated, in private pools such as CUDA graphs"),
        *_size("reserved", "Reserved by torch and not allocated: the caching allocator's slack"),
        *_size("reserved_total", "Reserved by torch with what is allocated (older text)"),
    ),
    shared=True,
)
