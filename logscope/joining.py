"""Parts → launches: the ranks, nodes and rotated pieces that belong to one start of a server, and why.

What decides, in this order: arguments (the same server on several nodes), rotation (one piece goes on where another
ends), ranks (they complement each other at the same time), and, for what holds no rank at all, the time. Names only
break ties. Parts that contradict each other (the same rank twice, other models, other roles) stay apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from logscope.contradictions import apart, cannot_be_one, named_nodes, span_of_ranks, started_apart
from logscope.inputs import natural
from logscope.launch import rank_order
from logscope.parts import OF_MAIN, Part, sequence, shared_letters

_GAP_S = 120.0  # between the last line of a piece and the first of the next
_SLACK_S = 60.0  # by which times that should overlap may miss each other


@dataclass(slots=True, eq=False)
class Group:
    """Parts of one launch, in the order in which they joined, and why they did."""

    parts: list[Part]
    reasons: list[str] = field(default_factory=list)

    @property
    def ranks(self) -> set[str]:
        return {rank for part in self.parts for rank in part.ranks}

    @property
    def first(self) -> Part:
        """The part with the arguments of node 0, else any with arguments, else the first."""
        return min(self.parts, key=lambda p: (not p.arguments, p.arguments.get("node_rank") or 0, *in_time(p)))

    @property
    def start(self) -> float | None:
        return min((part.start for part in self.parts if part.start is not None), default=None)

    @property
    def end(self) -> float | None:
        return max((part.end for part in self.parts if part.end is not None), default=None)

    @property
    def failed(self) -> bool:
        return any(part.failed for part in self.parts)

    def add(self, part: Part, why: str) -> None:
        self.parts.append(part)
        self.reasons.append(why)

    def ordered(self) -> list[Part]:
        """The parts as a launch lists them: node 0 first, pieces of one log by time, what stands beside them last."""
        return sorted(self.parts, key=lambda part: (self._node(part), *in_time(part)))

    def _node(self, part: Part) -> int:
        alike = [one for one in self.parts if one.arguments and (one is part or one.ranks & part.ranks)]
        nodes = [one.arguments.get("node_rank") or 0 for one in alike]
        return min(nodes) if nodes else 1 << 21 if part.beside else 1 << 20


def in_time(part: Part) -> tuple[float, list[tuple[int, str]], str, int]:
    """A sort key by start, then by name: it does not depend on the order in which inputs were given."""
    start = part.start if part.start is not None else float("inf")
    return start, natural(part.path), part.label, part.piece.first


def joined(parts: Sequence[Part]) -> list[Group]:
    """The launches, in the order of their starts."""
    if len({part.stream for part in parts}) < 2:
        return [Group([part]) for part in parts]
    groups: list[Group] = []
    beside = [part for part in parts if part.beside]
    waiting = [part for part in sorted(parts, key=in_time) if part not in beside]
    for wanted, tests in _ROUNDS:
        for part in [part for part in waiting if wanted(part)]:
            waiting.remove(part)
            _place(part, groups, tests)
    for part in beside:
        _beside(part, groups)
    order = _order(parts)
    return sorted(groups, key=lambda group: min(order[part.number] for part in group.parts))


def _order(parts: Sequence[Part]) -> dict[int, tuple[float, tuple[object, ...]]]:
    """By start, and the parts of one input in the order of its lines whatever their clocks say."""
    order: dict[int, tuple[float, tuple[object, ...]]] = {}
    latest: dict[int, float] = {}
    for part in sorted(parts, key=lambda one: (one.stream, one.place)):
        start = part.start if part.start is not None else latest.get(part.stream, float("inf"))
        latest[part.stream] = max(start, latest.get(part.stream, start))
        order[part.number] = latest[part.stream], in_time(part)[1:]
    return order


Fit = tuple[float, str]  # seconds between the two, and why they are one
Test = Callable[[Group, Part], Fit | None]


def _place(part: Part, groups: list[Group], tests: Sequence[Test]) -> None:
    """Put a part into the launch that it fits, or make it one."""
    for test in tests:
        fits = [(group, *fit) for group in groups if (fit := test(group, part))]
        chosen = _nearest(fits, part)
        if chosen is not None:
            chosen[0].add(part, chosen[2])
            return
        part.fits = part.fits or tuple(sorted(group.first.name for group, *_ in fits))
    groups.append(Group([part]))


def _nearest(fits: Sequence[tuple[Group, float, str]], part: Part) -> tuple[Group, float, str] | None:
    """The launch that is nearest in time; names break a tie, and where they do not, nothing is joined."""
    if len(fits) < 2:
        return fits[0] if fits else None
    least = min(seconds for _, seconds, _ in fits)
    near = [fit for fit in fits if fit[1] <= least + _SLACK_S]
    alike = [max(shared_letters(one.path, part.path) for one in fit[0].parts) for fit in near]
    best = [fit for fit, letters in zip(near, alike, strict=True) if letters == max(alike)]
    return best[0] if len(best) == 1 else None


def _same_server(group: Group, part: Part) -> Fit | None:
    """Nodes of one server: the same arguments but for the node, other ranks, started within the time-out."""
    if any(cannot_be_one(one, part) for one in group.parts):
        return None
    why = named_nodes(group.parts, part)
    return (started_apart(group.parts, part), why) if why else None


def _goes_on(group: Group, part: Part) -> Fit | None:
    """Rotation: the part has no start of its own and begins where one of the launch's pieces ends."""
    earlier = _earlier(group, part)
    if earlier is None or part.place or part.arguments or "argparse_error" in part.families:
        return None
    if part.overlaps == earlier.path:
        count = part.overlap_lines
        return 0.0, f"{part.name} begins with the last {count} lines of {earlier.name}, which count once"
    if part.comes_up and (group.failed or part.ranks & {rank for one in group.parts for rank in one.serving}):
        return None
    if earlier.end is None or part.start is None:
        older = sequence(part)[0] == sequence(earlier)[0] and sequence(part)[1] < sequence(earlier)[1]
        return (0.0, f"{part.name} is the next piece of the rotated log {earlier.name}") if older else None
    return _later(group, part, earlier)


