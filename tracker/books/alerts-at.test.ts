// When a trade becomes an alert, and what becomes of the alert if its block loses.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import type { WireAppItem, WireChainItem } from "../../protocol/shapes/event.ts";
import type { AlertsAt } from "../alerts-at.ts";
import type { BlockRead, Flow } from "../chain.ts";
import { readItems } from "./feed-items.ts";
import { CHAIN, openBooks, queries, ROSTER, STABLE, TOKEN_A } from "./test-story.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-alerts-at-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bob buys, always in the same transaction. */
function bought(height: number, fork: string): BlockRead {
  const flow: Flow = {
    chainId: CHAIN,
    wallet: String(ROSTER[1]?.evm[0]),
    hash: "tx",
    index: 0,
    swap: true,
    kind: "swap",
    sold: [{ token: STABLE, amountRaw: 20n * 10n ** 6n }],
    bought: [{ token: TOKEN_A, amountRaw: 10n ** 18n }],
    feeRaw: 0n,
    counterparty: null,
    exact: true,
  };
  const block = { chainId: CHAIN, height, hash: `${fork}${height}`, parentHash: "", timeMs: height * 1_000 };
  return { block, flows: [flow], pools: [] };
}

async function open(alertsAt: AlertsAt) {
  const location = { file: join(folder, `${alertsAt}.sqlite`) };
  const { now } = systemClock();
  const books = await openBooks(
    location,
    (same) => same,
    queries,
    now,
    () => {},
    alertsAt,
  );
  const alerts = async () =>
    (await readItems<WireAppItem | WireChainItem>(books.database.read, "app", 0, 10)).items.map(
      ({ item }) => item,
    );
  let step = 0;
  const cursor = () => {
    step += 1;
    return { name: "reader", value: String(step) };
  };
  return { ...books, alerts, cursor };
}

test("an alert of a confirmed block is taken back with its block, and is another when the trade is in the next", async () => {
  const { sink, alerts, cursor, close } = await open("confirmed");
  await sink.apply([bought(1, "a")], cursor());
  expect((await alerts()).map(({ kind }) => kind)).toEqual(["buy"]);
  await sink.retract(CHAIN, ["a1"], cursor());
  await sink.apply([bought(2, "b")], cursor());
  await sink.finalize(CHAIN, 2, cursor());
  const [first, lost, again, ...more] = await alerts();
  expect([first?.kind, lost?.kind, again?.kind, more.length]).toEqual(["buy", "retract", "buy", 0]);
  expect(lost).toMatchObject({ retractedEventId: first?.eventId, reason: "reorg", networkId: CHAIN });
  expect(again?.eventId).not.toBe(first?.eventId);
  await close();
});

test("an alert that waits for safe blocks comes once, when they are there", async () => {
  const { sink, alerts, cursor, close } = await open("safe");
  await sink.apply([bought(5, "a")], cursor());
  await sink.reachSafe(CHAIN, 4);
  expect(await alerts()).toEqual([]);
  await sink.reachSafe(CHAIN, 5);
  await sink.reachSafe(CHAIN, 3);
  await sink.finalize(CHAIN, 6, cursor());
  expect((await alerts()).map(({ kind }) => kind)).toEqual(["buy"]);
  await close();
});

test("an alert that waits until its block is final is never out before", async () => {
  const { sink, alerts, cursor, close } = await open("final");
  await sink.apply([bought(1, "a")], cursor());
  await sink.reachSafe(CHAIN, 0);
  expect(await alerts()).toEqual([]);
  await sink.finalize(CHAIN, 1, cursor());
  expect((await alerts()).map(({ kind }) => kind)).toEqual(["buy"]);
  await close();
});
