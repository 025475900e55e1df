// A platform that stops, cleanly or not, continues as the same world: anything anyone saw keeps its ids and figures, events
// due during the downtime have happened, and damage on the disk costs at most a little time.

import { afterAll, describe, expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type ManualClock, manualClock } from "../kit/clock.ts";
import { DAY_MS, HOUR_MS } from "../kit/units.ts";
import { eventually } from "../test/support/eventually.ts";
import { ForeignWorld, type OpenedSimulator, openSimulator } from "./open.ts";
import { fingerprint } from "./world/test-worlds.ts";

const NOW = Date.UTC(2026, 4, 9, 17, 41, 12);
const SMALL = { seed: "restart", eventsPerSecond: 8, traders: 120, copiers: 6, baiters: 2, historyDays: 2 };
const folders: string[] = [];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "platform-"));
  folders.push(folder);
  return folder;
}

/** The disk's contents at the moment of a crash: the files as they are, half-written ones too. */
async function crashImage(folder: string): Promise<string> {
  const image = await newFolder();
  // In this order, a file that a writer renames meanwhile can't be missed.
  for (const name of ["world.journal", "world.snapshot", "world.snapshot.previous"]) {
    try {
      copyFileSync(join(folder, name), join(image, name));
    } catch {
      // Not written yet, or just renamed to a name later in the list.
    }
  }
  return image;
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const openAt = (dataFolder: string | null, clock: ManualClock, other: Partial<typeof SMALL> = {}) =>
  openSimulator({ ...SMALL, ...other, dataFolder, clock });

/** Lets time pass in small steps, with the world following. */
async function live(platform: OpenedSimulator, clock: ManualClock, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 4) {
    await clock.advance(Math.min(4, seconds - passed) * 1000);
    await platform.advance();
  }
}

/** Everything a follower could have read, except for values as of now. */
function visible({ api }: OpenedSimulator) {
  const all = <Item>(
    read: (after: number) => { items: { position: number; item: Item }[]; newest: number },
  ) => {
    const found: { position: number; item: Item }[] = [];
    for (let after = 0; ; after = found.at(-1)?.position ?? after) {
      const page = read(after);
      found.push(...page.items);
      if (page.items.length === 0) return found;
    }
  };
  return {
    app: all((after) => api.appFeed(after, 1000)),
    push: all((after) => api.pushFeed(after, 1000)),
    chain: all((after) => api.chainFeed(after, 1000)).map(({ position, item }) => ({
      position,
      item: { ...item, finality: "" },
    })),
  };
}

/** A process that opens a platform in the given folder and prints its chain feed. */
const TO_BE_KILLED = `
  import { systemClock } from "../kit/clock.ts";
  import { openSimulator } from "./open.ts";
  const dataFolder = process.argv.at(-1);
  const options = { seed: "killed", eventsPerSecond: 300, traders: 120, historyDays: 1 };
  const { api, onMove } = await openSimulator({ ...options, dataFolder, clock: systemClock() });
  let after = api.chainFeed(0, 1).newest;
  onMove((feed) => {
    if (feed !== "chain") return;
    for (const { position, item } of api.chainFeed(after, 1000).items) {
      after = position;
      if (item.kind === "trade") console.log(JSON.stringify({ position, eventId: item.eventId, at: item.blockAt }));
    }
  });
`;

