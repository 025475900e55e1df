"""An operation as described by the generated table, and the options of one call."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import parse_qsl, quote, urlencode


@dataclass(frozen=True)
class CallOptions:
    """Options for one call, or for all pages of one walk."""

    max_credits: Optional[int] = None
    """The most credits that it may cost."""
    idempotency_key: Optional[str] = None
    """On POST: your own name for this request; generated if omitted."""


@dataclass(frozen=True)
class OperationRow:
    method: str
    path: str
    credits: int
    body: bool = False
    keyless: bool = False
    walk: Optional[Tuple[Optional[str], str, str]] = None
    units: Optional[Tuple[str, int, List[int], Dict[str, int]]] = None

    def ceiling(self, values: Mapping[str, Any]) -> int:
        """The maximum cost, in credits, of a call with these values."""
        if self.units is None:
            return self.credits
        parameter, unset, steps, special = self.units
        value = values.get(parameter)
        if value is None:
            return self.credits * unset
        text = text_of(value)
        count = special.get(text)
        if count is None:
            count = 1 + sum(1 for step in steps if float(text) > step)
        return self.credits * count

    def matches(self, path: str) -> bool:
        """Whether a GET of this path is this operation."""
        parts, given = self.path.split("/"), path.split("/")
        return (
            self.method == "GET"
            and len(parts) == len(given)
            and all(part.startswith("{") or part == own for part, own in zip(parts, given))
        )

    def request(self, values: Mapping[str, Any]) -> "Addressed":
        rest = {name: value for name, value in values.items() if value is not None}

        def put(match: "re.Match[str]") -> str:
            name = match.group(1)
            if rest.get(name) in (None, ""):
                raise TypeError(f"{name} is missing.")
            return quote(text_of(rest.pop(name)), safe="")

        path = re.sub(r"\{(\w+)\}", put, self.path)
        if self.body:
            return Addressed(self.method, path, json.dumps(rest).encode())
        query = urlencode({name: text_of(value) for name, value in rest.items()})
        return Addressed(self.method, f"{path}?{query}" if query else path, None)


# Reserved for a request of unknown price, so that it can't exceed a budget.
UNKNOWN_CREDITS = 1_000_000_000


def batch_ceiling(table: Mapping[str, OperationRow], values: Mapping[str, Any]) -> int:
    """The maximum total cost of a batch's requests."""
    total = 0
    for each in values.get("requests") or []:
        path, _, query = str(each.get("path")).partition("?")
        row = next((row for row in table.values() if row.matches(path)), None)
        total += UNKNOWN_CREDITS if row is None else row.ceiling(dict(parse_qsl(query)))
    return total


def batch_cost(answer: Mapping[str, Any]) -> int:
    return sum(int(each["headers"]["x-credits-cost"]) for each in answer["responses"])


@dataclass(frozen=True)
class Addressed:
    method: str
    path: str
    body: Optional[bytes]


def text_of(value: Any) -> str:
    """As the service writes it: true, not True; lists with commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(text_of(each) for each in value)
    return str(value)
