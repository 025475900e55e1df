// Whether every route reports the same profit for a trader at one moment: the leaderboard's row, /v2/users, /pnl with its
// curve and its parts, the positions and the proof. Each is read over HTTP, as a caller would, and compared with /pnl.

import { PNL_WINDOWS, type PnlWindow } from "../../protocol/shapes/trader.ts";
import { inTurn } from "../../service/api/in-turn.ts";
import { momentOf } from "../../service/api/profit/moment.ts";
import { eventually } from "./eventually.ts";
import type { LiveService } from "./live-service.ts";

interface Pair {
  /** The source: a route, or a sum over its rows. */
  place: string;
  says: number | null;
  expected: number | null;
}

export interface Difference extends Pair {
  handle: string;
  window: PnlWindow;
}

export interface ProfitAgreement {
  asOf: string;
  /** Compared pairs of trader and window. */
  windows: number;
  pairs: number;
  /** Pairs that differ by more than a cent. */
  different: Difference[];
  apartUsdMax: number;
  /** Answers that say they are complete, out of all that state it. */
  complete: number;
  answers: number;
  /** Leaderboard rows among the pairs. */
  ranked: number;
  /** Refused requests, with the reason. */
  refused: string[];
}

const CENT = 0.01;
const PARALLEL_MAX = 4;
/** The most rows that a leaderboard shows. */
const BOARD_ROWS_MAX = 150;

interface Profit {
  pnlUsd: number | null;
  grossPnlUsd: number | null;
  feesUsd: number | null;
}

interface RankedRow extends Profit {
  handle: string;
  roi: number | null;
  winRate: number | null;
  bestTrade: Profit | null;
  pending: boolean;
}

type ProofMark = { valueUsd: number | null; costUsd: number | null };
type ProofMove = { kind: string; usd: number | null; gainUsd: number | null; feesUsd: number | null };

/** A row of the proof, or of the positions. */
interface Proved extends Profit {
  opening: ProofMark;
  moves: ProofMove[];
  closing: ProofMark;
  missing: string[];
  closedAt: string | null;
}

interface Answer extends Profit {
  from: string;
  asOf: string | null;
  complete: boolean;
  nextCursor: string | null;
  buckets: Profit[];
  byChain: Profit[];
  byToken: Profit[];
  byTokenRest: Profit | null;
  positions: Proved[];
  traders: RankedRow[];
  windows: Record<PnlWindow, Profit & { complete: boolean }>;
}

class Refused extends Error {}

/** Waits until the platform has reached the moment of the profits. The clock must be held. */
export async function reachMoment(live: LiveService): Promise<string> {
  const moment = new Date(momentOf(live.clock.now())).toISOString();
  for (const window of PNL_WINDOWS)
    await eventually(async () => {
      // The previous moment's ranking is served while the next is made.
      return (await read(live, boardPath(window))).asOf === moment;
    }, "the platform has come to the moment");
  return moment;
}

/** The best of each window in turn, and as many who may not be ranked, from the directory. */
export async function someTraders(live: LiveService, wanted: number): Promise<string[]> {
  const boards = await Promise.all(PNL_WINDOWS.map((window) => boardRows(live, window)));
  const inTurns = Array.from({ length: BOARD_ROWS_MAX }, (_, place) => boards.map((rows) => rows[place]));
  const ranked = [...new Set(inTurns.flat().flatMap((row) => row?.handle ?? []))];
  const { rows } = await live.service.store.traders.changedAfter(0, ranked.length + wanted);
  const others = rows.map(({ handle }) => handle).filter((handle) => !ranked.includes(handle));
  const fromBoards = Math.max(Math.ceil(wanted / 2), wanted - others.length);
  return [...ranked.slice(0, fromBoards), ...others].slice(0, wanted);
}

