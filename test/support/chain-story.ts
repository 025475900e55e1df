// A story on a real EVM chain, followed by the whole product: most of it is the traders' history when the service starts, the
// rest happens while it follows. Every route's answers are then checked against the books kept by hand.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kit/units.ts";
import { PNL_WINDOWS, type PnlWindow } from "../../protocol/shapes/trader.ts";
import { BOOKS } from "../../tracker/books/schema.ts";
import { importRoster } from "../../tracker/roster/roster.ts";
import { startTestChain } from "../chains/evm/node.ts";
import { BEGINS_MS, openStory, PHASES, type Story } from "../chains/evm/story.ts";
import { eventually } from "./eventually.ts";
import { type LiveService, startChainService } from "./live-service.ts";
import { compareProfits, type Difference, type ProfitAgreement } from "./profit-agreement.ts";

const BASE = 8453;
const CENT = 0.01;
const FINAL_BLOCKS = 10;
const WINDOW_MS: Record<Exclude<PnlWindow, "all">, number> = {
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
};

export interface ChainStory {
  agreement: ProfitAgreement;
  /** Windows in which a route disagrees with the books kept by hand. */
  wrong: Difference[];
  /** How many figures were compared with them. */
  figures: number;
  /** Transactions of traders. */
  actions: number;
  /** Positions that neither can price, over all windows. */
  unpriced: number;
}

export async function tellChainStory(seed: string, traders: number, rounds: number): Promise<ChainStory> {
  const folder = mkdtempSync(join(tmpdir(), "crowdtape-story-"));
  const endsAt = Date.now();
  const chain = await startTestChain(BASE, { beganAt: endsAt - BEGINS_MS, accounts: traders + 3 });
  try {
    const story = await openStory(chain, seed, traders);
    for (const phase of PHASES.slice(0, -1)) await story.act(phase, endsAt, rounds);
    await importTraders(folder, story, endsAt);
    const live = await startChainService({
      folder,
      startsAt: endsAt,
      settings: settingsOf(chain.url, story),
    });
    try {
      for (const phase of PHASES.slice(-1)) await story.act(phase, endsAt, rounds);
      await chain.mine(FINAL_BLOCKS);
      return await compared(live, story);
    } finally {
      await live.stop();
    }
  } finally {
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const settingsOf = (url: string, { weth, factory, feed }: Story) => ({
  RPC_BASE: url,
  TRACKER_WRAPPED: `${BASE}:${weth}`,
  TRACKER_FACTORIES: `${BASE}:${factory}`,
  TRACKER_FEEDS: `${BASE}:${feed}`,
  TRACKER_HISTORY_DAYS: String(Math.ceil(BEGINS_MS / DAY_MS)),
  TRACKER_CALLS_PER_SECOND: "10000",
  // Both use the clock that the story moves.
  TRACKER_PROCESS: "shared",
});

async function importTraders(folder: string, { traders }: Story, at: number): Promise<void> {
  const database = await openDatabase({ file: join(folder, "tracker.sqlite") });
  await migrate(database, at, BOOKS);
  const entries = traders.map(({ handle, wallets }) => ({
    handle,
    displayName: handle,
    solana: [],
    evm: wallets,
  }));
  await importRoster(database, entries, at - MINUTE_MS);
  await database.close();
}

async function compared(live: LiveService, story: Story): Promise<ChainStory> {
  const fills = story.traders.map(({ handle }) => story.books.profit(handle, 0, live.clock.now()).fills);
  await eventually(
    async () => {
      // A ranking is cached for its moment.
      live.clock.push(MINUTE_MS / 2);
      const { body } = await live.get("listTraders", "/v2/traders?window=all&limit=100");
      const seen = new Map(body.traders.map(({ handle, trades }) => [handle, trades]));
      return story.traders.every(({ handle }, n) => seen.get(handle) === fills[n]);
    },
    "every fill of the story was read",
    { pollMs: SECOND_MS / 2 },
  );
  live.clock.hold();
  const handles = story.traders.map(({ handle }) => handle);
  const agreement = await compareProfits(live, handles);
  const wrong: Difference[] = [];
  let unpriced = 0;
  let figures = 0;
  for (const handle of handles)
    for (const window of PNL_WINDOWS) {
      const { body } = await live.get("getPnl", `/v2/users/${handle}/pnl?window=${window}`);
      const to = Date.parse(agreement.asOf);
      const from = window === "all" ? story.books.beganAt(handle) : to - WINDOW_MS[window];
      const kept = story.books.profit(handle, from, to);
      unpriced += kept.unpriced;
      const said: [string, number | null, number][] = [
        ["pnlUsd", body.pnlUsd, kept.pnlUsd],
        ["feesUsd", body.feesUsd, kept.feesUsd],
        ["volumeUsd", body.volumeUsd, kept.volumeUsd],
        ["fills", body.fills, kept.fills],
        ["unpriced", body.unpriced, kept.unpriced],
        ...body.byToken.map(({ token, pnlUsd }): [string, number | null, number] => [
          `byToken ${token.address}`,
          pnlUsd,
          kept.byToken.get(token.address) ?? Number.NaN,
        ]),
      ];
      figures += said.length;
      for (const [place, says, expected] of said)
        if (says === null || !(Math.abs(says - expected) <= CENT))
          wrong.push({ handle, window, place, says, expected });
    }
  return { agreement, wrong, figures, actions: story.actions(), unpriced };
}
