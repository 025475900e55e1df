// The board of traders worth following, filled with the /copy results of a few traders, for tests that start no background
// work.
import type { LiveService } from "./live-service.ts";

export async function fillCopyBoard(live: LiveService, handles: readonly string[]): Promise<void> {
  const { copyBoard } = live.service.store;
  for (const handle of handles) {
    const { body } = await live.get("getCopy", `/v2/users/${handle}/copy?window=30d`);
    const { userId, follower, verdict, doubts, low90Usd, high90Usd, coverage } = body;
    const { pnlUsd, roi, orders, roundTrips } = follower;
    const [asOf, dueAt] = [Date.parse(body.asOf), Number.MAX_SAFE_INTEGER];
    await copyBoard.enter([userId], asOf);
    const figures =
      low90Usd === null || high90Usd === null || coverage === null
        ? null
        : { pnlUsd, roi, orders, roundTrips, verdict, doubts, low90Usd, high90Usd, covered: coverage.tape };
    await copyBoard.save({ userId, asOf, dueAt }, { "30d": figures });
  }
}