describe("a restart", () => {
  test("after being killed at any moment finds exactly the same world", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 4 }),
        fc.string(),
        async (lives, seed) => {
          let folder = await newFolder();
          let now = NOW;
          let before: string | undefined;
          for (const seconds of lives) {
            const clock = manualClock(now);
            const platform = await openAt(folder, clock, { seed });
            if (before !== undefined) expect(fingerprint(platform.world)).toBe(before);
            await live(platform, clock, seconds);
            before = fingerprint(platform.world);
            now = clock.now();
            folder = await crashImage(folder);
          }
        },
      ),
      { numRuns: 12 },
    );
  }, 900_000);

  test("keeps every visible item, even when it comes a while later", async () => {
    const folder = await newFolder();
    const clock = manualClock(NOW);
    const platform = await openAt(folder, clock);
    await live(platform, clock, 90);
    const seen = visible(platform);
    const user = (await platform.api.leaderboard("all")).rows[0]?.userId ?? "";
    const closed = platform.api
      .trades(user, { sort: "recent" })
      ?.closed.map((trade) => [trade.tradeId, trade.realizedPnlUsd] as const);

    const again = await openAt(await crashImage(folder), manualClock(clock.now() + HOUR_MS));
    const now = visible(again);
    // A feed keeps three days, so the oldest items may have expired meanwhile.
    const still = <Item extends { position: number }>(before: Item[], after: Item[]) =>
      before.filter(({ position }) => position >= (after[0]?.position ?? 0));
    for (const feed of ["app", "push", "chain"] as const) {
      const kept = still<{ position: number }>(seen[feed], now[feed]);
      expect(kept.length).toBeGreaterThan(seen[feed].length * 0.8);
      expect(now[feed].slice(0, kept.length) as unknown[]).toEqual(kept);
    }
    expect(now.app.at(-1)?.position).toBeGreaterThan(seen.app.at(-1)?.position as number);
    expect(closed?.length).toBeGreaterThan(0);
    for (const [tradeId, realizedPnlUsd] of closed ?? [])
      expect(again.api.trade(tradeId)?.realizedPnlUsd).toBe(realizedPnlUsd);
    await again.close();
  }, 900_000);

  test("that is clean finds the same world, and events due in the meantime have happened", async () => {
    const folder = await newFolder();
    const clock = manualClock(NOW);
    const platform = await openAt(folder, clock);
    await live(platform, clock, 20);
    await platform.close();
    const { fills } = platform.world.context.state.counters;
    const left = platform.world.time;

    const back = manualClock(NOW + 3 * DAY_MS);
    const again = await openAt(folder, back);
    expect(again.world.time).toBe(back.now());
    const { tables, counters } = again.world.context.state;
    const since = counters.fills - fills;
    // Three days at the default rate are about 18,100 events.
    expect(since).toBeGreaterThan(14_500);
    expect(since).toBeLessThan(21_500);
    const times = Array.from({ length: since }, (_, index) =>
      tables.fills.columns.at.get((fills + index) % tables.fills.capacity),
    );
    expect(Math.min(...times)).toBeGreaterThanOrEqual(left);
    const middle = times.filter((at) => at > NOW + DAY_MS && at < NOW + 2 * DAY_MS).length;
    expect(middle).toBeGreaterThan(since / 5);
    await again.close();
  });

  test("of a process that was really killed loses nothing it had sent", async () => {
    const folder = await newFolder();
    const child = Bun.spawn([process.execPath, "-e", TO_BE_KILLED, folder], {
      cwd: import.meta.dir,
      stdout: "pipe",
    });
    const lines: string[] = [];
    let rest = "";
    for await (const chunk of child.stdout) {
      rest += new TextDecoder().decode(chunk);
      const parts = rest.split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts);
      if (lines.length >= 150) break;
    }
    child.kill("SIGKILL");
    await child.exited;
    const sent = lines.map((line) => JSON.parse(line) as { position: number; eventId: string; at: number });
    const clock = manualClock(Math.max(...sent.map((item) => item.at)) + 60_000);
    const again = await openSimulator({
      seed: "killed",
      eventsPerSecond: 300,
      traders: 120,
      historyDays: 1,
      dataFolder: folder,
      clock,
    });
    for (const { position, eventId } of sent) {
      expect(again.api.chainFeed(position - 1, 1).items[0]?.item.eventId).toBe(eventId);
    }
    await again.close();
  }, 900_000);
});

describe("work at a start", () => {
  test("is bounded however old the folder is", async () => {
    const folder = await newFolder();
    const first = await openAt(folder, manualClock(NOW), { eventsPerSecond: 3 });
    const { fills } = first.world.context.state.counters;
    await first.close();
    const again = await openAt(folder, manualClock(NOW + 200 * DAY_MS), { eventsPerSecond: 3 });
    const lived = again.world.context.state.counters.fills - fills;
    expect(lived).toBeGreaterThan(40_000);
    expect(lived).toBeLessThan(70_000);
    await again.close();
  }, 900_000);
});

