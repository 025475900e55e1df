"""A copy-trade bot on paper: whenever one of the day's best traders buys, it buys for $100, and it sells its holding of a
token when the trader it copied sells. No order is ever sent; it prints the profit it would have made.

CROWDTAPE_KEY=ct_… python3 paper_bot.py [TRADERS TO COPY] [FILLS TO WATCH]
"""

import asyncio
import os
import sys
from typing import Dict, Tuple

from crowdtape import AlertFrame, Crowdtape, StreamOptions

STAKE_USD = 100.0
# Smaller fills are noise, and fees would make copying them pointless.
MIN_FILL_USD = 5.0


class Paper:
    def __init__(self) -> None:
        # By trader and token: our paper holding and its cost.
        self.held: Dict[str, Tuple[float, float]] = {}
        self.earned_usd = 0.0

    def copy(self, alert: AlertFrame) -> None:
        name = f"{alert['userId']} {alert['chainId']} {alert['tokenAddress']}"
        price = alert.get("priceUsd")
        # Without a price it can't be copied.
        if not price:
            return
        amount, cost = self.held.get(name, (0.0, 0.0))
        if alert["alertType"] == "buy":
            self.held[name] = (amount + STAKE_USD / price, cost + STAKE_USD)
            print(f"buy  ${STAKE_USD:.0f} of {alert['token']} after {alert['trader']}")
        elif name in self.held:
            gain = amount * price - cost
            self.earned_usd += gain
            del self.held[name]
            print(f"sell {alert['token']} after {alert['trader']}: {gain:+.2f} USD")


async def main(copied: int, fills: float) -> None:
    server = os.environ.get("CROWDTAPE_SERVER", "http://127.0.0.1:8080")
    async with Crowdtape(server, os.environ.get("CROWDTAPE_KEY"), max_credits=50_000) as client:
        simulated = (await client.get_info())["simulated"]
        if simulated:
            print("The world behind this server is simulated: no trade here is real.")
        board = await client.get_leaderboard(window="24h", limit=copied)
        print(f"Copying {board['count']} traders")
        paper = Paper()
        # Old fills are not worth copying: better to lose some than to trade late.
        options = StreamOptions(buffer_max=100, when_full="drop_oldest")
        traders = [row["userId"] for row in board["traders"]]
        stream = client.alerts(
            {"trader": traders, "type": ["buy", "sell"], "min_usd": MIN_FILL_USD}, options=options
        )
        seen = 0
        async for item in stream:
            if item["type"] != "alert":
                continue
            paper.copy(item)
            seen += 1
            if seen >= fills:
                break
        where = ", in a simulated world" if simulated else ""
        print(f"{seen} fills seen, {len(paper.held)} positions open, {paper.earned_usd:.2f} USD earned on paper{where}")


if __name__ == "__main__":
    copied = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    asyncio.run(main(copied, float(sys.argv[2]) if len(sys.argv) > 2 else float("inf")))
