"""The version of logscope: what the package, the reports and `logscope --version` say."""

from __future__ import annotations

VERSION = "0.1.0"
