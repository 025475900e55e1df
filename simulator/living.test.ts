// An open platform runs by its clock: it notifies its listeners, keeps its rate, and its people change over time.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ManualClock, manualClock } from "../kit/clock.ts";
import type { WirePage, WireUser } from "../protocol/protocol.ts";
import { type OpenedSimulator, openSimulator } from "./open.ts";
import { createApi } from "./views/api.ts";

const NOW = Date.UTC(2026, 4, 9, 17, 41, 12);
const SMALL = { seed: "living", eventsPerSecond: 8, traders: 120, historyDays: 2 };
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const openAt = (dataFolder: string | null, clock: ManualClock, other: Partial<typeof SMALL> = {}) =>
  openSimulator({ ...SMALL, ...other, dataFolder, clock });

/** Lets time pass in small steps, with the world following. */
async function live(platform: OpenedSimulator, clock: ManualClock, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 4) {
    await clock.advance(4_000);
    await platform.advance();
  }
}

describe("a living platform", () => {
  test("says which feeds moved, until one stops listening or it closes", async () => {
    const clock = manualClock(NOW);
    const platform = await openAt(null, clock, { eventsPerSecond: 50 });
    const moved: string[] = [];
    const stop = platform.onMove((feed) => moved.push(feed));
    // The clock has nothing to wake until its loop sleeps.
    await clock.advance(0);
    await clock.advance(40_000);
    expect(new Set(moved)).toEqual(new Set(["chain", "app", "push"]));
    stop();
    const count = moved.length;
    await clock.advance(5_000);
    expect(moved.length).toBe(count);
    await platform.close();
    const { time } = platform.world;
    await clock.advance(5_000);
    expect(platform.world.time).toBe(time);
  });

  test("runs at another rate after a restart with another setting", async () => {
    const folder = await mkdtemp(join(tmpdir(), "platform-"));
    folders.push(folder);
    const clock = manualClock(NOW);
    const slow = await openAt(folder, clock, { eventsPerSecond: 1 });
    await live(slow, clock, 8);
    await slow.close();
    const fast = await openAt(folder, clock, { eventsPerSecond: 400 });
    const { fills } = fast.world.context.state.counters;
    await live(fast, clock, 20);
    expect(fast.world.context.state.counters.fills - fills).toBeGreaterThan(5_000);
    await fast.close();
  });

  test("makes a leaderboard of one moment, however fast the world moves meanwhile", async () => {
    const clock = manualClock(NOW);
    const platform = await openAt(null, clock, { eventsPerSecond: 200, traders: 900 });
    const { world } = platform;
    for (const window of ["24h", "all"] as const) {
      await clock.advance(60_000);
      await platform.advance();
      const expected = createApi(world).leaderboard(window);
      const { events } = world;
      const asked = platform.api.leaderboard(window);
      const shared = platform.api.leaderboard(window);
      await clock.advance(10_000);
      const living = platform.advance();
      const answer = await asked;
      expect(answer).toEqual(expected);
      expect(await shared).toBe(answer);
      await living;
      expect(world.events).toBeGreaterThan(events);
    }
    await platform.close();
  });

  test("refuses a rate that it could not keep", async () => {
    for (const eventsPerSecond of [0, -1, Number.NaN, 1e9]) {
      await expect(openAt(null, manualClock(NOW), { eventsPerSecond })).rejects.toThrow("eventsPerSecond");
    }
  });

  test("has people with unresolved wallets, with one wallet, and renamed; and they change with time", async () => {
    const clock = manualClock(NOW);
    const platform = await openAt(null, clock, { traders: 800, historyDays: 3 });
    const users: WireUser[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: WirePage<WireUser> = platform.api.users(cursor);
      users.push(...page.rows);
      cursor = page.nextCursor;
    }
    expect(users.some((user) => user.wallets.status === "resolving" && user.wallets.solana === null)).toBe(
      true,
    );
    expect(users.some((user) => user.wallets.solana === null && user.wallets.evm !== null)).toBe(true);
    expect(users.some((user) => user.wallets.evm === null && user.wallets.solana !== null)).toBe(true);
    expect(users.some((user) => user.formerHandles.length > 0)).toBe(true);
    expect(users.length).toBeGreaterThan(800);
    await platform.close();
  });
});
