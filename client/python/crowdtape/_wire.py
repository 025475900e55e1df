"""The HTTP layer: httpx if it is installed, otherwise the standard library in a thread."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Protocol

from ._errors import ConnectionFailed

try:
    import httpx
except ImportError:  # pragma: no cover - depends on the machine
    httpx = None


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    """Header names in lower case."""
    text: str


class Wire(Protocol):
    async def send(self, method: str, url: str, headers: Dict[str, str], body: Optional[bytes]) -> Reply: ...

    async def close(self) -> None: ...


class HttpxWire:
    def __init__(self, timeout_seconds: float) -> None:
        self._client: Any = httpx.AsyncClient(timeout=timeout_seconds, follow_redirects=False)

    async def send(self, method: str, url: str, headers: Dict[str, str], body: Optional[bytes]) -> Reply:
        try:
            response = await self._client.request(method, url, headers=headers, content=body)
        except httpx.HTTPError as problem:
            raise ConnectionFailed(f"No answer came: {type(problem).__name__}.") from problem
        return Reply(response.status_code, {name.lower(): value for name, value in response.headers.items()}, response.text)

    async def close(self) -> None:
        await self._client.aclose()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class UrllibWire:
    def __init__(self, timeout_seconds: float) -> None:
        self._timeout = timeout_seconds
        self._opener = urllib.request.build_opener(_NoRedirect)

    async def send(self, method: str, url: str, headers: Dict[str, str], body: Optional[bytes]) -> Reply:
        return await asyncio.to_thread(self._send, method, url, headers, body)

    def _send(self, method: str, url: str, headers: Dict[str, str], body: Optional[bytes]) -> Reply:
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        try:
            try:
                response = self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as refused:
                response = refused
            with response:
                names = {name.lower(): value for name, value in response.headers.items()}
                return Reply(int(response.status or 0), names, response.read().decode("utf-8", "replace"))
        except (OSError, ValueError) as problem:
            raise ConnectionFailed(f"No answer came: {type(problem).__name__}.") from None

    async def close(self) -> None:
        return None


def open_wire(timeout_seconds: float, backend: Optional[str]) -> Wire:
    if backend == "urllib" or (backend is None and httpx is None):
        return UrllibWire(timeout_seconds)
    if httpx is None:
        raise ImportError("httpx is not installed.")
    return HttpxWire(timeout_seconds)
