// One step of one paper follow: the leader's new moves, the tape that its orders need, and the account advanced by a
// stretch of time. It has no side effects; a commit writes the result.
import type { Kit } from "../../../kit/kit.ts";
import { inTurns } from "../../../kit/slices.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import type { PaperTerms } from "../../../replay/paper.ts";
import type { LogEvent } from "../../model/event.ts";
import type { LogStore } from "../../store/captured/log.ts";
import type { StoredFollow } from "../../store/money/follows.ts";
import type { TapeReader } from "../copy/tape.ts";
import { extendKept, type KeptPaper, type PaperStep } from "./kept.ts";
import { MOVING_KINDS, moveOf, type NamedMove, type PaperTokenName } from "./moves.ts";
import { paperWishes } from "./wishes.ts";

/** A trade that turned out to be on an orphaned fork. */
export interface RetractedTrade {
  tradeId: string;
  txHash: string;
}

export interface PaperStepParts extends Pick<Kit, "clock"> {
  log: Pick<LogStore, "page">;
  tape: TapeReader;
  /** How long after its moment an order is decided: an app may show a trade this long after it happened. */
  settleMs: number;
}

export interface StepWork {
  follow: StoredFollow;
  kept: KeptPaper;
  terms: PaperTerms;
  retracted: readonly RetractedTrade[];
  /** The log position that its account may see up to, and its delay. */
  upTo: number;
  delayMs: number;
  /** When the newest event of the log was captured. */
  newestAt: number;
}

export interface SteppedPaper extends PaperStep {
  position: number;
  /** There is more to do right away. */
  hasMore: boolean;
}

/** Events per step: a few milliseconds of folding. */
const EVENTS_MAX = 200;
/** A log quiet for this long really has nothing new; until then its reader may be behind, and time waits for it. */
const QUIET_MS = 2 * MINUTE_MS;
/** Bounds the tape that one step reads, however long a follow has waited. */
const STRETCH_MS = 6 * HOUR_MS;
const TAPE_READ_MS = 10 * SECOND_MS;

export function createPaperStep({ clock, log, tape, settleMs }: PaperStepParts) {
  const learn = async ({ follow, upTo }: StepWork) => {
    const { userId, position } = follow;
    const kinds = MOVING_KINDS;
    const walk = { userId, kinds, order: "asc", after: position, before: upTo + 1 } as const;
    const page = await log.page({ ...walk, limit: EVENTS_MAX });
    const reached = page.hasMore ? (page.reached ?? page.events.at(-1)?.seq ?? position) : upTo;
    return { ...readMoves(page.events), position: Math.max(position, reached), hasMore: page.hasMore };
  };

  return async (work: StepWork): Promise<SteppedPaper> => {
    const { kept, terms, retracted, delayMs } = work;
    const { moves, names, position, hasMore } = await learn(work);
    const now = clock.now();
    const { at } = kept.state;
    const last = moves.at(-1);
    // Events after a page's last one are not known yet, and may have happened up to `settleMs` earlier.
    const heardTo = Math.max(Math.min(now, work.newestAt), now - QUIET_MS) - settleMs - delayMs;
    const known = hasMore && last ? Math.min(last.at - settleMs, heardTo) : heardTo;
    const to = Math.max(at, Math.min(known, at + STRETCH_MS));
    const isRetracted = ({ tradeId, txHash }: NamedMove) =>
      retracted.some((trade) => trade.tradeId === tradeId && trade.txHash === txHash);
    const { earlier } = kept;
    const isUndone = earlier.moves.some(isRetracted);
    const [from, since] = isUndone ? [earlier.first, [...earlier.moves, ...moves]] : [kept.state, moves];
    const wishes = paperWishes(from, since, to, terms, { ...kept.tokens, ...names });
    const { tapes } = await tape.read(wishes, { asOf: now, deadlineMs: TAPE_READ_MS });
    const step = await inTurns(extendKept(kept, { moves, names, tapes, to }, terms, isRetracted));
    return { ...step, position, hasMore: hasMore || to < heardTo };
  };
}

function readMoves(events: readonly LogEvent[]) {
  const moves: NamedMove[] = [];
  const names: Record<string, PaperTokenName> = {};
  for (const event of events) {
    const read = moveOf(event);
    if (!read) continue;
    moves.push(read.move);
    names[read.move.token] = read.name;
  }
  return { moves, names };
}
