// Checks wallet balances against the chain, once an hour: tokens whose balances change without a transfer (rebasing ones), or
// whose contract does not log its moves, are booked at their real balance. A difference is booked once its block is final and
// unchanged, and once two reads agree: two providers for the same block, or with a single provider, the same one an hour later.
// What a node won't answer is left as it is.
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

/** Per chain and round: this many tokens, and this many wallets' coins by hundreds per call. The rest wait their turn. */
const POSITIONS_MAX = 5_000;
const WALLETS_MAX = 10_000;
/** Contracts that keep shares round by a few units: differences below this part of a holding are ignored. */
const ROUNDING_PARTS = 1_000_000_000n;
/** A balance that grew by more than half is a contract's claim, not a rebase. */
const GROWTH_PARTS_MAX = 2n;
/** After every real transaction of its block. */
const LAST_INDEX = 2 ** 31 - 1;
const POSITIONS_A_TURN = 50;

interface Claim {
  position: HeldPosition;
  amountRaw: bigint;
  /** Whether several providers agree on it. */
  isAgreed: boolean;
}

interface Seen {
  block: BlockRef;
  /** No answer is from an earlier block. */
  since: number;
  claims: readonly Claim[];
}

export interface CheckedChain {
  chainId: number;
  name: string;
  queries: Pick<ChainQueries, "held">;
  /** Everything up to here has been read. */
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
    "Holdings that differed from the sum of their moves: booked, or not believed.",
  );
  /** Waiting for their block to be final. */
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

  /** Those that differ from the books; for the rest, any earlier doubt is dropped. */
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

  /** Asks the other providers too: the majority wins, and without a majority nothing is claimed. */
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
    // If it moved in between, there is no way to know whether the answer is from before or after the move.
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
    // If the node refuses, it is asked again next time.
    await database.write((tx) => savePlace(tx, chainId, clock.now(), due.after));
    const after = await look(chain, due.after);
    await database.write((tx) => savePlace(tx, chainId, clock.now(), after));
  };

  return {
    async round() {
      for (const chain of parts.chains)
        await roundOf(chain).catch((error) =>
          log.warn("could not check balances against the chain", { chainId: chain.chainId, error }),
        );
    },
  };
}

const pairsOf = (positions: readonly HeldPosition[]) =>
  positions.flatMap(({ token, wallets }) => wallets.map((wallet) => ({ wallet, token })));

/** Each position's total over all of its wallets, from the answers about its pairs; null where one is missing. */
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

/** When the last look was, and the position to continue after. */
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
