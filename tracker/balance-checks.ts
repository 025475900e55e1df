// Checks what wallets hold against the chain, once an hour: tokens whose balances change without a transfer (rebasing ones), or
// whose contract does not say what it moves, are booked as what they are. A difference is booked once its block is final and still
// the same, and once two say so: two providers of the same block, or where there is one, it again an hour later. What a node
// would not say stays as it is.
import type { Database, Queries } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { Metrics } from "../kit/metrics.ts";
import { nextTurn } from "../kit/turn.ts";
import { createSecondLooks, majorityAmount } from "./balance-doubts.ts";
import { saveCoinBalances } from "./books/coin-balances.ts";
import { type HeldPosition, heldAt, openPositionsAfter } from "./books/held-positions.ts";
import { finalHeight } from "./books/kept-blocks.ts";
import {
  type BlockRef,
  type ChainQueries,
  type Flow,
  type HeldQueries,
  NATIVE,
  type Sink,
  type WatchList,
} from "./chain.ts";
import type { Directory } from "./roster/directory.ts";

/** One round of a chain: this many tokens and this many wallets' coins, by hundreds in one call. The others have their turn next. */
const POSITIONS_MAX = 5_000;
const WALLETS_MAX = 10_000;
/** Contracts that keep shares round by some units: this part of a holding is no difference. */
const ROUNDING_PARTS = 1_000_000_000n;
/** A balance that grew by more than half of itself is a contract's claim, not a rebase. */
const GROWTH_PARTS_MAX = 2n;
/** After every transaction of its block. */
const LAST_INDEX = 2 ** 31 - 1;
const POSITIONS_A_TURN = 50;

interface Claim {
  position: HeldPosition;
  amountRaw: bigint;
  /** Whether several providers said so. */
  isAgreed: boolean;
}

interface Seen {
  block: BlockRef;
  /** No answer is of an earlier block. */
  since: number;
  claims: readonly Claim[];
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
  const secondLooks = createSecondLooks();

  const isOwn = ({ userId, wallets }: HeldPosition) =>
    wallets.every((wallet) => directory.byWallet(wallet)?.userId === userId);

  const look = async (
    { chainId, queries: { held }, height }: CheckedChain,
    after: string,
  ): Promise<string> => {
    const at = height();
    if (!held || at === null) return after;
    const { positions, next } = await openPositionsAfter(database.read, chainId, after, POSITIONS_MAX);
    const own = positions.filter(isOwn);
    const wallets = [...directory.wallets(chainId)].slice(0, WALLETS_MAX);
    const coins = wallets.map((wallet) => ({ wallet, token: NATIVE }));
    const seen = await held.read([...coins, ...pairsOf(own)], at);
    if (!seen) return after;
    const atMs = seen.block?.timeMs ?? clock.now();
    const known = wallets.flatMap((wallet, place) => {
      const amountRaw = seen.amounts[place] ?? null;
      return amountRaw === null ? [] : [{ chainId, wallet, amountRaw, atMs }];
    });
    await database.write((tx) => saveCoinBalances(tx, known));
    if (seen.block) {
      const { block, since } = seen;
      const amounts = sumsOf(own, seen.amounts.slice(wallets.length));
      const doubted = await differing({ block, since }, own, amounts);
      waiting.set(chainId, { block, since, claims: await claimsOf(held, block, doubted) });
    }
    return next;
  };

  /** Those that are not what the books say; the others were right after all. */
  const differing = async (
    { block, since }: Pick<Seen, "block" | "since">,
    positions: readonly HeldPosition[],
    amounts: readonly (bigint | null)[],
  ) => {
    const found: Omit<Claim, "isAgreed">[] = [];
    for (const [index, position] of positions.entries()) {
      if (index % POSITIONS_A_TURN === 0) await nextTurn();
      const amountRaw = amounts[index] ?? null;
      if (amountRaw === null) continue;
      const claim = { position, amountRaw };
      if (await differenceOf(database.read, { block, since }, claim)) found.push(claim);
      else secondLooks.forget(position.tradeId);
    }
    return found;
  };

  /** Asks the other providers too: what most of them say counts, and where no majority does, nothing. */
  const claimsOf = async (
    held: HeldQueries,
    block: BlockRef,
    doubted: readonly Omit<Claim, "isAgreed">[],
  ): Promise<Claim[]> => {
    if (doubted.length === 0) return [];
    const positions = doubted.map(({ position }) => position);
    const opinions = await held.opinions(pairsOf(positions), block);
    const sums = opinions.map(({ amounts }) => sumsOf(positions, amounts));
    return doubted.flatMap((claim, index): Claim[] => {
      const said = sums.flatMap((amounts) => amounts[index] ?? []);
      if (said.length < 2) return [{ ...claim, isAgreed: false }];
      const amountRaw = majorityAmount(said);
      if (amountRaw !== null) return [{ ...claim, amountRaw, isAgreed: true }];
      log.warn("providers disagree about a balance", { chainId: block.chainId, token: claim.position.token });
      return [];
    });
  };

  const differenceOf = async (
    queries: Queries,
    { block, since }: Pick<Seen, "block" | "since">,
    { position, amountRaw }: Omit<Claim, "isAgreed">,
  ) => {
    const expected = await heldAt(queries, block.chainId, position, block.height);
    if (expected === null || expected <= 0n) return null;
    // Where it moved meanwhile, nothing says whether the answer is from before or after that.
    if (since < block.height && (await heldAt(queries, block.chainId, position, since)) !== expected)
      return null;
    const difference = amountRaw - expected;
    const size = difference < 0n ? -difference : difference;
    if (size * ROUNDING_PARTS <= expected) return null;
    return { difference, isBelieved: difference * GROWTH_PARTS_MAX <= expected };
  };

  const settle = async ({ chainId, name, queries: { held } }: CheckedChain, seen: Seen): Promise<void> => {
    const { block, claims } = seen;
    if (!held || claims.length === 0 || (await held.hashAt(block.height)) !== block.hash) return;
    const flows: Flow[] = [];
    for (const [index, claim] of claims.entries()) {
      if (index % POSITIONS_A_TURN === 0) await nextTurn();
      const found = await differenceOf(database.read, seen, claim);
      if (!found) continue;
      const { token, wallets, tradeId } = claim.position;
      const isSure = claim.isAgreed && !held.isReadLate;
      const difference = isSure ? found.difference : secondLooks.confirmed(tradeId, found.difference);
      if (difference === null) continue;
      differences.of({ chain: name, booked: String(found.isBelieved) }).add();
      log.info("a balance differs from the sum of its moves", { chainId, token, booked: found.isBelieved });
      if (found.isBelieved) flows.push(rebaseOf(block, wallets[0] ?? "", token, difference));
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
          log.warn("balances could not be checked against the chain", { chainId: chain.chainId, error }),
        );
    },
  };
}

const pairsOf = (positions: readonly HeldPosition[]) =>
  positions.flatMap(({ token, wallets }) => wallets.map((wallet) => ({ wallet, token })));

/** What each position is in all of its wallets, from the answers about its pairs; null where one is missing. */
function sumsOf(positions: readonly HeldPosition[], amounts: readonly (bigint | null)[]): (bigint | null)[] {
  let place = 0;
  return positions.map(({ wallets }) => {
    const own = amounts.slice(place, place + wallets.length);
    place += wallets.length;
    return own.length === wallets.length && own.every((amount) => amount !== null)
      ? own.reduce((sum, amount) => sum + amount, 0n)
      : null;
  });
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

/** When it was looked last, and after which position to continue. */
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
