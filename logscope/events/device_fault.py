r"""A device reported a fault that is not lack of memory: one row a sentence, also inside tracebacks.

Sample
    #@ 0.1.15..0.5.23
    RuntimeError: CUDA error: an illegal memory access was encountered
    torch.AcceleratorError: CUDA error: device-side assert triggered
    RuntimeError: CUDA error: no kernel image is available for execution on the device
    RuntimeError: CUDA driver error: invalid argument
    RuntimeError: HIP error: an illegal memory access was encountered
    RuntimeError: Triton Error [CUDA]: an illegal memory access was encountered
    RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx(handle, opa, opb, m, n, k)`
    /pytorch/aten/src/ATen/native/cuda/IndexKernel.cu:93: operator(): block: [12,0,0], thread: [64,0,0] Assertion `-sizes[i] <= index && index < sizes[i] && "index out of bounds"` failed.
    Memory access fault by GPU node-3 (Agent handle: 0x55d0c8a3b2f0) on address 0x7f2b40000000. Reason: Unknown.
    Memory access fault by GPU node-3 (Agent handle: 0x55d0c8a3b2f0) on address 0x7f2b40000000.
    Reason: Page not present or supervisor privilege.
    HW Exception by GPU node-5 (Agent handle: 0x55d0a3b7ab10) reason :GPU Hang
    :0:rocdevice.cpp            :2993: 1183357978 us:  Callback: Queue 0x7f1c00400000 aborting with error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a hardware exception. code: 0x1016
    [ 8123.456789] NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.
    EZ9999[PID: 4711] 2026-07-07-07:20:43.817.613 (EZ9999):  The error from device(chipId:0, dieId:0), serial number is 12, there is an exception of aicore error, core id is 5, error code = 0x800000
    [ERROR] 2026-07-07-07:20:43 (PID:4711, Device:0, RankID:-1) ERR00100 PTA call acl api failed.
    "hipErrorNoBinaryForGpu: Unable to find code object for all current devices! - gfx1151"
    RuntimeError: Native API failed. Native API returns: 20 (UR_RESULT_ERROR_DEVICE_LOST)
    RuntimeError: [METAL] Command buffer execution failed: Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)

Meaning
    Faults are reported at a later call than the one that caused them, so the traceback around the sentence need not
    name the culprit. The first rank that reports one is the cause; the others lose their peer. `no kernel image` and
    `invalid argument` at start-up speak of the build, not of the device.

Source
    torch `c10/cuda/CUDAException.cpp`, `c10/cuda/CUDAFunctions.h`; CUDA and HIP runtime error strings; NVIDIA driver
    (Xid); ROCm `rocdevice.cpp`; CANN error codes; MLX `backend/metal/device.cpp`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape


def _line(backend: str, pattern: str, *literals: str) -> Shape:
    return Shape(pattern, literals, scope="line", sets={"backend": backend})


FAMILY = Family(
    shapes=(
        _line(
            "CUDA",
            r"(?P<source>[^\s:]{1,200}\.(?:cuh?|hip|h)):(?P<source_line>\d+): (?P<kernel>.{1,500}?): block: \[[\d,]{1,40}\],"
            r" thread: \[[\d,]{1,40}\],? Assertion `(?P<fault>.{0,1000}?)`(?: failed)?",
            "block: [",
        ),
        Shape(
            r"(?:Triton Error \[(?P<backend>CUDA|HIP|XPU|MUSA)\]:(?: Code: \d+, Mess+age:)?)"
            r" (?P<fault>(?!.*out of memory).+)",
            ("Triton Error [",),
            scope="line",
        ),
        Shape(
            r"(?P<backend>CUDA|HIP|MUSA|NPU|XPU)(?: driver| runtime)? error(?: in \S+)?: "
            r"(?P<fault>(?!out of memory|\w+_STATUS_(?:ALLOC_FAILED|MEMORY_ERROR))\S.*)",
            (
                "CUDA error",
                "CUDA driver error",
                "HIP error",
                "HIP driver error",
                "MUSA error",
                "NPU error",
                "XPU error",
            ),
            scope="line",
        ),
        _line(
            "CUDA",
            r"(?P<fault>(?:CUBLAS|CUDNN|CUSOLVER|CUSPARSE|NVRTC|ROCBLAS|HIPBLAS)"
            r"_(?:STATUS|ERROR)_(?!ALLOC_FAILED|MEMORY_ERROR|SUCCESS|NOT_SUPPORTED)\w+)",
            "CUBLAS_STATUS_",
            "CUDNN_STATUS_",
            "CUSOLVER_STATUS_",
            "CUSPARSE_STATUS_",
            "HIPBLAS_STATUS_",
        ),
        _line(
            "CUDA",
            r"Cuda failure (?:\d+ )?'(?P<fault>(?!out of memory)[^']+)'",
            "Cuda failure ",
        ),
        _line(
            "HIP",
            r"(?P<fault>Memory access fault) by GPU node-(?P<device>\d+) \(.{0,100}?\) on address (?P<address>0x[0-9a-f]{1,16}|\S{1,40}?)"
            r"\.(?: Reason: (?P<text>[^.]{0,200})\.?)?\s{0,9}$",
            "Memory access fault by GPU",
        ),
        _line(
            "HIP",
            r"^Reason: (?P<fault>(?:Page not present|Unknown|Write access|Host access|Shared memory)[^.]*)\.?\s*$",
            "Reason: ",
        ),
        _line(
            "HIP",
            r"(?P<fault>HW Exception) by GPU node-(?P<device>\d+) \(.{0,100}?\) ?[Rr]eason ?: ?(?P<text>[^.]{0,200})\.?\s*$",
            "HW Exception by GPU",
        ),
        _line(
            "HIP",
            r"(?P<fault>HSA_STATUS_ERROR(?!_OUT_OF_RESOURCES)\w*)(?:: (?P<text>.{0,300}?))?(?: code: (?P<code>0x[0-9a-f]+))?\s*$",
            "HSA_STATUS_ERROR",
        ),
        _line(
            "HIP",
            r"(?P<fault>hipErrorNoBinaryForGpu: Unable to find code object for all current devices!?)(?P<text>.{0,200})",
            "hipErrorNoBinaryForGpu",
        ),
        _line(
            "XPU",
            r"Native API failed\. Native API returns: (?P<code>-?\d+) \((?P<fault>(?:UR_RESULT|PI)_ERROR_(?!OUT_OF)\w+)\)(?P<text>.{0,200})",
            "Native API failed",
        ),
        _line(
            "CUDA",
            r"NVRM: (?P<fault>Xid) \((?P<address>[^)]*)\): (?P<code>\d+), (?P<text>.*)",
            "NVRM: Xid",
        ),
        _line(
            "NPU",
            r"^(?P<code>E[A-Z]\d{4})(?:\[PID: (?P<process_id>\d+)\])?(?: (?P<printed_time>[\d:.-]+))?"
            r"(?: \(\w+\))?: ?(?P<fault>.*)",
            "EZ9999",
            "EE9999",
            "EI000",
            "EJ000",
            "EK0001",
            "EL000",
            "EE100",
            "E30003",
        ),
        _line(
            "NPU",
            r"^\[ERROR\] (?P<printed_time>[\d:.-]+) \(PID:(?P<process_id>\d+), Device:(?P<device>-?\d+), RankID:-?\d+\)"
            r" (?P<code>ERR\d+) (?P<fault>.*)",
            ", RankID:",
        ),
        _line(
            "NPU",
            r"(?P<fault>aicore (?:exception|error|timeout)|aclrtSynchronize\w+ failed|ACL stream synchronize failed)",
            "aicore ",
            "aclrtSynchronize",
            "ACL stream synchronize",
        ),
        _line(
            "Metal",
            r"\[METAL\] Command buffer execution failed: (?P<fault>(?!Insufficient Memory)[^(]{1,100}?)(?: \((?P<text>[^)]{0,200})\)|\.?\s{0,9}$)",
            "[METAL] Command buffer execution failed",
        ),
    ),
    columns=(
        Column("backend", "text", "Whose device: CUDA, HIP, MUSA, NPU, XPU, Metal."),
        Column("fault", "text", "What the device or its driver says."),
        Column("code", "text", "Number of the fault: Xid, CANN code, HSA code."),
        Column("device", "int", "Index of the device where it is named."),
        Column("address", "text", "Address of the access, or of the device on its bus."),
        Column("source", "text", "Source file of a device-side assertion."),
        Column("source_line", "int", "Its line."),
        Column("kernel", "text", "Kernel or function of the assertion."),
        Column("process_id", "int", "Process number that is named."),
        Column("printed_time", "text", "Time inside the sentence."),
        Column("text", "text", "The rest of the sentence."),
    ),
    shared=True,
)
