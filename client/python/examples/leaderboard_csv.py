"""Mirrors a leaderboard to a CSV file, repeatedly. An unchanged board costs nothing: the client keeps its ETag.

python3 leaderboard_csv.py 24h board.csv [TIMES] [SECONDS BETWEEN]
"""

import asyncio
import csv
import os
import sys
from typing import Any

from crowdtape import Crowdtape, receipt_of

COLUMNS = ["rank", "handle", "pnlUsd", "volumeUsd", "trades", "followers", "userId"]


def cell(value: Any) -> Any:
    """A spreadsheet would run a name that starts like a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


async def main(window: Any, path: str, times: int, seconds: float) -> None:
    server = os.environ.get("CROWDTAPE_SERVER", "http://127.0.0.1:8080")
    # A mirror that runs all day must not use up the month's credits.
    async with Crowdtape(server, os.environ.get("CROWDTAPE_KEY"), max_credits=100_000) as client:
        for time in range(times):
            board = await client.get_leaderboard(window=window, limit=100)
            with open(f"{path}.new", "w", encoding="utf-8", newline="") as file:
                rows = csv.writer(file, lineterminator="\n")
                rows.writerow(COLUMNS)
                for trader in board["traders"]:
                    fields: Any = trader
                    rows.writerow([cell(fields[name]) for name in COLUMNS])
            os.replace(f"{path}.new", path)
            receipt = receipt_of(board)
            unchanged = receipt is not None and receipt.not_modified
            cost = receipt.cost if receipt else 0
            what = "unchanged" if unchanged else f"{board['count']} traders"
            print(f"{path}: {what}, {cost} credits, {client.spent} spent in all")
            if time + 1 < times:
                await asyncio.sleep(seconds)


if __name__ == "__main__":
    window, path, times, seconds = (sys.argv[1:] + ["24h", "leaderboard.csv", "1", "30"][len(sys.argv) - 1 :])[:4]
    asyncio.run(main(window, path, int(times), float(seconds)))
