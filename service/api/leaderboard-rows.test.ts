// A leaderboard row of a trader whose books were not read yet says so, rather than showing 0 or partial figures.
import { expect, test } from "bun:test";
import { createChains } from "../../contract/chains.ts";
import type { LeaderboardRow } from "../../protocol/shapes/trader.ts";
import { AT, USER_ID } from "../../protocol/test-samples.ts";
import type { RouteCall } from "./answer.ts";
import { leaderboardRows, ordered } from "./leaderboard-rows.ts";
import { createLabels } from "./present/labels.ts";
import { UNKNOWN_MOVES } from "./rank-moves.ts";

const chains = createChains({ name: "altchain", aliases: [] });
const row = {
  rank: 1,
  userId: USER_ID,
  handle: "frogqueen",
  displayName: "Frog Queen",
  verified: false,
  pnlUsd: 900.5,
  grossPnlUsd: null,
  feesUsd: null,
  realizedPnlUsd: null,
  volumeUsd: 10,
  trades: 3,
  positions: null,
  followers: 0,
  holdingsCount: 0,
  wallets: { solana: null, evm: null },
  topTokens: [],
  figures: null,
} satisfies LeaderboardRow;

test("return, win rate and best trade of a trader who was not fully read yet are null, and pending", async () => {
  for (const books of [{ available: false }, { available: true, isLive: false, isWhole: false }]) {
    const parts = {
      store: { traders: { byIds: async () => [] } },
      profits: { books: { read: async () => books } },
      chains,
      labels: createLabels(chains, () => "http://here"),
    } as unknown as Parameters<typeof leaderboardRows>[0];
    const asked = { window: "7d", chain: null, asOf: AT, moves: UNKNOWN_MOVES } as const;
    const [shown] = await leaderboardRows(parts, [row], asked, {} as RouteCall);
    expect(shown).toMatchObject({ pnlUsd: 900.5, roi: null, winRate: null, bestTrade: null, pending: true });
  }
});

test("rows that the platform can't order are ordered here, unknown figures last", async () => {
  const rows = [0.2, null, -1].map((roi, index) => ({ ...row, roi, rank: index + 1 })) as never[];
  const returns = (order: "asc" | "desc") => ordered(rows, "roi", order).map(({ roi }) => roi);
  expect([returns("asc"), returns("desc")]).toEqual([
    [-1, 0.2, null],
    [0.2, -1, null],
  ]);
});