def _later(group: Group, part: Part, earlier: Part) -> Fit | None:
    same_log = sequence(part)[0] == sequence(earlier)[0]
    ends = [one.rank_end.get(rank, 0.0) for one in group.parts for rank in part.ranks]
    gap = (part.start or 0.0) - max([earlier.end or 0.0, *ends])
    if gap < -1 or (gap > _GAP_S and (group.failed or not same_log)):
        return None
    gap = max(gap, 0.0)
    if same_log:
        return gap, f"{part.name} is the next piece of the rotated log {earlier.name}: it goes on {gap:.0f} s later"
    if group.failed or not part.ranks or not part.ranks <= group.ranks:
        return None
    return gap, f"{part.name} goes on {gap:.0f} s after {earlier.name} with the same ranks and no start of its own"


def _earlier(group: Group, part: Part) -> Part | None:
    """The piece of a launch that this part may continue: it overlaps, or has the same ranks, or the same name."""
    others = [
        one for one in group.parts if one.stream != part.stream and one.label == part.label and one.role == part.role
    ]
    overlapping = [one for one in others if part.overlaps == one.path]
    alike = [one for one in others if one.ranks & part.ranks or sequence(one)[0] == sequence(part)[0]]
    return max(overlapping or alike, key=lambda one: (one.end or 0.0, in_time(one)), default=None)


def _complements(group: Group, part: Part) -> Fit | None:
    """Ranks that the launch lacks, of the same kinds, at the same time."""
    if not part.ranks or part.ranks & group.ranks or any(cannot_be_one(one, part) for one in group.parts):
        return None
    if not span_of_ranks(group.parts, part) or not _together(group, part):
        return None
    why = f"{part.name} has {_ranks(part.ranks)}, which the launch of {group.first.name} lacks, at the same time"
    return started_apart(group.parts, part), why


