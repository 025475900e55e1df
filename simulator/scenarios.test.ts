// A requested scenario happens soon, looks like anything else, and is replayed after a crash.
import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ManualClock, manualClock } from "../kit/clock.ts";
import { DEFAULT_EVENTS_PER_SECOND } from "./life.ts";
import { type OpenedSimulator, openSimulator } from "./open.ts";
import type { Scenario } from "./world/scenario-names.ts";
import { fingerprint } from "./world/test-worlds.ts";

const NOW = Date.UTC(2026, 4, 9, 17, 41, 12);
// At the default rate: a scenario should show within a minute or two.
const SMALL = { seed: "asked", eventsPerSecond: DEFAULT_EVENTS_PER_SECOND, traders: 400, historyDays: 4 };
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scenario-"));
  folders.push(folder);
  return folder;
}

async function live(simulator: OpenedSimulator, clock: ManualClock, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 4) {
    await clock.advance(4_000);
    await simulator.advance();
  }
}

async function after(scenario: Scenario, seconds: number) {
  const clock = manualClock(NOW);
  const simulator = await openSimulator({ ...SMALL, dataFolder: null, clock });
  const before = {
    tokens: simulator.world.context.tokens.list.length,
    app: simulator.api.appFeed(0, 1).newest,
    chain: simulator.api.chainFeed(0, 1).newest,
    handles: simulator.world.context.population.traders.map(({ handle }) => handle),
  };
  await simulator.ask(scenario);
  await live(simulator, clock, seconds);
  return { simulator, before, clock };
}

describe("a scenario", () => {
  test("launch adds a token that people rush into", async () => {
    const { simulator } = await after("launch", 120);
    const { world } = simulator;
    const launched = world.context.tokens.list.filter(
      (token) => token.launchAt > NOW && token.launchAt < NOW + 10_000,
    );
    expect(launched).toHaveLength(1);
    const [token] = launched;
    const address = world.context.tokens.address(token as never);
    expect(simulator.api.tokenStats(address)?.windows["1h"].buys).toBeGreaterThan(2);
    await simulator.close();
  });

  test("rug wipes out nearly all of the price of a widely held token", async () => {
    const { simulator } = await after("rug", 120);
    const { api, world } = simulator;
    const rugged = world.context.tokens.list.find((token) => token.price.rugAt < Number.POSITIVE_INFINITY);
    if (!rugged) throw new Error("nothing was rugged");
    const address = world.context.tokens.address(rugged);
    const networkId = api.token(address)?.networkId as number;
    const price = (at: number) => api.quotes([{ address, networkId }], at).rows[0]?.priceUsd as number;
    expect(price(NOW + 110_000) / price(NOW)).toBeLessThan(0.1);
    await simulator.close();
  });

  test("rug makes its holders sell", async () => {
    const { simulator, before } = await after("rug", 120);
    const { api, world } = simulator;
    const rugged = world.context.tokens.list.find((token) => token.price.rugAt < Number.POSITIVE_INFINITY);
    const address = world.context.tokens.address(rugged as never);
    const sellers = new Set<string | null>();
    for (const { item } of api.appFeed(before.app, 1000).items)
      if (item.kind === "sell" && item.token?.address === address) sellers.add(item.userId);
    expect(sellers.size).toBeGreaterThan(4);
    await simulator.close();
  });

  test("reorg undoes the next trades and records each of them again", async () => {
    const { simulator, before } = await after("reorg", 120);
    const { items } = simulator.api.chainFeed(before.chain, 1000);
    const undone = items.flatMap(({ item }) => (item.kind === "retract" ? [item.retractedEventId] : []));
    expect(undone.length).toBeGreaterThanOrEqual(3);
    const trades = items.flatMap(({ item }) => (item.kind === "trade" ? [item] : []));
    for (const eventId of undone) {
      const first = trades.find((trade) => trade.eventId === eventId);
      const again = trades.filter((trade) => trade.swapId === first?.swapId && trade.eventId !== eventId);
      expect(again).toHaveLength(1);
      expect(again[0]?.block).toBeGreaterThan(first?.block as number);
    }
    await simulator.close();
  });

  test("rename gives a trader of the last minutes a new handle, under which they continue", async () => {
    const { simulator, before } = await after("rename", 120);
    const { api, world } = simulator;
    const [renamed] = world.context.population.traders.filter(({ index, handle }) => {
      const known = before.handles[index];
      return known !== undefined && known !== handle;
    });
    if (!renamed) throw new Error("no trader was renamed");
    const former = before.handles[renamed.index] as string;
    expect(api.userByHandle(former)?.handle).toBe(renamed.handle);
    const items = api.appFeed(before.app, 1000).items.map(({ item }) => item);
    expect(items.some(({ handle, kind }) => handle === renamed.handle && kind === "buy")).toBe(true);
    await simulator.close();
  });

  test("whale buys large, again and again", async () => {
    const { simulator, before } = await after("whale", 150);
    const { items } = simulator.api.appFeed(before.app, 1000);
    const bySize = items
      .flatMap(({ item }) => (item.kind === "buy" ? [item] : []))
      .sort((a, b) => Number(b.fillUsd) - Number(a.fillUsd));
    const [largest] = bySize;
    const clips = bySize.filter(
      (item) => item.userId === largest?.userId && item.token?.address === largest?.token?.address,
    );
    expect(clips.length).toBeGreaterThan(3);
    expect(Number(largest?.fillUsd)).toBeGreaterThan(1_500);
    await simulator.close();
  });

  test("quiet stops new events for minutes, and then they continue", async () => {
    const { simulator, clock } = await after("quiet", 60);
    const { counters } = simulator.world.context.state;
    const { fills } = counters;
    await live(simulator, clock, 200);
    expect(counters.fills - fills).toBeLessThan(6);
    await live(simulator, clock, 800);
    expect(counters.fills - fills).toBeGreaterThan(20);
    await simulator.close();
  });

  test("outage answers nothing for a minute", async () => {
    const { simulator, clock } = await after("outage", 30);
    expect(() => simulator.api.leaderboard("24h")).toThrow("down");
    expect(() => simulator.api.appFeed(0, 1)).toThrow("down");
    await live(simulator, clock, 40);
    expect((await simulator.api.leaderboard("24h")).rows.length).toBeGreaterThan(0);
    await simulator.close();
  });

  test("is replayed after a crash, whenever that was", async () => {
    const folder = await newFolder();
    const clock = manualClock(NOW);
    const simulator = await openSimulator({ ...SMALL, dataFolder: folder, clock });
    for (const scenario of ["launch", "rug", "rename", "quiet", "reorg", "whale", "launch"] as const) {
      await simulator.ask(scenario);
      await live(simulator, clock, 24);
    }
    const image = await newFolder();
    for (const name of ["world.journal", "world.snapshot", "world.snapshot.previous"])
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(image, name));
    const expected = fingerprint(simulator.world);
    const handlesOf = ({ world }: OpenedSimulator) =>
      world.context.population.traders.map(({ handle, formerHandles }) => [handle, ...formerHandles]);
    const handles = handlesOf(simulator);
    const prices = simulator.api.board("most-held").rows.map((row) => row.priceUsd);
    await simulator.close();
    for (const place of [image, folder]) {
      const again = await openSimulator({ ...SMALL, dataFolder: place, clock });
      expect(fingerprint(again.world)).toBe(expected);
      expect(handlesOf(again)).toEqual(handles);
      expect(again.api.board("most-held").rows.map((row) => row.priceUsd)).toEqual(prices);
      await again.close();
    }
  }, 900_000);
});
