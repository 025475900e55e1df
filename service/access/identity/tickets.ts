// Stream tickets: a key's pass to one socket within a minute, so that keys stay out of URLs. Any node can redeem
// one, and only one node does.
import { createHash } from "node:crypto";
import { fault } from "../../../contract/errors.ts";
import type { Database } from "../../../database/database.ts";
import { secureBase62 } from "../../../kit/base62.ts";
import type { Clock } from "../../../kit/clock.ts";
import { countTickets, findTicket, insertTicket, redeemTicket } from "../../store/money/tickets.ts";

export interface Tickets {
  create(keyId: string): Promise<{ ticket: string; expiresAt: number }>;
  /** Its key, without using it up; null when it is unknown, already used or expired. */
  look(ticket: string): Promise<string | null>;
  /** Uses it: true for one caller only. */
  redeem(ticket: string): Promise<boolean>;
}

export const TICKET_SECONDS = 60;
/** As many as the largest plan has sockets: no client needs more at once. */
const TICKETS_PER_KEY_MAX = 100;
/** 32 base62 characters carry 190 bits. */
const TICKET_CHARACTERS = 32;
const SHAPE = /^tkt_[0-9A-Za-z]{32}$/;

export function createTickets({ database, clock }: { database: Database; clock: Clock }): Tickets {
  return {
    async create(keyId) {
      const ticket = `tkt_${secureBase62(TICKET_CHARACTERS)}`;
      const now = clock.now();
      const expiresAt = now + TICKET_SECONDS * 1000;
      await database.write(async (tx) => {
        if ((await countTickets(tx, keyId, now)) >= TICKETS_PER_KEY_MAX) {
          throw fault("rate_limited", `At most ${TICKETS_PER_KEY_MAX} unused tickets at a time.`, {
            retryAfterSeconds: TICKET_SECONDS,
          });
        }
        await insertTicket(tx, { hash: hashOf(ticket), keyId, expiresAt });
      });
      return { ticket, expiresAt };
    },
    async look(ticket) {
      return SHAPE.test(ticket) ? findTicket(database.read, hashOf(ticket), clock.now()) : null;
    },
    redeem: async (ticket) =>
      (await database.write((tx) => redeemTicket(tx, hashOf(ticket), clock.now()))) !== null,
  };
}

function hashOf(ticket: string): string {
  return createHash("sha256").update(ticket).digest("hex");
}
