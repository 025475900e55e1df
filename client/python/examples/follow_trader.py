"""Follows one trader live: prints each buy and sell, saves its position in a file, and continues there the next time.

CROWDTAPE_KEY=ct_… python3 follow_trader.py mayatrades [COUNT]
"""

import asyncio
import json
import os
import sys
from datetime import datetime, timezone
from typing import Optional

from crowdtape import Crowdtape, StreamOptions, StreamPosition


class FileStore:
    def __init__(self, path: str) -> None:
        self.path = path

    def load(self) -> Optional[StreamPosition]:
        try:
            with open(self.path, encoding="utf-8") as file:
                position: StreamPosition = json.load(file)
                return position
        except FileNotFoundError:
            return None

    def save(self, position: StreamPosition) -> None:
        # Written to a temporary file and renamed, so that a crash leaves the old position or the new one.
        with open(f"{self.path}.new", "w", encoding="utf-8") as file:
            json.dump(position, file)
        os.replace(f"{self.path}.new", self.path)


async def main(handle: str, count: float) -> None:
    server = os.environ.get("CROWDTAPE_SERVER", "http://127.0.0.1:8080")
    async with Crowdtape(server, os.environ.get("CROWDTAPE_KEY")) as client:
        store = FileStore(f"{handle}.position.json")
        stream = client.alerts(
            {"trader": handle, "type": ["buy", "sell"]}, options=StreamOptions(store=store), fill=True
        )
        seen = 0
        async for item in stream:
            if item["type"] == "gap":
                print(f"({item['reason']}: some trades were missed)")
                continue
            if item["type"] == "retract":
                print(f"(undone by a re-org: {item['eventId']})")
                continue
            at = datetime.fromtimestamp(item["ts"] / 1000, timezone.utc).isoformat(timespec="seconds")
            dollars = "?" if item.get("fillUsd") is None else f"{item['fillUsd']:.2f}"
            print(f"{at} {item['trader']} {item['alertType']} ${dollars} of {item['token']}", flush=True)
            seen += 1
            if seen >= count:
                await stream.done()
                break


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Name a trader to follow: follow_trader.py HANDLE")
    asyncio.run(main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")))
