import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { manualClock, systemClock } from "./clock.ts";
import { derivedUuid, freshRequestId, freshUuid, isUuid } from "./ids.ts";
import { createLog } from "./log.ts";
import { createLru } from "./lru.ts";
import { createMetrics } from "./metrics.ts";
import { hash32, randomFrom, seededRandom } from "./random.ts";
import { createSingleFlight } from "./single-flight.ts";
import { DAY_MS } from "./units.ts";

describe("clock", () => {
  test("the system clock does not move when the wall clock is stepped", () => {
    const clock = systemClock();
    const before = clock.now();
    const real = Date.now;
    Date.now = () => real() + DAY_MS;
    try {
      expect(clock.now() - before).toBeLessThan(60_000);
    } finally {
      Date.now = real;
    }
  });

  test("sleepers of a manual clock wake in order of their time, and not before", async () => {
    const clock = manualClock(1_000);
    const woken: string[] = [];
    clock.sleep(200).then(() => woken.push("late"));
    clock.sleep(100).then(() => woken.push("early"));
    await clock.advance(99);
    expect(woken).toEqual([]);
    await clock.advance(500);
    expect(woken).toEqual(["early", "late"]);
    expect(clock.now()).toBe(1_599);
  });

  test("an aborted sleep ends at once", async () => {
    const abort = new AbortController();
    const slept = systemClock().sleep(60_000, abort.signal);
    abort.abort();
    await slept;
  });
});

describe("random", () => {
  test("the same seed gives the same sequence, and a saved state continues where it was", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(50), (seed, steps) => {
        const first = seededRandom(seed);
        const second = seededRandom(seed);
        for (let i = 0; i < steps; i++) expect(first.next()).toBe(second.next());
        const resumed = randomFrom(first.state());
        for (let i = 0; i < 5; i++) expect(resumed.next()).toBe(second.next());
      }),
    );
  });

  test("rolls stay in their range and reach all of it", () => {
    const random = seededRandom("range");
    const seen = new Set<number>();
    for (let i = 0; i < 1_000; i++) {
      const roll = random.below(6);
      expect(roll).toBeGreaterThanOrEqual(0);
      expect(roll).toBeLessThan(6);
      seen.add(roll);
    }
    expect(seen.size).toBe(6);
  });

  test("hashes of parts differ from the hash of the parts joined", () => {
    expect(hash32("ab", "c")).not.toBe(hash32("a", "bc"));
  });
});

describe("ids", () => {
  test("derived ids are valid UUIDs, equal for equal parts and different for others", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(isUuid(derivedUuid(a))).toBe(true);
        expect(derivedUuid(a)).toBe(derivedUuid(a));
        if (a !== b) expect(derivedUuid(a)).not.toBe(derivedUuid(b));
      }),
    );
  });

  test("fresh ids do not repeat", () => {
    const ids = Array.from({ length: 1_000 }, freshRequestId);
    expect(new Set(ids).size).toBe(1_000);
    expect(isUuid(freshUuid())).toBe(true);
  });
});

describe("log", () => {
  const lines: string[] = [];
  const log = createLog(
    "info",
    () => 0,
    (line) => lines.push(line),
  );

  test("a key or a password that reaches a log by mistake is blanked out", () => {
    const secret = `ct_live_${"a1B2".repeat(10)}`;
    log.warn(`used ${secret}`, { url: `postgres://user:hunter2@localhost/db`, nested: { key: secret } });
    const line = lines.at(-1) as string;
    expect(line).not.toContain(secret);
    expect(line).not.toContain("hunter2");
    expect(JSON.parse(line).level).toBe("warn");
  });

  test("so is a webhook's secret, whatever base64 it holds", () => {
    const secret = "whsec_MfKQ9r8GKY+qrTwjUPD8/ILPZIo2LaL==";
    log.warn("signed", { secret });
    expect(JSON.parse(lines.at(-1) as string).secret).toBe("[secret]");
  });

  test("lines below the level are not written", () => {
    const before = lines.length;
    log.debug("quiet");
    expect(lines.length).toBe(before);
  });

  test("a very long line costs no more than its length", () => {
    // Quadratic time at this length would take most of an hour.
    log.info("x".repeat(2_000_000));
    expect(lines.at(-1)?.length).toBeGreaterThan(2_000_000);
  });

  test("a log that can't be written any more does not end the program", async () => {
    const program = `
      import { createLog } from ${JSON.stringify(`${import.meta.dir}/log.ts`)};
      const log = createLog("info", () => 0);
      for (let line = 0; line < 20; line++) {
        log.info("x".repeat(10_000));
        await new Promise(setImmediate);
      }
      console.log("still here");`;
    // Its standard error is a full disk, or else a pipe without a reader; its standard output is ours.
    const unread = existsSync("/dev/full")
      ? `"$0" -e "$1" 2>/dev/full`
      : `{ "$0" -e "$1" 2>&1 1>&3 | true; } 3>&1`;
    const child = Bun.spawn(["sh", "-c", unread, process.execPath, program], { stdout: "pipe" });
    expect(await new Response(child.stdout).text()).toBe("still here\n");
    expect(await child.exited).toBe(0);
  });
});