/** Every source's answer about these traders at one moment. The clock must be held. */
export async function compareProfits(
  live: LiveService,
  handles: readonly string[],
): Promise<ProfitAgreement> {
  const asOf = await reachMoment(live);
  const found: ProfitAgreement = {
    asOf,
    windows: 0,
    pairs: 0,
    different: [],
    apartUsdMax: 0,
    complete: 0,
    answers: 0,
    ranked: 0,
    refused: [],
  };
  const boards = new Map<PnlWindow, Map<string, RankedRow>>();
  for (const window of PNL_WINDOWS) {
    const rows = await boardRows(live, window);
    boards.set(window, new Map(rows.map((row) => [row.handle, row])));
  }
  await inTurn(handles, PARALLEL_MAX, async (handle) => {
    try {
      const user = await read(live, `/v2/users/${handle}`, asOf);
      for (const window of PNL_WINDOWS) {
        const row = boards.get(window)?.get(handle);
        await compareWindow(live, found, { handle, window, row, user });
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      found.refused.push(error.message);
    }
  });
  return found;
}

interface Compared {
  handle: string;
  window: PnlWindow;
  row: RankedRow | undefined;
  user: Answer;
}

async function compareWindow(live: LiveService, found: ProfitAgreement, compared: Compared): Promise<void> {
  const { handle, window, row, user } = compared;
  const path = `/v2/users/${handle}`;
  const pnl = await read(live, `${path}/pnl?window=${window}`, found.asOf);
  const proof = await walk(live, `${path}/pnl/proof?window=${window}`, found.asOf);
  const positions = await walk(live, `${path}/positions?limit=500`, found.asOf);
  const ofUser = user.windows[window];
  const says: Record<string, number | null> = {
    "/v2/users": ofUser.pnlUsd,
    "the last bucket": pnl.buckets.at(-1)?.pnlUsd ?? 0,
    "the sum of byToken": sum([...pnl.byToken, ...(pnl.byTokenRest ? [pnl.byTokenRest] : [])]),
    "the sum of byChain": sum(pnl.byChain),
    "the proof": proof.first.pnlUsd,
    "the sum of the proof": sum(proof.rows),
    "the proof's moves and marks": sum(proof.rows.map((each) => ({ ...each, pnlUsd: workedOut(each) }))),
  };
  if (row) says["the leaderboard's row"] = row.pnlUsd;
  if (window === "all") says["the sum of positions"] = sum(positions.rows);
  const pairs = Object.entries(says).map(
    ([place, figure]): Pair => ({ place, says: figure, expected: pnl.pnlUsd }),
  );
  if (row) pairs.push(...figurePairs(row, pnl, proof.rows, positions.rows));
  const parts = [pnl, ofUser, row, ...pnl.buckets, ...pnl.byToken, ...pnl.byChain, ...proof.rows];
  for (const part of parts.filter((each) => each !== undefined))
    pairs.push({ place: "gross - fees", says: netOf(part), expected: part.pnlUsd });

  const answers = [pnl, proof.first, ofUser];
  found.windows += 1;
  found.ranked += row ? 1 : 0;
  found.answers += answers.length;
  found.complete += answers.filter(({ complete }) => complete).length;
  for (const pair of pairs) {
    const apart = apartBy(pair);
    found.pairs += 1;
    found.apartUsdMax = Math.max(found.apartUsdMax, apart);
    if (apart > CENT) found.different.push({ handle, window, ...pair });
  }
}

/** A ranked trader's statistics, recomputed from the proof and the positions. */
function figurePairs(
  row: RankedRow,
  pnl: Answer,
  proved: readonly Proved[],
  positions: readonly Proved[],
): Pair[] {
  // Unpriced positions are left out on both sides of a return.
  const invested = proved
    .filter(({ pnlUsd }) => pnlUsd !== null)
    .reduce((total, { opening, moves }) => total + investedIn(opening, moves), 0);
  const closed = positions.filter(({ closedAt }) => closedAt !== null && closedAt >= pnl.from);
  const won = closed.filter(({ pnlUsd }) => Number(pnlUsd) > 0).length;
  const best = proved.flatMap(({ pnlUsd }) => pnlUsd ?? []).toSorted((a, b) => b - a)[0] ?? null;
  return [
    { place: "the row's return, in dollars", says: (row.roi ?? 0) * invested, expected: row.pnlUsd },
    {
      place: "the row's win rate",
      says: row.winRate,
      expected: closed.length === 0 ? null : won / closed.length,
    },
    { place: "the row's best trade", says: row.bestTrade?.pnlUsd ?? null, expected: best },
    { place: "the row's pending", says: Number(row.pending), expected: 0 },
  ];
}

function investedIn(opening: ProofMark, moves: readonly ProofMove[]): number {
  const arrived = moves.filter(({ kind }) => kind === "buy" || kind === "receive");
  return arrived.reduce((total, { usd }) => total + (usd ?? 0), opening.valueUsd ?? 0);
}

/** A position's profit as a spreadsheet computes it from the proof; null if something is unknown. */
function workedOut({ opening, moves, closing, missing }: Proved): number | null {
  if (missing.some((what) => what !== "moves" && what !== "fees")) return null;
  const open = (mark: ProofMark) => Number(mark.valueUsd) - Number(mark.costUsd);
  const taken = moves.reduce((total, { gainUsd, feesUsd }) => total + Number(gainUsd) - Number(feesUsd), 0);
  return taken + open(closing) - open(opening);
}

function netOf({ grossPnlUsd, feesUsd }: Profit): number | null {
  return grossPnlUsd === null || feesUsd === null ? null : grossPnlUsd - feesUsd;
}

/** An unknown figure is infinitely far from a known one. */
function apartBy({ says, expected }: Pair): number {
  if (says === null || expected === null) return says === expected ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(says - expected);
}

/** Unknown values are left out of sums. */
const sum = (rows: readonly Profit[]) => rows.reduce((total, { pnlUsd }) => total + (pnlUsd ?? 0), 0);

async function boardRows(live: LiveService, window: PnlWindow): Promise<RankedRow[]> {
  return (await read(live, boardPath(window))).traders;
}

const boardPath = (window: PnlWindow) => `/v2/leaderboard/${window}?limit=${BOARD_ROWS_MAX}`;

async function walk(
  live: LiveService,
  path: string,
  asOf: string,
): Promise<{ first: Answer; rows: Proved[] }> {
  const first = await read(live, path, asOf);
  const rows = [...first.positions];
  for (let next = first.nextCursor; next !== null; ) {
    const page = await read(live, `${path}&cursor=${next}`, asOf);
    rows.push(...page.positions);
    next = page.nextCursor;
  }
  return { first, rows };
}

async function read(live: LiveService, path: string, asOf?: string): Promise<Answer> {
  const { status, body } = await live.ask(path);
  if (status !== 200) throw new Refused(`${path} answered ${status}`);
  const answer = body as Answer;
  if (asOf !== undefined && answer.asOf !== asOf)
    throw new Refused(`${path} answered as of ${answer.asOf} and not of ${asOf}`);
  return answer;
}
