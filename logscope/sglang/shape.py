"""The shape of a model, as far as the size of its KV cache depends on it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Numbers of a public configuration file.

    `layers` counts all layers; of these `window_layers` see only the last `window_tokens`, and `state_layers` keep a
    state of `state_bytes` a request (all state layers together, one rank) instead of keys and values. `kv_lora_rank`
    is above zero for MLA, `index_head_dim` for sparse attention with an indexer. `v_head_dim` is that of values where
    it differs. `vocabulary` and `hidden_size` size logits and embeddings. `aliases` are models of the same shape.
    """

    name: str
    architecture: str
    layers: int
    kv_heads: int
    head_dim: int
    v_head_dim: int = 0
    kv_lora_rank: int = 0
    rope_head_dim: int = 0
    index_head_dim: int = 0
    window_layers: int = 0
    window_tokens: int = 0
    window_kv_heads: int = 0
    window_head_dim: int = 0
    window_v_head_dim: int = 0
    state_layers: int = 0
    state_bytes: int = 0
    vocabulary: int = 0
    hidden_size: int = 0
    aliases: tuple[str, ...] = ()

    @property
    def full_layers(self) -> int:
        """Layers that keep keys and values of every token."""
        return self.layers - self.window_layers - self.state_layers

    @property
    def mla(self) -> bool:
        return self.kv_lora_rank > 0