test("an LRU that weighs its entries holds a total weight up to its bound", () => {
  const lru = createLru<string, string>(10, (value) => value.length);
  for (const [key, value] of [
    ["a", "1234"],
    ["b", "1234"],
    ["c", "12"],
  ] as const)
    lru.set(key, value);
  expect(lru.size()).toBe(3);
  lru.set("d", "123456");
  expect(["a", "b", "c", "d"].map((key) => lru.get(key)?.length)).toEqual([undefined, undefined, 2, 6]);
  lru.set("d", "1");
  lru.delete("c");
  lru.set("e", "123456789");
  expect(lru.size()).toBe(2);
  lru.clear();
  lru.set("f", "1234567890");
  expect(lru.get("f")).toBeDefined();
  // An entry heavier than the bound is held alone, not refused.
  lru.set("g", "12345678901");
  expect([lru.get("f"), lru.get("g")?.length, lru.size()]).toEqual([undefined, 11, 1]);
});

test("an LRU keeps the most recently used entries, within its bound", () => {
  const lru = createLru<string, number>(2);
  lru.set("a", 1);
  lru.set("b", 2);
  lru.get("a");
  lru.set("c", 3);
  expect([lru.get("a"), lru.get("b"), lru.get("c"), lru.size()]).toEqual([1, undefined, 3, 2]);
});

test("an LRU holds exactly what a list in order of use would, for any sequence of uses", () => {
  const use = fc.record({
    key: fc.integer({ min: 0, max: 6 }),
    act: fc.constantFrom("get", "set", "delete", "clear"),
    value: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 80 }), (uses) => {
      const lru = createLru<number, number>(8, (value) => value);
      let model: [key: number, value: number][] = [];
      for (const { key, act, value } of uses) {
        const known = model.find(([one]) => one === key);
        const others = model.filter(([one]) => one !== key);
        if (act === "get") {
          expect(lru.get(key)).toBe(known?.[1] as never);
          if (known) model = [...others, known];
        } else if (act === "set") {
          lru.set(key, value);
          model = [...others, [key, value]];
          while (model.length > 1 && model.reduce((sum, [, one]) => sum + one, 0) > 8) model.shift();
        } else if (act === "delete") {
          lru.delete(key);
          model = others;
        } else {
          lru.clear();
          model = [];
        }
        expect(lru.size()).toBe(model.length);
      }
    }),
    { seed: 11 },
  );
});

test("identical work in flight is shared, and runs again once it has ended", async () => {
  const flights = createSingleFlight();
  let runs = 0;
  const work = async () => {
    await Promise.resolve();
    return ++runs;
  };
  expect(await Promise.all(Array.from({ length: 100 }, () => flights.run("k", work)))).toEqual(
    Array.from({ length: 100 }, () => 1),
  );
  expect(await flights.run("k", work)).toBe(2);
  expect(flights.size()).toBe(0);
});

test("failed work is not cached", async () => {
  const flights = createSingleFlight();
  await expect(flights.run("k", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await flights.run("k", async () => "yes")).toBe("yes");
});

test("a caller who leaves does not cancel shared work, which stops when all have left; a later caller restarts it", async () => {
  const flights = createSingleFlight();
  const begun: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    begun.push(signal);
    return new Promise<string>((resolve) => {
      signal.addEventListener("abort", () => resolve("stopped"));
    });
  };
  const [first, second] = [new AbortController(), new AbortController()];
  const ask = (caller: AbortController) => flights.run("k", work, caller.signal);
  // The second asks twice, and counts as one caller.
  const asked = [ask(first), ask(second), ask(second)];
  first.abort();
  expect(begun.map(({ aborted }) => aborted)).toEqual([false]);
  second.abort();
  expect(begun.map(({ aborted }) => aborted)).toEqual([true]);
  const third = new AbortController();
  const again = ask(third);
  expect(await Promise.all(asked)).toEqual(["stopped", "stopped", "stopped"]);
  expect([begun.map(({ aborted }) => aborted), flights.size()]).toEqual([[true, false], 1]);
  // Without a signal it is wanted to its end.
  void flights.run("k", work);
  third.abort();
  expect([begun.length, begun[1]?.aborted]).toEqual([2, false]);
  void again;
});

test("metrics render in the Prometheus text form, with cumulative buckets", () => {
  const metrics = createMetrics();
  metrics.counter("a_total", "As.").of({ kind: 'q"uote' }).add(2);
  const seconds = metrics.histogram("b_seconds", "Bs.", [1, 2]);
  for (const value of [0.5, 1.5, 9]) seconds.observe(value);
  metrics.probe("c", "Cs.", () => 7);
  expect(metrics.render().split("\n")).toEqual([
    "# HELP a_total As.",
    "# TYPE a_total counter",
    'a_total{kind="q\\"uote"} 2',
    "# HELP b_seconds Bs.",
    "# TYPE b_seconds histogram",
    'b_seconds_bucket{le="1"} 1',
    'b_seconds_bucket{le="2"} 2',
    'b_seconds_bucket{le="+Inf"} 3',
    "b_seconds_sum 11",
    "b_seconds_count 3",
    "# HELP c Cs.",
    "# TYPE c gauge",
    "c 7",
    "",
  ]);
});
