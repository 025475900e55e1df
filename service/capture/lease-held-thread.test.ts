// The writer's term and the thread it lives on: a thread that others hold renews late, and that alone costs no term.
import { expect, test } from "bun:test";
import { manualClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import type { Lease, LeaseStore } from "../store/captured/lease.ts";
import { keepLease, LEASE_MS, WRITER_TERMS } from "./lease-keeper.ts";

/** A real store does not answer in the same turn. */
const ANSWER_MS = 50;

/** A node whose thread can be held: time passes and no timer fires. The lease is kept as a database would keep it. */
function heldNode() {
  const manual = manualClock(0);
  let heldMs = 0;
  const clock = { now: () => manual.now() + heldMs, sleep: manual.sleep };
  const lines: string[] = [];
  const log = createLog("info", clock.now, (line) => lines.push(line));
  const stopping = new AbortController();
  const terms: number[] = [];
  let row: Lease | null = null;
  let answer = () => manual.sleep(ANSWER_MS);
  const isOurs = (lease: Lease) => row !== null && row.holder === lease.holder && row.term === lease.term;
  const leases: LeaseStore = {
    async acquire(name, holder, lengthMs) {
      if (row && row.holder !== holder && row.expiresAt > clock.now()) return null;
      row = { name, holder, term: (row?.term ?? 0) + 1, expiresAt: clock.now() + lengthMs };
      return row;
    },
    async renew(lease, lengthMs) {
      await answer();
      if (!isOurs(lease)) return null;
      row = { ...lease, expiresAt: clock.now() + lengthMs };
      return row;
    },
    async release(lease) {
      if (isOurs(lease)) row = { ...lease, expiresAt: 0 };
    },
    current: async () => row,
  };
  const work = async (lease: Lease, signal: AbortSignal) => {
    terms.push(lease.term);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  const running = keepLease({
    leases,
    terms: WRITER_TERMS,
    holder: "us",
    clock,
    log,
    signal: stopping.signal,
    work,
  });
  return {
    terms,
    lines,
    leases,
    advance: manual.advance,
    hold: (milliseconds: number) => {
      heldMs += milliseconds;
    },
    answerWhen: (wait: () => Promise<void>) => {
      answer = wait;
    },
    async stop() {
      stopping.abort();
      await manual.advance(0);
      await running;
    },
  };
}

test("a thread that is held for longer than the lease, again and again, keeps its term", async () => {
  const node = heldNode();
  await node.advance(0);
  for (let round = 0; round < 10; round++) {
    node.hold(LEASE_MS * 2);
    await node.advance(5_000);
  }
  expect(node.terms).toEqual([1]);
  expect(node.lines.filter((line) => line.includes("no longer"))).toEqual([]);
  await node.stop();
});

test("so does one that was held while the store answered", async () => {
  const node = heldNode();
  await node.advance(0);
  const answered = Promise.withResolvers<void>();
  node.answerWhen(() => answered.promise);
  await node.advance(1_000);
  node.hold(LEASE_MS * 2);
  await node.advance(2_000);
  answered.resolve();
  await node.advance(0);
  await node.advance(5_000);
  expect(node.terms).toEqual([1]);
  await node.stop();
});

test("a term that another node took meanwhile is over, with the reason in the log", async () => {
  const node = heldNode();
  await node.advance(0);
  node.hold(LEASE_MS * 2);
  expect(await node.leases.acquire("log-writer", "other", 600_000)).not.toBeNull();
  await node.advance(5_000);
  expect(node.terms).toEqual([1]);
  const over = node.lines
    .map((line) => JSON.parse(line))
    .find(({ message }) => message.includes("no longer"));
  expect(over).toMatchObject({ level: "warn", term: 1, why: "another node took the lease" });
  expect(over.lateMs).toBeGreaterThanOrEqual(LEASE_MS);
  await node.stop();
});

test("a silent store ends the term, and the log says that it was the store", async () => {
  const node = heldNode();
  await node.advance(0);
  node.answerWhen(() => new Promise(() => {}));
  await node.advance(LEASE_MS);
  const over = node.lines
    .map((line) => JSON.parse(line))
    .find(({ message }) => message.includes("no longer"));
  expect(over).toMatchObject({ level: "warn", why: "the store did not answer in time" });
  await node.stop();
});
