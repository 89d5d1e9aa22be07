"""The quantities that relations are about: each named once, with its unit and what it can be at all."""

from __future__ import annotations

from logscope.expression import Const, Var

FRACTION = Var("mem_fraction_static", "share", 0, 1, "a fraction of the memory")
AVAIL_BEFORE_LOAD = Var("avail_before_load", "GiB", 0, says="free memory")
AVAIL_AFTER_LOAD = Var("avail_after_load", "GiB", 0, says="free memory")
OWN_AVAIL_BEFORE_LOAD = Var("own_avail_before_load", "GiB", 0, says="free memory")
AVAIL_AFTER_TARGET = Var("own_avail_after_target", "GiB", 0, says="free memory")
OWN_AVAIL_AFTER_LOAD = Var("own_avail_after_load", "GiB", 0, says="free memory")
WEIGHTS = Var("weights", "GiB", says="the memory of the weights")
REST_MEMORY = Var("rest_memory", "GiB", says="the rest of the memory")
MULTIMODAL_RESERVE = Var("multimodal_reserve", "GiB", 0, says="a reserve")
KV_POOL = Var("kv_pool", "GiB", 0, says="the size of a pool")
STATE_POOL = Var("state_pool", "GiB", 0, says="the size of a pool")
BESIDE_SHARE = Var("beside_share", "share", 0, says="what shares the budget with the pool, by the pool's size")
REQUEST_TABLE = Var("request_table", "GiB", 0, says="the size of a table")
AVAIL_POOL_END = Var("avail_pool_end", "GiB", 0, says="free memory")
AVAIL_BEFORE_GRAPHS = Var("avail_before_graphs", "GiB", 0, says="free memory")
AVAIL_AFTER_GRAPHS = Var("avail_after_graphs", "GiB", 0, says="free memory")
GRAPH_MEMORY = Var("graph_memory", "GiB", says="the memory of the graphs")

TOKENS = Var("max_total_num_tokens", "tokens", 0, says="the size of a pool")
RESERVED_TOKENS = Var("reserved_tokens", "tokens", 0, says="the address space of a pool")
PROFILED_TOKENS = Var("profiled_tokens", "tokens", says="the profiled size of a pool")
MAX_TOTAL_TOKENS = Var("max_total_tokens", "tokens", 0, says="a cap on the pool")
SPECULATIVE_TOKENS = Var("speculative_tokens", "tokens", 0, says="the extra tokens of speculation")
PAGE_SIZE = Var("page_size", "tokens", 1, says="the size of a page")
CELL_SIZE = Var("cell_size", "bytes/token", 0, says="the bytes of a token")
STORED_CELL_SIZE = Var("stored_cell_size", "bytes/token", 0, says="the bytes of a token")
CONTEXT_LENGTH = Var("context_length", "tokens", 0, says="the context length")
MAX_RUNNING_REQUESTS = Var("max_running_requests", "requests", 0, says="a number of requests")

SYSTEM_AVAILABLE = Var("sys_available", "GiB", 0, says="free memory of the machine")
MLX_LIMIT = Var("mlx_limit", "GiB", 0, says="the working set of the device")
MLX_USED = Var("mlx_used", "GiB", 0, says="the memory that MLX holds")
KV_BUDGET = Var("kv_budget", "GiB", 0, says="a budget")
POOL_MIB = Var("pool_mib", "MiB", 0, says="the size of a pool")
OUTSIDE_POOL = Var("outside_pool", "GiB", 0, says="the memory outside the pool")
RUNNING = Var("running_requests", "requests", 0, says="a number of requests")
PRIVATE_BUFFERS = Var("private_buffers", "GiB", 0, says="the private buffers of requests")

BYTES_PER_GIB = Const(2.0**30, "bytes/GiB")
BYTES_PER_MIB = Const(2.0**20, "bytes/MiB")
BYTES_PER_GB = Const(1e9, "bytes/GB")

USED_TOKENS = Var("used_tokens", "tokens", 0, says="a number of tokens")
TOKEN_USAGE = Var("token_usage_share", "share", 0, 1.005, "a share of the pool")
AVAILABLE_TOKENS = Var("available_tokens", "tokens", 0, says="a number of tokens")
EVICTABLE_TOKENS = Var("evictable_tokens", "tokens", 0, says="a number of tokens")
PROTECTED_TOKENS = Var("protected_tokens", "tokens", 0, says="a number of tokens")
SESSION_TOKENS = Var("session_held_tokens", "tokens", 0, says="a number of tokens")
UNCACHED_TOKENS = Var("uncached_tokens", "tokens", 0, says="a number of tokens")
LEAKED_TOKENS = Var("leaked_tokens", "tokens", says="a number of tokens")

ACCEPT_LENGTH = Var("accept_length_tokens", "tokens/step", 1, says="an accepted length")
ACCEPT_RATE = Var("accept_rate_share", "share", 0, 1, "an accept rate")
DRAFT_TOKENS = Var("speculative_num_draft_tokens", "tokens/step", 1, says="the draft tokens of a step")
DRAFT_STEPS = Var("speculative_num_steps", "tokens/step", 0, says="the steps of a draft")

RATIO_BEFORE = Var("new_token_ratio_before", "share", 0, 1, "a ratio")
RATIO_AFTER = Var("new_token_ratio_after", "share", 0, 1, "a ratio")
DECAY_STEPS = Var("decode_steps", "steps", 0, says="a number of steps")
CONSERVATIVENESS = Var("schedule_conservativeness", "share", 0, says="a factor")

THROUGHPUT = Var("throughput_tok_s", "tokens/s", 0, says="a rate")
SECONDS = Var("seconds", "s", 0, says="a time")
INTERVAL_TOKENS = Var("interval_tokens", "tokens", 0, says="a number of tokens")
DECODE_STEPS = Var("interval_steps", "steps", 0, says="a number of steps")

HOST_POOL = Var("host_pool", "GB", 0, says="the size of a host pool")
HOST_FREE = Var("host_free", "GB", 0, says="the free memory of the host")
HICACHE_RATIO = Var("hicache_ratio", "share", 0, says="a ratio")

DEVICE_CAPACITY = Var("device_capacity", "MiB", 0, says="the capacity of a device")
FRACTION_RESERVE = Var("fraction_reserve", "MiB", 0, says="the reserve behind an automatic fraction")
