"""The client against a whole service, which the caller of this file has started (CROWDTAPE_SERVER, CROWDTAPE_KEY, CROWDTAPE_STARTED_AT)."""

import os
import unittest
from typing import List

import crowdtape
from crowdtape import Crowdtape, StreamOptions, receipt_of

SERVER = os.environ["CROWDTAPE_SERVER"]
KEY = os.environ["CROWDTAPE_KEY"]
FREE_KEY = os.environ["CROWDTAPE_FREE_KEY"]


class LiveTest(unittest.IsolatedAsyncioTestCase):
    async def test_reads_cost_what_the_service_takes(self) -> None:
        async with Crowdtape(SERVER, KEY) as client:
            before = (await client.get_me())["credits"]["remaining"]
            board = await client.get_leaderboard(window="7d", limit=20)
            self.assertEqual(len(board["traders"]), 20)
            # A trader whose wallets are not resolved yet costs nothing.
            row = next(row for row in board["traders"] if row["wallets"]["solana"] or row["wallets"]["evm"])
            trader = await client.get_trader(handle=row["handle"])
            self.assertEqual(trader["userId"], row["userId"])
            receipt = receipt_of(trader)
            assert receipt is not None
            self.assertEqual(receipt.cost, 2_500)
            self.assertEqual(client.spent, before - (await client.get_me())["credits"]["remaining"])
            self.assertIn(",", await client.get_usage_csv())

    async def test_a_batch_costs_what_its_calls_cost(self) -> None:
        async with Crowdtape(SERVER, KEY, max_credits=1_000) as client:
            answer = await client.batch(
                requests=[
                    {"id": "board", "path": "/v2/leaderboard/7d?limit=5"},
                    {"path": "/v2/users/nobody_of_that_name/balances"},
                ]
            )
            self.assertEqual([each["status"] for each in answer["responses"]], [200, 404])
            self.assertEqual(client.spent, 500)
            with self.assertRaises(crowdtape.BudgetExceeded):
                await client.batch(requests=[{"path": "/v2/users/nightowl"}])

    async def test_a_walk_ends_and_gives_no_row_twice(self) -> None:
        async with Crowdtape(SERVER, KEY) as client:
            board = await client.get_leaderboard(window="7d", limit=1)
            handle = board["traders"][0]["handle"]
            ids = [swap["swapId"] async for swap in client.rows.list_swaps(handle=handle, limit=20)]
            self.assertTrue(ids)
            self.assertEqual(len(set(ids)), len(ids))

    async def test_history_and_live_are_one_line_of_events_and_a_position_goes_on(self) -> None:
        async with Crowdtape(SERVER, KEY) as client:
            # Events from before the service started that arrive late are history: in the log, and no news on a socket.
            since = int(os.environ["CROWDTAPE_STARTED_AT"])
            seqs: List[int] = []
            stream = client.alerts(since=str(since), fill_max=100_000)
            live = 0
            async for item in stream:
                assert item["type"] == "alert"
                if item["ts"] >= since:
                    seqs.append(item["seq"])
                live += 0 if item.get("replay") else 1
                if live >= 5:
                    await stream.done()
                    break
            again = client.alerts(options=StreamOptions(resume=stream.position))
            more = 0
            async for item in again:
                assert item["type"] == "alert"
                if item["ts"] >= since:
                    seqs.append(item["seq"])
                    more += 1
                if more == 5:
                    break
            rest: List[int] = []
            async for row in client.rows.list_alerts(limit=100, since=str(since)):
                if row["ts"] >= since and seqs[0] <= row["seq"] <= seqs[-1]:
                    rest.insert(0, row["seq"])
            self.assertEqual(seqs, rest)

    async def test_on_chain_trades_come_with_a_plan_and_are_refused_in_words_without(self) -> None:
        async with Crowdtape(SERVER, KEY) as client:
            async for item in client.trades({"side": "buy"}):
                if item["type"] == "retract":
                    continue
                self.assertEqual((item["type"], item["side"]), ("trade", "buy"))
                break
        async with Crowdtape(SERVER, FREE_KEY) as free:
            with self.assertRaisesRegex(crowdtape.StreamClosed, "does not include the on-chain stream"):
                async for _ in free.trades():
                    pass


if __name__ == "__main__":
    unittest.main()
