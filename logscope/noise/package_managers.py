r"""What package managers print while they install.

Why
    It happens before the server; a version that does not fit shows as an import error later.

Sample
    Requirement already satisfied: torch in /usr/lib/python3/dist-packages (2.8.0)
    Collecting sglang[all]
      Downloading sglang-0.5.9-py3-none-any.whl (2.1 MB)
    Installing collected packages: sglang
    Successfully installed sglang-0.5.9
    Looking in indexes: https://pypi.example/simple
    WARNING: Running pip as the 'root' user can result in broken permissions and conflicting behaviour with the system package manager.
    [notice] A new release of pip is available: 24.0 -> 25.1
    [notice] To update, run: pip install --upgrade pip
    Get:1 http://archive.ubuntu.com/ubuntu jammy InRelease [270 kB]
    Reading package lists...
    Setting up libnuma1:amd64 (2.0.14-3ubuntu2) ...
    Cloning into 'sglang'...
    remote: Enumerating objects: 12, done.
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "pip, apt, git"
_REASON = "installation before the server starts"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:Requirement already satisfied: |Collecting \S|Installing collected packages: |Successfully (?:installed|uninstalled|built) \S|Looking in (?:indexes|links): |Attempting uninstall: |Found existing installation: |Obtaining file:///|Building wheels? for |Created wheel for |Stored in directory: |Defaulting to user installation|Processing \S+\.whl).*$",
        starts=(
            "Requirement already",
            "Collecting ",
            "Installing collected",
            "Successfully installed",
            "Successfully uninstalled",
            "Successfully built",
            "Looking in indexes",
            "Looking in links",
            "Attempting uninstall",
            "Found existing",
            "Obtaining file",
            "Building wheel",
            "Created wheel",
            "Stored in directory",
            "Defaulting to user",
            "Processing ",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r" +(?:Downloading|Using cached|Preparing metadata|Installing build dependencies|Getting requirements to build|Building wheel for|Created wheel|Stored in directory|Attempting uninstall|Found existing installation|Uninstalling|Successfully uninstalled) .*$",
        starts=("  ",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"WARNING: Running pip as the .root. user.*$",
        starts=("WARNING: Running pip",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\[notice\] (?:A new release of pip|To update, run).*$",
        starts=("[notice] ",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:(?:Get|Hit|Ign):\d+ https?://|Reading (?:package lists|state information)|Building dependency tree|Setting up \S+ \(|Unpacking \S+|Selecting previously unselected|Preparing to unpack|Processing triggers for|Fetched [\d.,]+ \w+ in ).*$",
        starts=(
            "Get:",
            "Hit:",
            "Ign:",
            "Reading package",
            "Reading state",
            "Building dependency",
            "Setting up ",
            "Unpacking ",
            "Selecting previously",
            "Preparing to unpack",
            "Processing triggers",
            "Fetched ",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:Cloning into |remote: (?:Enumerating|Counting|Compressing|Total)|Receiving objects: |Resolving deltas: ).*$",
        starts=(
            "Cloning into",
            "remote: ",
            "Receiving objects",
            "Resolving deltas",
        ),
    ),
)
