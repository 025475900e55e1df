// Leaders chosen at intervals: the top of the leaderboard as of each moment. It is computed from the captured fills of all
// traders, in time order; traders who have since left are included, without a name.
import { toUsd } from "../../../accounting/money.ts";
import { Fault, fault } from "../../../contract/errors.ts";
import { servingTurn } from "../../../kit/turn.ts";
import { DAY_MS } from "../../../kit/units.ts";
import type { Fill } from "../../../protocol/shapes/position.ts";
import {
  type Choice,
  Chooser,
  choiceMoments,
  chosenStretches,
  type TradedFill,
} from "../../../replay/choose.ts";
import type { ChosenStretch } from "../../../replay/leader.ts";
import type { ReplayTerms } from "../../../replay/terms.ts";
import { tradedLeg } from "../../model/fills-position.ts";
import { nameOfToken } from "../../model/token.ts";
import type { Store } from "../../store/store.ts";
import type { RouteCall } from "../answer.ts";
import { inTurn } from "../in-turn.ts";
import { iso } from "../present/common.ts";
import type { BooksReader } from "../profit/books-reader.ts";
import type { Identify } from "../traders.ts";
import { orUnsupported } from "../unsupported.ts";
import { copiedBooks, type FollowedLeader } from "./leader.ts";
import { type AskedTerms, WINDOW_MS } from "./terms.ts";

type Select = NonNullable<AskedTerms["select"]>;

export interface SelectParts {
  store: Pick<Store, "fills" | "traders">;
  books: BooksReader;
  identify: Identify;
}

export interface Selected {
  leaders: FollowedLeader[];
  choices: { at: string; traders: { handle: string | null; userId: string | null; pnlUsd: number }[] }[];
  /** Data missing for the first choices; null if nothing is. */
  note: string | null;
}

const EVERY_MS = { "1d": DAY_MS, "7d": 7 * DAY_MS } as const;
/** Holdings at the start of the first board are read this far back; anything bought earlier counts as received when sold. */
const BEFORE_MS = 30 * DAY_MS;
const PAGE_ROWS = 250;
/** About ten seconds of reading. */
const FILLS_WALKED_MAX = 500_000;
const LEADERS_MAX = 300;
const READERS_MAX = 4;

/** `check` is called now and then; throwing ends the work. */
export async function selectLeaders(
  parts: SelectParts,
  select: Select,
  terms: ReplayTerms,
  call: RouteCall,
  check: () => void,
): Promise<Selected> {
  const choices = await choose(parts.store, select, terms, check);
  const stretches = [...chosenStretches(choices, terms.to)];
  if (stretches.length > LEADERS_MAX)
    throw tooMany("select.top", `more than ${LEADERS_MAX} traders were chosen`);
  const leaders = await inTurn(stretches, READERS_MAX, ([userId, chosen]) => {
    check();
    return leaderOf(parts, userId, chosen, terms, call);
  });
  const named = new Map(leaders.map(({ who }, place) => [stretches[place]?.[0], who]));
  return {
    leaders,
    note: noteOn(await parts.store.fills.oldestAt(), terms.from - WINDOW_MS[select.board]),
    choices: choices.map(({ at, leaders: first }) => ({
      at: iso(at),
      traders: first.map(({ userId, pnl }) => ({
        handle: named.get(userId)?.handle ?? null,
        userId: named.get(userId)?.userId ?? null,
        pnlUsd: toUsd(pnl),
      })),
    })),
  };
}

async function choose(
  store: SelectParts["store"],
  { board, top, every }: Select,
  { from, to }: ReplayTerms,
  check: () => void,
): Promise<Choice[]> {
  const windowMs = WINDOW_MS[board];
  const chooser = new Chooser({ moments: choiceMoments({ from, to }, EVERY_MS[every]), windowMs, top });
  let walked = 0;
  let cursor: Parameters<typeof store.fills.between>[0]["cursor"] = null;
  do {
    const page: Awaited<ReturnType<typeof store.fills.between>> = await store.fills.between({
      from: from - windowMs - BEFORE_MS,
      to,
      order: "asc",
      of: { kind: "everybody" },
      limit: PAGE_ROWS,
      cursor,
    });
    for (const fill of page.rows) chooser.take(tradedFill(fill));
    walked += page.rows.length;
    if (walked > FILLS_WALKED_MAX)
      throw tooMany("window", `everybody made more than ${FILLS_WALKED_MAX} fills in it`);
    cursor = page.next;
    check();
    await servingTurn();
  } while (cursor !== null);
  chooser.advance(to);
  return chooser.choices;
}

function tradedFill(fill: Fill): TradedFill {
  const { userId, networkId, at, side, feeUsd } = fill;
  const { address, amount, usd } = tradedLeg(fill);
  return { userId, token: nameOfToken({ address, networkId }), at, kind: side, amount, usd, feeUsd };
}

/** For a trader who has left, the captured books are used. */
async function leaderOf(
  { books, identify }: SelectParts,
  userId: string,
  chosen: readonly ChosenStretch[],
  terms: ReplayTerms,
  call: RouteCall,
): Promise<FollowedLeader> {
  const named = await unlessLeft(orUnsupported(identify({ kind: "userId", key: userId }, call)));
  const who = { userId, handle: named?.handle ?? null };
  const live = await unlessLeft(books.read({ userId, handle: named?.handle ?? userId }, terms.to, call));
  const read = live ?? (await books.captured(userId, terms.to));
  const { books: all, perps } = copiedBooks(read.rows, terms);
  const isChosen = (at: number) => chosen.some(({ from, to }) => at >= from && at < to);
  // Tokens never bought while the leader was chosen need neither tape nor price.
  const copied = all.filter(({ opening, later }) =>
    terms.copyOpen && opening.amount > 0 && isChosen(terms.from)
      ? true
      : later.some(({ kind, at }) => kind === "buy" && isChosen(at)),
  );
  const fills = copied.reduce(
    (sum, { later }) => sum + later.filter(({ kind }) => kind === "buy" || kind === "sell").length,
    0,
  );
  return { who: live === null ? null : who, books: read, copied: { books: copied, fills, perps }, chosen };
}

/** Null if the platform no longer knows the trader. */
const unlessLeft = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof Fault && error.code === "not_found") return null;
    throw error;
  });

function noteOn(oldestAt: number | null, from: number): string | null {
  if (oldestAt !== null && oldestAt <= from) return null;
  const since = oldestAt === null ? "No fill was captured yet" : `Fills are captured since ${iso(oldestAt)}`;
  return `${since}: earlier choices, and those soon after, rest on less than their board's time.`;
}

const tooMany = (param: string, why: string) =>
  fault("invalid_body", `The window must be shorter, or ${param} smaller: ${why}. This was free.`, { param });