describe("damage", () => {
  async function livedFolder(): Promise<{ folder: string; expected: string; now: number }> {
    const folder = await newFolder();
    const clock = manualClock(NOW);
    const first = await openAt(folder, clock);
    await live(first, clock, 12);
    await first.close();
    const second = await openAt(folder, clock);
    await live(second, clock, 12);
    await second.close();
    await eventually(() => existsSync(join(folder, "world.snapshot.previous")), "a second snapshot is kept");
    return { folder, expected: fingerprint(second.world), now: clock.now() };
  }

  test("to the newest snapshot falls back to the previous one and continues from there", async () => {
    for (const harm of [
      (path: string) => truncate(path, 100_000),
      (path: string) => truncate(path, 3),
      async (path: string) => {
        const bytes = await readFile(path);
        bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] as number) ^ 0x10;
        await writeFile(path, bytes);
      },
      (path: string) => rm(path),
    ]) {
      const { folder, expected, now } = await livedFolder();
      await harm(join(folder, "world.snapshot"));
      const again = await openAt(folder, manualClock(now));
      expect(fingerprint(again.world)).toBe(expected);
      await again.close();
    }
  }, 900_000);

  test("to the end of the journal costs only what its last line planned", async () => {
    const { folder, now } = await livedFolder();
    const path = join(folder, "world.journal");
    const journal = await readFile(path, "utf8");
    await writeFile(path, journal.slice(0, -9));
    const again = await openAt(folder, manualClock(now + 5_000));
    expect(again.world.time).toBe(now + 5_000);
    await again.close();
  });

  test("to both snapshots is recovered by replaying the journal, if it is intact", async () => {
    const folder = await newFolder();
    const clock = manualClock(NOW);
    const first = await openAt(folder, clock);
    await live(first, clock, 30);
    const expected = fingerprint(first.world);
    const image = await crashImage(folder);
    for (const name of ["world.snapshot", "world.snapshot.previous"])
      await rm(join(image, name), { force: true });
    const again = await openAt(image, manualClock(clock.now()));
    expect(fingerprint(again.world)).toBe(expected);
    await again.close();
  });

  test("to everything starts a new world and keeps the old files", async () => {
    const { folder, now } = await livedFolder();
    for (const name of ["world.snapshot", "world.snapshot.previous"])
      await writeFile(join(folder, name), "not a world");
    const again = await openAt(folder, manualClock(now));
    expect(again.world.context.genesis).toBe(now - 2 * DAY_MS);
    expect((await again.api.leaderboard("24h")).rows.length).toBeGreaterThan(10);
    expect(existsSync(join(folder, "world.snapshot.broken"))).toBe(true);
    await again.close();
  });
});

describe("a folder of another world", () => {
  test("is refused with an explanation", async () => {
    const folder = await newFolder();
    await (await openAt(folder, manualClock(NOW))).close();
    await expect(openAt(folder, manualClock(NOW), { seed: "other" })).rejects.toThrow(
      'of seed "restart", not of "other"',
    );
    await expect(openAt(folder, manualClock(NOW), { traders: 7 })).rejects.toThrow("120 traders");
    await expect(openAt(folder, manualClock(NOW), { copiers: 0 })).rejects.toThrow("6 copiers, not of 0");
    await expect(openAt(folder, manualClock(NOW), { baiters: 0 })).rejects.toThrow("2 baiters, not of 0");
    const path = join(folder, "world.journal");
    await rm(path);
    await expect(openAt(folder, manualClock(NOW), { seed: "other" })).rejects.toBeInstanceOf(ForeignWorld);
  });
});

test("a folder belongs to one platform at a time", async () => {
  const folder = await newFolder();
  const first = await openAt(folder, manualClock(NOW));
  await expect(openAt(folder, manualClock(NOW))).rejects.toThrow("Another process");
  await first.close();
  await (await openAt(folder, manualClock(NOW))).close();
});
