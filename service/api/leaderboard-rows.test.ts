import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_CHAINS } from "../../contract/chains.ts";
import { manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import { MIDNIGHT, position, trader } from "../../test/support/nouns.ts";
import { countTurns } from "../../test/support/turns.ts";
import type { LeaderboardRow } from "../model/trader.ts";
import { openStore } from "../store/store.ts";
import { leaderboardRows } from "./leaderboard-rows.ts";
import { createLabels } from "./present/labels.ts";

test("figures of a whole board are read a few traders at a time, each in a turn of the event loop of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-leaderboard-"));
  const [clock, log] = [manualClock(MIDNIGHT), createLog("silent", () => 0)];
  const store = await openStore({ location: { file: join(folder, "store.sqlite") }, clock, log });
  const people = Array.from({ length: 100 }, (_, index) => trader({ handle: `person${index}` }));
  await store.traders.save(people, MIDNIGHT);
  const positions = people.map(({ userId, handle }) => position({ userId, handle }));
  await store.positions.save(positions, MIDNIGHT);

  const turns = countTurns();
  const reads: { turn: number; traders: number }[] = [];
  const heard: typeof store = {
    ...store,
    positions: {
      ...store.positions,
      activeSince: (ids, from) => {
        reads.push({ turn: turns.now(), traders: ids.length });
        return store.positions.activeSince(ids, from);
      },
    },
  };
  const ranked = people.map(
    ({ userId, handle }, index) =>
      ({
        ...{
          rank: index + 1,
          userId,
          handle,
          displayName: handle,
          verified: false,
          pnlUsd: 1,
          topTokens: [],
        },
        ...{ realizedPnlUsd: 1, volumeUsd: 1, trades: 1, positions: 1, followers: 0, holdingsCount: 1 },
        wallets: trader().wallets,
      }) as LeaderboardRow,
  );
  const labels = createLabels(DEFAULT_CHAINS, () => "http://localhost");
  const services = { store: heard, chains: DEFAULT_CHAINS, labels, clock };
  const asked = { window: "all", chain: null, sort: "pnl" } as const;
  const rows = await leaderboardRows(services, ranked, asked);
  turns.stop();
  expect(rows).toHaveLength(people.length);
  expect(Math.max(...reads.map((read) => read.traders))).toBeLessThanOrEqual(8);
  expect(new Set(reads.map(({ turn }) => turn)).size).toBe(reads.length);
  expect(reads.reduce((sum, read) => sum + read.traders, 0)).toBe(people.length);
  await store.close();
  rmSync(folder, { recursive: true });
});
