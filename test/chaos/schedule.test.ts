// A script follows from its seed alone, and the seeds together cover every kind of fault.
import { expect, test } from "bun:test";
import { FAULT_KINDS } from "../../simulator/server/faults.ts";
import { planFaults, SHAPES } from "./schedule.ts";

const ROUND_MS = 20_000;
const seeds = Array.from({ length: 200 }, (_, seed) => String(seed));

test("the same seed gives the same script, another seed another one", () => {
  for (const shape of SHAPES) {
    const scripts = seeds.map((seed) => JSON.stringify(planFaults(seed, shape, ROUND_MS)));
    expect(seeds.map((seed) => JSON.stringify(planFaults(seed, shape, ROUND_MS)))).toEqual(scripts);
    expect(new Set(scripts).size).toBe(seeds.length);
  }
});

test("every script has faults, and none outlasts its round", () => {
  for (const shape of SHAPES) {
    for (const track of seeds.flatMap((seed) => planFaults(seed, shape, ROUND_MS))) {
      expect(track.length).toBeGreaterThan(1);
      const lastsMs = track.reduce((sum, { afterMs, forMs }) => sum + afterMs + forMs, 0);
      expect(lastsMs).toBeLessThanOrEqual(ROUND_MS);
    }
  }
});

test("among many seeds there is every kind of fault of every place", () => {
  const actions = seeds
    .flatMap((seed) => planFaults(seed, "cluster", ROUND_MS).flat())
    .map((step) => step.action);
  const wires = actions.flatMap((one) => (one.kind === "wire" ? [`${one.where} ${one.fault.kind}`] : []));
  const kinds = ["latency", "bandwidth", "stall", "stallAnswers", "reset", "slice", "cut"];
  const places = ["clients", "upstream", "database", "redis"];
  expect([...new Set(wires)].sort()).toEqual(
    places.flatMap((place) => kinds.map((kind) => `${place} ${kind}`)).sort(),
  );
  const reported = actions.flatMap((one) =>
    one.kind === "misbehave" ? one.faults.map((fault) => String(fault.kind)) : [],
  );
  expect([...new Set(reported)].sort()).toEqual([...FAULT_KINDS].sort());
  const others = actions.map((one) => ("what" in one ? `${one.kind} ${one.what}` : one.kind));
  expect(new Set(others)).toEqual(
    new Set([
      "wire",
      "misbehave",
      "postgres",
      "wipe redis",
      ...["node", "platform", "redis"].flatMap((what) => [`kill ${what}`, `freeze ${what}`]),
    ]),
  );
});
