// What is asked for happens soon, is seen like anything else, and is lived again after a crash.
import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ManualClock, manualClock } from "../kit/clock.ts";
import { type OpenedSimulator, openSimulator } from "./open.ts";
import type { Scenario } from "./world/scenarios.ts";
import { fingerprint } from "./world/testing.ts";

const NOW = Date.UTC(2026, 4, 9, 17, 41, 12);
const SMALL = { seed: "asked", eventsPerSecond: 0.5, traders: 200, historyDays: 4 };
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
  };
  await simulator.ask(scenario);
  await live(simulator, clock, seconds);
  return { simulator, before, clock };
}

describe("a scenario", () => {
  test("launch brings a token that people rush into", async () => {
    const { simulator } = await after("launch", 600);
    const { world } = simulator;
    const launched = world.context.tokens.list.filter(
      (token) => token.launchAt > NOW && token.launchAt < NOW + 10_000,
    );
    expect(launched).toHaveLength(1);
    const [token] = launched;
    const address = world.context.tokens.address(token as never);
    expect(simulator.api.tokenStats(address)?.windows["1h"].buys).toBeGreaterThan(5);
    await simulator.close();
  });

  test("rug takes nearly all of the price of a token that many hold", async () => {
    const { simulator } = await after("rug", 240);
    const { api, world } = simulator;
    const rugged = world.context.tokens.list.find((token) => token.price.rugAt < Number.POSITIVE_INFINITY);
    if (!rugged) throw new Error("nothing was rugged");
    const address = world.context.tokens.address(rugged);
    const networkId = api.token(address)?.networkId as number;
    const price = (at: number) => api.quotes([{ address, networkId }], at).rows[0]?.priceUsd as number;
    expect(price(NOW + 200_000) / price(NOW)).toBeLessThan(0.1);
    await simulator.close();
  });

  test("whale buys large, again and again", async () => {
    const { simulator, before } = await after("whale", 300);
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

  test("quiet lets nothing new happen for minutes, and then it goes on", async () => {
    const { simulator, clock } = await after("quiet", 60);
    const { counters } = simulator.world.context.state;
    const { fills } = counters;
    await live(simulator, clock, 200);
    expect(counters.fills - fills).toBeLessThan(12);
    await live(simulator, clock, 400);
    expect(counters.fills - fills).toBeGreaterThan(60);
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

  test("is lived again after a crash, whenever that was", async () => {
    const folder = await newFolder();
    const clock = manualClock(NOW);
    const simulator = await openSimulator({ ...SMALL, dataFolder: folder, clock });
    for (const scenario of ["launch", "rug", "quiet", "whale", "launch"] as const) {
      await simulator.ask(scenario);
      await live(simulator, clock, 24);
    }
    const image = await newFolder();
    for (const name of ["world.journal", "world.snapshot", "world.snapshot.previous"])
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(image, name));
    const expected = fingerprint(simulator.world);
    const prices = simulator.api.board("most-held").rows.map((row) => row.priceUsd);
    await simulator.close();
    for (const place of [image, folder]) {
      const again = await openSimulator({ ...SMALL, dataFolder: place, clock });
      expect(fingerprint(again.world)).toBe(expected);
      expect(again.api.board("most-held").rows.map((row) => row.priceUsd)).toEqual(prices);
      await again.close();
    }
  }, 180_000);
});
