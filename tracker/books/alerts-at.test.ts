// When a trade becomes an alert, and what happens to the alert if its block is re-orged out.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../kit/clock.ts";
import { createLog } from "../../kit/log.ts";
import type { WireAppItem, WireChainItem, WirePushItem } from "../../protocol/shapes/event.ts";
import { eventually } from "../../test/support/eventually.ts";
import { type AlertBounds, createAlertLevels, firstAlertBound } from "../alert-levels.ts";
import type { AlertsAt } from "../alerts-at.ts";
import type { BlockRead, Flow } from "../chain.ts";
import { createTaggedHeight } from "../evm/tagged-height.ts";
import { RpcRefused } from "../rpc/errors.ts";
import { readItems } from "./feed-items.ts";
import { CHAIN, openBooks, queries, ROSTER, STABLE, TOKEN_A } from "./test-story.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-alerts-at-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

/** Bob buys, always in the same transaction. */
function bought(height: number, fork: string, usd = 20n): BlockRead {
  const flow: Flow = {
    chainId: CHAIN,
    wallet: String(ROSTER[1]?.evm[0]),
    hash: "tx",
    index: 0,
    swap: true,
    kind: "swap",
    sold: [{ token: STABLE, amountRaw: usd * 10n ** 6n }],
    bought: [{ token: TOKEN_A, amountRaw: 10n ** 18n }],
    feeRaw: 0n,
    counterparty: null,
    exact: true,
  };
  const block = { chainId: CHAIN, height, hash: `${fork}${height}`, parentHash: "", timeMs: height * 1_000 };
  return { block, flows: [flow], pools: [] };
}

async function open(alertsAt: AlertsAt, bound = { height: Number.POSITIVE_INFINITY }) {
  files += 1;
  const location = { file: join(folder, `${files}.sqlite`) };
  const { now } = systemClock();
  const books = await openBooks(
    location,
    (same) => same,
    queries,
    now,
    () => {},
    alertsAt,
    () => bound.height,
  );
  const alerts = async () =>
    (await readItems<WireAppItem | WireChainItem>(books.database.read, "app", 0, 10)).items.map(
      ({ item }) => item,
    );
  const pushes = async () =>
    (await readItems<WirePushItem>(books.database.read, "push", 0, 10)).items.map(({ item }) => item);
  let step = 0;
  const cursor = () => {
    step += 1;
    return { name: "reader", value: String(step) };
  };
  return { ...books, alerts, pushes, cursor };
}

test("a confirmed alert is retracted with its block, and gets a new id when the trade lands in the next one", async () => {
  const { sink, alerts, cursor, close } = await open("confirmed");
  await sink.apply([bought(1, "a")], cursor());
  expect((await alerts()).map(({ kind }) => kind)).toEqual(["buy"]);
  await sink.retract(CHAIN, [bought(1, "a").block], cursor());
  await sink.apply([bought(2, "b")], cursor());
  await sink.finalize(CHAIN, 2, cursor());
  const [first, lost, again, ...more] = await alerts();
  expect([first?.kind, lost?.kind, again?.kind, more.length]).toEqual(["buy", "retract", "buy", 0]);
  expect(lost).toMatchObject({ retractedEventId: first?.eventId, reason: "reorg", networkId: CHAIN });
  expect(again?.eventId).not.toBe(first?.eventId);
  await close();
});

test("a large trade is pushed to phones once, when it is final, and a small one never", async () => {
  const { sink, pushes, cursor, close } = await open("confirmed");
  await sink.apply([bought(1, "a", 4_000n)], cursor());
  expect(await pushes()).toEqual([]);
  await sink.retract(CHAIN, [bought(1, "a").block], cursor());
  await sink.apply([bought(2, "b", 4_000n)], cursor());
  await sink.finalize(CHAIN, 2, cursor());
  await sink.apply([bought(2, "b", 4_000n)], cursor());
  expect(await pushes()).toMatchObject([
    {
      notificationType: "LARGE_BUY",
      title: "$4,000 of T1 bought",
      text: "Bob bought $4,000 of Token",
      handle: "bob",
    },
  ]);
  await close();
  const small = await open("confirmed");
  await small.sink.apply([bought(1, "a", 3_999n)], small.cursor());
  await small.sink.finalize(CHAIN, 1, small.cursor());
  expect(await small.pushes()).toEqual([]);
  await small.close();
});

