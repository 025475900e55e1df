// What is delivered: an event of the log, or an order of one of the account's own paper follows.
import type { LogEvent } from "../model/event.ts";
import type { PaperLogRow } from "../store/money/follows.ts";
import { PAPER_EPOCH, type StoredWebhook } from "../store/money/webhooks.ts";

/** An order of one of its account's paper follows, as something to deliver. */
export interface BookedPaper {
  seq: number;
  capturedAt: number;
  booked: PaperLogRow;
}

export type Deliverable = LogEvent | BookedPaper;

/** Whether it follows its account's own log of paper follows. */
export const isPaper = ({ epoch }: Pick<StoredWebhook, "epoch">): boolean => epoch === PAPER_EPOCH;
