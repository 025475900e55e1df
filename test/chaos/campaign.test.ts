// A short round of the fault campaign in every test run: its seed is the run's, so a failing run replays it.
import { expect } from "bun:test";
import { needing } from "../support/needing.ts";
import { runRound } from "./round.ts";

const { test } = needing("postgres", "redis");

/** Long enough for several kills and as many broken wires. */
const ROUND_MS = 7_000;
const PATIENCE_MS = 900_000;
const seed = process.env.SEED ?? String(crypto.getRandomValues(new Uint16Array(1))[0]);

/** One shape per run, by its seed; several nodes have their own tests in test/nodes. */
const shape = Number(seed) % 2 === 0 ? "simulator" : "remote";

test(
  `kills, stops and broken wires under load cost no credit and no event: one process, ${shape} world`,
  async () => {
    const said: string[] = [];
    const { errors, counts } = await runRound({
      seed,
      shape,
      durationMs: ROUND_MS,
      say: (line) => said.push(line),
    });
    const replay = `npm run chaos -- --seed ${seed} --shape ${shape} --round-seconds ${ROUND_MS / 1_000} --rounds 1`;
    if (errors.length > 0) console.error([`seed ${seed} (${replay})`, ...said, ...errors].join("\n"));
    expect(errors).toEqual([]);
    expect(counts.statuses["200"]).toBeGreaterThan(0);
    expect(counts.events).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
