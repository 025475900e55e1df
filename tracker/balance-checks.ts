// Holds what wallets hold against the chain, once an hour: tokens whose balances change without a transfer (rebasing ones), or
// whose contract does not say what it moves, are booked as what they are. Everything is read at the end of one block, and booked
// once that block is final and still the same. What a node would not say stays as it is.
import type { Database, Queries } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Metrics } from "../kit/metrics.ts";
import { nextTurn } from "../kit/turn.ts";
import { saveCoinBalances } from "./books/coin-balances.ts";
import { type HeldPosition, heldAt, openPositionsAfter } from "./books/held-positions.ts";
import { finalHeight } from "./books/kept-blocks.ts";
import { type BlockRef, type ChainQueries, type Flow, NATIVE, type Sink, type WatchList } from "./chain.ts";
import type { Directory } from "./roster/directory.ts";

/** One round of a chain: so many tokens and so many wallets' coins, by hundreds in one call. The others have their turn next. */
const POSITIONS_MAX = 5_000;
const WALLETS_MAX = 10_000;
/** Contracts that keep shares round by some units: this part of a holding is no difference. */
const ROUNDING_PARTS = 1_000_000_000n;
/** A balance that grew by more than half of itself is a contract's claim, not a rebase. */
const GROWTH_PARTS_MAX = 2n;
/** After every transaction of its block. */
const LAST_INDEX = 2 ** 31 - 1;
const POSITIONS_A_TURN = 50;

interface Seen {
  block: BlockRef;
  positions: readonly { position: HeldPosition; amountRaw: bigint }[];
}

export interface CheckedChain {
  chainId: number;
  name: string;
  queries: Pick<ChainQueries, "held">;
  /** Up to where everything was read. */
  height(): number | null;
}

export interface BalanceChecks {
  round(): Promise<void>;
}

export function createBalanceChecks(parts: {
  database: Database;
  sink: Pick<Sink, "apply" | "cursor">;
  directory: Pick<Directory, "byWallet"> & Pick<WatchList, "wallets">;
  chains: readonly CheckedChain[];
  everyMs: number;
  clock: Pick<Clock, "now">;
  log: Log;
  metrics: Metrics;
}): BalanceChecks {
  const { database, sink, directory, clock, log } = parts;
  const differences = parts.metrics.counter(
    "crowdtape_tracker_balance_differences_total",
    "Holdings that were not what moved comes to: booked, or not believed.",
  );
  /** What waits until its block is final. */
  const waiting = new Map<number, Seen>();

  const isOwn = ({ userId, wallets }: HeldPosition) =>
    wallets.every((wallet) => directory.byWallet(wallet)?.userId === userId);

  const look = async ({ chainId, queries, height }: CheckedChain, after: string): Promise<string> => {
    const at = height();
    if (!queries.held || at === null) return after;
    const { positions, next } = await openPositionsAfter(database.read, chainId, after, POSITIONS_MAX);
    const own = positions.filter(isOwn);
    const wallets = [...directory.wallets(chainId)].slice(0, WALLETS_MAX);
    const coins = wallets.map((wallet) => ({ wallet, token: NATIVE }));
    const tokens = own.flatMap(({ token, wallets }) => wallets.map((wallet) => ({ wallet, token })));
    const seen = await queries.held([...coins, ...tokens], at);
    if (!seen) return after;
    const atMs = seen.block?.timeMs ?? clock.now();
    const known = wallets.flatMap((wallet, place) => {
      const amountRaw = seen.amounts[place] ?? null;
      return amountRaw === null ? [] : [{ chainId, wallet, amountRaw, atMs }];
    });
    await database.write((tx) => saveCoinBalances(tx, known));
    if (seen.block) {
      let place = wallets.length;
      const sums = own.flatMap((position) => {
        const amounts = position.wallets.map(() => seen.amounts[place++] ?? null);
        const isKnown = amounts.every((amount) => amount !== null);
        return isKnown ? [{ position, amountRaw: amounts.reduce((sum, one) => sum + (one ?? 0n), 0n) }] : [];
      });
      waiting.set(chainId, { block: seen.block, positions: sums });
    }
    return next;
  };

  const differenceOf = async (
    queries: Queries,
    block: BlockRef,
    { position, amountRaw }: Seen["positions"][0],
  ) => {
    const expected = await heldAt(queries, block.chainId, position, block.height);
    if (expected === null || expected <= 0n) return null;
    const difference = amountRaw - expected;
    const size = difference < 0n ? -difference : difference;
    if (size * ROUNDING_PARTS <= expected) return null;
    return { difference, isBelieved: difference * GROWTH_PARTS_MAX <= expected };
  };

  const settle = async (
    { chainId, name, queries }: CheckedChain,
    { block, positions }: Seen,
  ): Promise<void> => {
    const now = await queries.held?.([], block.height);
    if (now?.block?.hash !== block.hash) return;
    const flows: Flow[] = [];
    for (const [index, one] of positions.entries()) {
      if (index % POSITIONS_A_TURN === 0) await nextTurn();
      const found = await differenceOf(database.read, block, one);
      if (!found) continue;
      const { token, wallets } = one.position;
      differences.of({ chain: name, booked: String(found.isBelieved) }).add();
      log.info("a balance is not what moved comes to", { chainId, token, booked: found.isBelieved });
      if (found.isBelieved) flows.push(rebaseOf(block, wallets[0] ?? "", token, found.difference));
    }
    if (flows.length > 0) await sink.apply([{ block, flows, pools: [] }], cursorAt(chainId, block.height));
  };

  const roundOf = async (chain: CheckedChain) => {
    const { chainId } = chain;
    const seen = waiting.get(chainId);
    if (seen) {
      if ((await finalHeight(database.read, chainId)) < seen.block.height) return;
      waiting.delete(chainId);
      await settle(chain, seen);
    }
    const due = placeIn(await sink.cursor(lookName(chainId)));
    if (clock.now() < due.at + parts.everyMs) return;
    // A node that refuses is asked again when it is time again.
    await database.write((tx) => savePlace(tx, chainId, clock.now(), due.after));
    const after = await look(chain, due.after);
    await database.write((tx) => savePlace(tx, chainId, clock.now(), after));
  };

  return {
    async round() {
      for (const chain of parts.chains)
        await roundOf(chain).catch((error) =>
          log.warn("balances could not be held against the chain", { chainId: chain.chainId, error }),
        );
    },
  };
}

function rebaseOf({ chainId, height }: BlockRef, wallet: string, token: string, difference: bigint): Flow {
  const leg = { token, amountRaw: difference < 0n ? -difference : difference };
  return {
    chainId,
    wallet,
    hash: `balance:${height}`,
    index: LAST_INDEX,
    swap: false,
    kind: "rebase",
    sold: difference < 0n ? [leg] : [],
    bought: difference < 0n ? [] : [leg],
    feeRaw: 0n,
    counterparty: null,
    exact: true,
  };
}

const lookName = (chainId: number) => `balances:${chainId}`;
const cursorAt = (chainId: number, height: number) => ({
  name: `balances-booked:${chainId}`,
  value: String(height),
});

/** When it was looked last, and after which position to go on. */
function placeIn(value: string | null): { at: number; after: string } {
  const [at = "", after = ""] = (value ?? "").split(" ");
  return { at: Number(at) || 0, after };
}

async function savePlace(tx: Queries, chainId: number, at: number, after: string): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_cursor (name, value) VALUES (${lookName(chainId)}, ${`${at} ${after}`})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
}
