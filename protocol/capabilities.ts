// A platform's declared capabilities: which questions and feeds it has, on which chains, its rate limits, and
// the source of its feed positions. Readers decide by this and never by a platform's name.
import {
  list,
  Malformed,
  nullable,
  object,
  oneOf,
  optional,
  type ReadOf,
  type Schema,
  type WrittenOf,
} from "./schema.ts";
import { FEEDS } from "./shapes/event.ts";
import { count, flag, networkId, time, wholeNumber, word } from "./values.ts";

/** Every question of the protocol but `status` and `feed`, which all platforms answer. */
export const QUESTION_NAMES = [
  "userByHandle",
  "userById",
  "users",
  "trades",
  "balances",
  "following",
  "followers",
  "spotlight",
  "swaps",
  "userTheses",
  "trade",
  "comments",
  "books",
  "leaderboard",
  "ranking",
  "board",
  "theses",
  "tokens",
  "token",
  "tokenStats",
  "tokenDevs",
  "tokenTheses",
  "candles",
  "ticks",
  "quotes",
  "image",
  "search",
] as const;
export type QuestionName = (typeof QUESTION_NAMES)[number];

const CHAINS_MAX = 100;
/** However much a platform allows, a reader's thread has other work too. */
const RATE_PER_SECOND_MAX = 10_000;
const BATCH_MAX = 1_000;

/** A lower bound, so that data stays fresh: once in ten seconds. */
const rate: Schema<number> = {
  read: (value, name) => {
    if (typeof value !== "number" || !(value >= 0.1 && value <= RATE_PER_SECOND_MAX))
      throw new Malformed(name);
    return value;
  },
};
const questionName = oneOf(QUESTION_NAMES);

export const capabilities = object({
  /** Identifies the feed positions for as long as they continue: another source starts at position 1. */
  source: word,
  questions: list(questionName, QUESTION_NAMES.length),
  feeds: list(oneOf(FEEDS), FEEDS.length),
  chains: list(networkId, CHAINS_MAX),
  /** The rate limit that the platform asks its readers to respect; null: none. */
  askRatePerSecond: nullable(rate),
  /** A reader's budget for keeping a copy up to date. */
  sweep: object({
    /** Traders whose positions are read again, a second. */
    tradersPerSecond: rate,
    /** Pages of the directory, boards and lists, a second. */
    pagesPerSecond: rate,
    /** Events of a feed in one read. */
    batch: wholeNumber(1, BATCH_MAX),
    /** It runs in the reader's process, so its work takes time from the reader's clients. */
    sharesProcess: flag,
  }),
});
export type Capabilities = ReadOf<typeof capabilities>;
export type WireCapabilities = WrittenOf<typeof capabilities>;

export const status = object({
  users: count,
  tokens: count,
  worldTime: optional(time),
  /** Absent: a platform from before capabilities, which answers everything but books, candles, ticks, quotes and pictures. */
  capabilities: optional(capabilities),
});
export type WireStatus = WrittenOf<typeof status> & { genesis?: number; seed?: string };

/** A third-party server that declared nothing: well below what any platform would call a flood. */
export const UNDECLARED: Capabilities = {
  source: "platform",
  questions: QUESTION_NAMES.filter(
    (name) => !["books", "ranking", "candles", "ticks", "quotes", "image"].includes(name),
  ),
  feeds: [...FEEDS],
  chains: [],
  askRatePerSecond: 10,
  sweep: { tradersPerSecond: 20, pagesPerSecond: 2, batch: 1_000, sharesProcess: false },
};
