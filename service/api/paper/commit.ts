// How a step of a paper follow becomes durable: position, state, orders and charge in one transaction, or none of them. A
// node that lost its hold writes nothing; each order has a unique number, so that no crash can book it twice.

import type { Chains } from "../../../contract/chains.ts";
import { FOLLOW_CHARGE, FOLLOW_PRICE } from "../../../contract/follows.ts";
import type { Database, Queries } from "../../../database/database.ts";
import type { Clock } from "../../../kit/clock.ts";
import type { Access } from "../../access/access.ts";
import type { ChargedWithin } from "../../access/ledger/within.ts";
import { advanceFollow, bookPaper, type PaperEvent, type StoredFollow } from "../../store/money/follows.ts";
import type { PaperTokenName } from "./moves.ts";
import { presentCorrection, presentPaperOrder } from "./present.ts";
import type { SteppedPaper } from "./step.ts";

export type Committed =
  | { kind: "done"; follow: StoredFollow; booked: number }
  /** Another node, or its owner, changed it: the result is discarded. */
  | { kind: "lost" }
  /** It can't be paid for: nothing was written. */
  | { kind: "unpaid" };

export interface PaperCommitParts {
  database: Database;
  access: Pick<Access, "within">;
  chains: Chains;
  clock: Clock;
  holder: string;
}

class NotWritten extends Error {
  override readonly name = "NotWritten";
  constructor(readonly kind: "lost" | "unpaid") {
    super(kind);
  }
}

export function createPaperCommit({ database, access, chains, clock, holder }: PaperCommitParts) {
  /** Orders and corrections, with numbers continuing from the last booked one. */
  const eventsOf = (follow: StoredFollow, step: SteppedPaper, at: number): Omit<PaperEvent, "seq">[] => {
    const nameOf = (token: string): PaperTokenName =>
      step.kept.tokens[token] ?? { address: token, symbol: "", networkId: 0 };
    const { corrections, orders } = step;
    const first = follow.orders + corrections.length;
    const bodies = [
      ...corrections.map((correction, index) =>
        presentCorrection(correction, follow.orders + index, nameOf(correction.token), at, chains),
      ),
      ...orders.map((order, index) =>
        presentPaperOrder(order, first + index, nameOf(order.token), at, chains),
      ),
    ];
    const { followId } = follow;
    return bodies.map((body) => ({ followId, number: body.index, bookedAt: at, body: JSON.stringify(body) }));
  };

  const charge = async (
    tx: Queries,
    follow: StoredFollow,
    blocks: number,
    at: number,
  ): Promise<ChargedWithin | null> => {
    const { followId, accountId, keyId, capOf, paidBlocks } = follow;
    const owed = Array.from({ length: Math.max(0, blocks - paidBlocks) }, (_, index) => ({
      requestId: `${followId}:${paidBlocks + index + 1}`,
      accountId,
      keyId,
      routeId: FOLLOW_CHARGE,
      at,
      capOf,
      credits: FOLLOW_PRICE.credits,
      resolutions: 0,
    }));
    if (owed.length === 0) return null;
    const made = await access.within.charge(tx, owed);
    if (made.results.some(({ refused }) => refused !== null)) throw new NotWritten("unpaid");
    return made;
  };

  return async (follow: StoredFollow, step: SteppedPaper): Promise<Committed> => {
    const at = clock.now();
    const events = eventsOf(follow, step, at);
    const blocks = Math.max(follow.paidBlocks, Math.ceil(step.kept.state.filled / FOLLOW_PRICE.orders));
    const next: StoredFollow = {
      ...follow,
      position: step.position,
      orders: follow.orders + events.length,
      paidBlocks: blocks,
      state: JSON.stringify(step.kept),
      waitingFor: null,
      note: null,
    };
    await access.within.prepare(at);
    try {
      const charged = await database.write(async (tx) => {
        if (!(await advanceFollow(tx, holder, next))) throw new NotWritten("lost");
        if (events.length > 0) await bookPaper(tx, follow.accountId, events);
        return charge(tx, follow, blocks, at);
      });
      if (charged) access.within.keep(charged);
      return { kind: "done", follow: { ...next, version: follow.version + 1 }, booked: events.length };
    } catch (error) {
      if (error instanceof NotWritten) return { kind: error.kind };
      throw error;
    }
  };
}