def _main_only(group: Group, part: Part) -> Fit | None:
    """Lines of the main process beside lines of ranks, at the same time."""
    accessed = any("http_access" in one.families for one in group.parts)
    if (
        not part.families & OF_MAIN
        or part.ranks
        or not group.ranks
        or part.role != group.first.role
        or (accessed and "http_access" in part.families)
    ):
        return None
    if not _together(group, part):
        return None
    why = f"{part.name} has lines of the main process only, {group.first.name} of the ranks, at the same time"
    return started_apart(group.parts, part), why


def _together(group: Group, part: Part) -> bool:
    if group.start is None or group.end is None or part.start is None or part.end is None:
        return True
    outlives = group.failed and part.end > group.end + _GAP_S
    return part.start <= group.end + _SLACK_S and part.end >= group.start - _SLACK_S and not outlives


def _beside(part: Part, groups: list[Group]) -> None:
    """What the machine says belongs to the last launch that failed, else to the last; a piece of a log, to that log."""
    servers = [group for group in groups if group.ranks or group.first.arguments]
    if not servers:
        groups.append(Group([part]))
        return
    servers.sort(key=lambda group: in_time(group.first))
    same = [group for group in servers if any(sequence(one)[0] == sequence(part)[0] for one in group.parts)]
    if same:
        older = sequence(part)[1] > max(sequence(one)[1] for one in same[0].parts)
        nearest = min(same, key=lambda group: started_apart(group.parts, part))
        chosen = nearest if part.start is not None else same[0] if older else same[-1]
        chosen.add(part, f"{part.name} is a piece of the rotated log {chosen.first.name}")
        return
    chosen = ([group for group in servers if group.failed] or servers)[-1]
    what = "says what the machine did" if part.families else "holds no line of a server"
    chosen.add(part, f"{part.name} {what}")


def _has_arguments(part: Part) -> bool:
    return bool(part.arguments)


def _has_ranks(part: Part) -> bool:
    return bool(part.ranks)


def _any(_: Part) -> bool:
    return True


_ROUNDS: tuple[tuple[Callable[[Part], bool], tuple[Test, ...]], ...] = (
    (_has_arguments, (_same_server,)),
    (_has_ranks, (_goes_on, _complements)),
    (_any, (_goes_on, _main_only)),
)


def hosts(group: Group) -> list[list[str]]:
    """The inputs of a launch by the host that wrote them, the first one's first: pieces of one log, or of one rank."""
    found: list[tuple[set[str], list[Part]]] = []
    for part in group.ordered():
        marks = {*part.ranks, sequence(part)[0]}
        same = [one for one in found if one[0] & marks]
        merged = {*marks, *(mark for one in same for mark in one[0])}
        members = [*(member for one in same for member in one[1]), part]
        found = [one for one in found if one not in same]
        found.append((merged, members))
    lead = group.ordered()[0]
    found.sort(key=lambda one: (lead not in one[1], *in_time(one[1][0])))
    return [list(dict.fromkeys(part.path for part in members)) for _, members in found]


def reasons(group: Group) -> str:
    """Why the parts of a launch are one, in the order of their names."""
    return "; ".join(sorted(dict.fromkeys(group.reasons)))


def kept_apart(group: Group, groups: Iterable[Group]) -> tuple[tuple[str, str], ...]:
    """For each other input, why the nearest of its launches is another one."""
    own = {part.stream for part in group.parts}
    found: dict[str, tuple[float, str]] = {}
    for other in groups:
        if other is group or own & {part.stream for part in other.parts}:
            continue
        far = started_apart(group.parts, other.first)
        name = other.first.name
        if name not in found or far < found[name][0]:
            found[name] = (far, apart(group.parts, other.parts))
    return tuple((name, why) for name, (_, why) in sorted(found.items()))[:8]


def _ranks(names: Iterable[str]) -> str:
    ordered = sorted(names, key=rank_order)
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]} to {ordered[-1]}" if ordered else ""
