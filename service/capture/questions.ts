// The questions that events leave open, one bounded queue per kind, and how an answer is stored: a position with
// its fills and transfers, a trader, a token, a token's theses.
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Random } from "../../kit/random.ts";
import { createWorkQueue, type WorkQueue } from "../../kit/work-queue.ts";
import type { Token } from "../../protocol/shapes/token.ts";
import type { Trader } from "../../protocol/shapes/trader.ts";
import { nameOfToken } from "../model/token.ts";
import { keepPositions } from "../store/captured/keep-positions.ts";
import type { Store } from "../store/store.ts";
import type { Outcome, Upstream } from "../upstream/port.ts";
import { askLater } from "./ask-later.ts";

/** A minute or two of a busy world's questions, a megabyte or two of ids. Sweeps find what is rejected. */
const CAPACITY = 10_000;
/** Small answers: the more share a commit, the better. */
const SAVED_TOGETHER = 20;
/** With their fills these are some ten kilobytes each, and long-lived garbage is expensive to collect. */
const POSITIONS_TOGETHER = 8;
/** A token's theses are a transaction of their own. */
const THESES_TOGETHER = 1;

/** A part of the writer's work; runs until it is done or the signal aborts. */
export interface CaptureTask {
  name: string;
  run(signal: AbortSignal): Promise<void>;
}

export interface Questions {
  askTrade(tradeId: string): void;
  /** They are in the directory; there is no need to ask. */
  traderKnown(trader: Trader): void;
  tokenKnown(token: Token): void;
  /** An answer requested at that time had these positions; earlier questions are settled. */
  settled(tradeIds: Iterable<string>, askedAt: number): void;
  askTrader(userId: string): void;
  askToken(token: Token): void;
  askTheses(token: Token): void;
  /** The next sweep takes this trader. */
  askSweep(userId: string): void;
  /** Traders that wait for a sweep, with the time since when. */
  unswept: WorkQueue<number>;
  /** Those not answered, or whose answers are not saved yet. */
  waiting(): Record<"trades" | "traders" | "tokens" | "theses" | "sweeps", number>;
  turnedAway(): number;
  /** The tasks that ask. */
  tasks(perSecond: number): CaptureTask[];
  clear(): void;
}

export function createQuestions(options: {
  upstream: Upstream;
  store: Store;
  clock: Clock;
  log: Log;
  random: Random;
  /** Resolves when the directory has been read once: until then unknown traders can't be identified. */
  directoryRead(signal: AbortSignal): Promise<void>;
  onTrader(trader: Trader): void;
}): Questions {
  const { upstream, store, clock, log, random } = options;
  const trades = createWorkQueue<{ tradeId: string; since: number }>(CAPACITY);
  const traders = createWorkQueue<string>(CAPACITY);
  const tokens = createWorkQueue<Token>(CAPACITY);
  const theses = createWorkQueue<Token>(CAPACITY);
  const unswept = createWorkQueue<number>(CAPACITY);
  const all = { trades, traders, tokens, theses, unswept };
  const tasks = (perSecond: number): CaptureTask[] => {
    const common = { clock, log, random, perSecond };
    return [
      {
        name: "positions asked for",
        run: (signal) =>
          askLater(
            {
              ...common,
              subject: "position",
              savedTogether: POSITIONS_TOGETHER,
              queue: trades,
              async ask({ tradeId }, call) {
                const askedAt = clock.now();
                return withTime(await upstream.trade(tradeId, call), askedAt);
              },
              async save(answers) {
                const positions = answers.map(({ value: { swaps, transfers, ...position }, askedAt }) => ({
                  position,
                  askedAt,
                }));
                const unsettled = await keepPositions(store.positions, positions);
                await store.fills.save(answers.flatMap(({ value }) => value.swaps));
                const moved = answers.flatMap(({ value }) => value.transfers);
                if (moved.length > 0) await store.transfers.save(moved);
                return unsettled;
              },
            },
            signal,
          ),
      },
      {
        name: "traders asked for",
        run: async (signal) => {
          await options.directoryRead(signal);
          await askLater(
            {
              ...common,
              subject: "trader",
              savedTogether: SAVED_TOGETHER,
              queue: traders,
              ask: (userId, call) => upstream.traderById(userId, call),
              async save(answers) {
                await store.traders.save(answers, clock.now());
                for (const trader of answers) options.onTrader(trader);
              },
            },
            signal,
          );
        },
      },
      {
        name: "tokens asked for",
        run: async (signal) => {
          await options.directoryRead(signal);
          await askLater(
            {
              ...common,
              subject: "token",
              savedTogether: SAVED_TOGETHER,
              queue: tokens,
              ask: ({ address, networkId }, call) => upstream.token(address, networkId, call),
              async save(answers) {
                await store.tokens.save(answers, clock.now());
              },
            },
            signal,
          );
        },
      },
      {
        name: "theses asked for",
        run: (signal) =>
          askLater(
            {
              ...common,
              subject: "theses",
              savedTogether: THESES_TOGETHER,
              queue: theses,
              async ask(token, call) {
                const query = { networkId: token.networkId, page: 1 };
                const askedAt = clock.now();
                const outcome = await upstream.tokenTheses(token.address, query, call);
                return outcome.kind === "found" ? found({ token, askedAt, ...outcome.value }) : outcome;
              },
              async save(answers) {
                for (const { token, rows, hasMore, askedAt } of answers) {
                  if (rows.length === 0) continue;
                  await store.theses.saveForToken(token, rows, { capturedAt: askedAt, complete: !hasMore });
                }
              },
            },
            signal,
          ),
      },
    ];
  };

  return {
    askTrade: (tradeId) => void trades.add(tradeId, { tradeId, since: clock.now() }),
    askSweep: (userId) => void unswept.add(userId, unswept.get(userId) ?? clock.now()),
    unswept,
    traderKnown: (trader) => traders.remove(trader.userId),
    tokenKnown: (token) => tokens.remove(nameOfToken(token)),
    settled(tradeIds, askedAt) {
      for (const tradeId of tradeIds) {
        const doubt = trades.get(tradeId);
        if (doubt && doubt.since <= askedAt) trades.remove(tradeId);
      }
    },
    askTrader: (userId) => void traders.add(userId, userId),
    askToken: (token) => void tokens.add(nameOfToken(token), token),
    askTheses: (token) => void theses.add(nameOfToken(token), token),
    waiting: () => ({
      trades: trades.open(),
      traders: traders.open(),
      tokens: tokens.open(),
      theses: theses.open(),
      sweeps: unswept.open(),
    }),
    turnedAway: () => Object.values(all).reduce((sum, queue) => sum + queue.turnedAway(), 0),
    tasks,
    clear: () => {
      for (const queue of Object.values(all)) queue.clear();
    },
  };
}

function found<T>(value: T): Outcome<T> {
  return { kind: "found", value };
}

function withTime<T>(outcome: Outcome<T>, askedAt: number): Outcome<{ value: T; askedAt: number }> {
  return outcome.kind === "found" ? found({ value: outcome.value, askedAt }) : outcome;
}