test("an alert that waits for a safe block is sent once, when the block is safe", async () => {
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

test("an alert that waits until its block is final is never sent earlier", async () => {
  const { sink, alerts, cursor, close } = await open("final");
  await sink.apply([bought(1, "a")], cursor());
  await sink.reachSafe(CHAIN, 0);
  expect(await alerts()).toEqual([]);
  await sink.finalize(CHAIN, 1, cursor());
  expect((await alerts()).map(({ kind }) => kind)).toEqual(["buy"]);
  await close();
});

test("an alert waits for the node's tag though its block is final by count, even after a restart", async () => {
  const bound = { height: -1 };
  const { sink, alerts, cursor, close } = await open("final", bound);
  await sink.beginAlerts(CHAIN);
  await sink.apply([bought(3, "a")], cursor());
  await sink.finalize(CHAIN, 5, cursor());
  await sink.beginAlerts(CHAIN);
  expect([await sink.awaitsAlerts(CHAIN), await alerts()]).toEqual([true, []]);
  bound.height = 2;
  await sink.reachSafe(CHAIN, 2);
  expect(await alerts()).toEqual([]);
  bound.height = 3;
  await sink.reachSafe(CHAIN, 3);
  expect((await alerts()).map(({ kind }) => kind)).toEqual(["buy"]);
  expect(await sink.awaitsAlerts(CHAIN)).toBe(false);
  await close();
});

test("alerts held back when they became final come before those that become final later", async () => {
  const bound = { height: -1 };
  const { sink, alerts, cursor, close } = await open("final", bound);
  await sink.beginAlerts(CHAIN);
  const other = bought(6, "a");
  other.flows = other.flows.map((flow) => ({ ...flow, hash: "later" }));
  await sink.apply([bought(3, "a"), other], cursor());
  await sink.finalize(CHAIN, 5, cursor());
  bound.height = Number.POSITIVE_INFINITY;
  await sink.finalize(CHAIN, 6, cursor());
  await sink.reachSafe(CHAIN, 6);
  expect((await alerts()).map((item) => "txHash" in item && item.txHash)).toEqual(["tx", "later"]);
  await close();
});

/** How far alerts may go, for a node at block 100 whose reader considers 90 final. */
async function reached(alertsAt: AlertsAt, said: Record<string, number>) {
  const { clock, log } = { clock: systemClock(), log: createLog("silent", () => 0) };
  const batch: Parameters<typeof createTaggedHeight>[0]["batch"] = async ([call]) => {
    const height = said[String(call?.params[0])];
    const hash = `0x${"1".repeat(64)}`;
    if (height === undefined)
      return [{ host: "node", refused: new RpcRefused("", -32602, "invalid block tag", "node") }];
    return [{ host: "node", result: { number: height, hash, parentHash: hash, timestamp: "0x1" } }];
  };
  const settings = { chainId: CHAIN, alertsAt, safeBlocks: 3, pollMs: 1 };
  const taggedHeight = createTaggedHeight({ batch }, CHAIN, clock);
  const status = { head: 100, cursor: 100, final: 90, lagMs: 0, error: null, reason: null };
  const bounds: AlertBounds = new Map([[CHAIN, firstAlertBound({ settings, taggedHeight })]]);
  expect(bounds.get(CHAIN)).toBe(-1);
  const heights: number[] = [];
  const sink = {
    reachSafe: async (_: number, height: number) => void heights.push(height),
    awaitsAlerts: async () => true,
  };
  const levels = createAlertLevels(
    [{ settings, taggedHeight, reader: { status: () => status } }],
    bounds,
    sink,
    {
      clock,
      log,
    },
  );
  levels.start();
  await eventually(() => heights.length > 0, "the node was asked");
  await levels.stop();
  return [heights[0], bounds.get(CHAIN)];
}

test("safe and final follow the node's tags, or a block count where it has none", async () => {
  const unbound = Number.POSITIVE_INFINITY;
  expect(await reached("safe", { safe: 80, finalized: 70 })).toEqual([80, 80]);
  expect(await reached("final", { safe: 80, finalized: 70 })).toEqual([70, 70]);
  expect(await reached("final", { finalized: 95 })).toEqual([90, 95]);
  expect(await reached("safe", {})).toEqual([97, unbound]);
  expect(await reached("final", {})).toEqual([90, unbound]);
  // A node that tags its head as safe has no real notion of safe.
  expect(await reached("safe", { safe: 100 })).toEqual([97, unbound]);
});
