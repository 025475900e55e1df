// A stored paper follow, for tests: newly created, with nothing booked.
import { freshUuid } from "../../../kit/ids.ts";
import type { StoredFollow } from "./follows.ts";

export const testFollow = (
  given: Pick<StoredFollow, "followId" | "accountId"> & Partial<StoredFollow>,
): StoredFollow => ({
  keyId: "key",
  capOf: null,
  userId: freshUuid(),
  handle: "owl",
  status: "active",
  waitingFor: null,
  note: null,
  version: 0,
  epoch: "e",
  position: 0,
  orders: 0,
  paidBlocks: 0,
  createdAt: 0,
  stoppedAt: null,
  terms: "{}",
  state: "{}",
  ...given,
});
