// Running replays: what ends one, and that it is charged if and only if its answer can be read.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fault } from "../../../contract/errors.ts";
import { systemClock } from "../../../kit/clock.ts";
import { freshUuid } from "../../../kit/ids.ts";
import { eventually } from "../../../test/support/eventually.ts";
import type { KeyCaller } from "../../access/identity/caller.ts";
import { cancelReplay, findOrderPage, findReplay, holdReplay } from "../../store/money/replays.ts";
import { openTestStore, type SuiteStore, silent } from "../../store/suite-support.ts";
import { createReplayJobs, type ReplayJob } from "./jobs.ts";

const folder = mkdtempSync(join(tmpdir(), "crowdtape-jobs-"));
let store: SuiteStore;
let charged: number[];
let refuses: string | null;

beforeAll(async () => {
  store = await openTestStore({ location: async () => ({ file: join(folder, "crowdtape.sqlite") }) });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const caller = {
  accountId: "a",
  keyId: "k",
  key: { monthlyCap: null, lineage: "k" },
} as unknown as KeyCaller;
const RESULT = { answer: '{"verdict":"copyable"}', cost: 1_250, orders: 3, pages: ["p0", "p1"] };

/** A job that is held and about to begin. */
async function begin(work: ReplayJob["work"]) {
  [charged, refuses] = [[], null];
  const jobs = createReplayJobs({
    database: store.database,
    clock: systemClock(),
    log: silent,
    access: {
      within: {
        prepare: async () => {},
        charge: async (_tx, [order]) => {
          if (refuses === null) charged.push(Number(order?.credits));
          return { results: [{ refused: refuses }] } as never;
        },
        keep: () => {},
      },
    },
  });
  const name = { accountId: "a", replayId: `rpl_${freshUuid()}`, holder: freshUuid() };
  await store.database.write((tx) => holdReplay(tx, name, "{}", systemClock().now()));
  const run = () => jobs.run({ name, caller, requestId: "req", work });
  const row = () => findReplay(store.database.read, name);
  return { jobs, name, run, row };
}

/** Runs until it is stopped. */
const endless: ReplayJob["work"] = async (onProgress) => {
  for (;;) {
    onProgress(0.5);
    await Bun.sleep(1);
  }
};

describe("a replay at work", () => {
  test("is charged with its answer, and its orders can be read", async () => {
    const { name, run, row } = await begin(async () => RESULT);
    expect(await run()).toEqual({ cost: 1_250 });
    expect(await row()).toMatchObject({
      status: "done",
      progress: 100,
      credits: 1_250,
      answer: RESULT.answer,
    });
    expect(await findOrderPage(store.database.read, name, 1)).toBe("p1");
    expect(charged).toEqual([1_250]);
  });

  test("stops for free when it is cancelled here, or by another node through the store", async () => {
    for (const isElsewhere of [false, true]) {
      const { jobs, name, run, row } = await begin(endless);
      const ended = run().catch((error: Error) => error.message);
      if (isElsewhere) await store.database.write((tx) => cancelReplay(tx, name));
      else await jobs.cancel(name);
      expect(await ended).toContain("cancelled");
      expect([(await row())?.status, charged]).toEqual(["cancelled", []]);
    }
  });

  test("saves its progress in the store", async () => {
    const { jobs, name, run, row } = await begin(endless);
    const ended = run().catch(() => undefined);
    await eventually(async () => (await row())?.progress === 50, "the progress is in the store");
    await jobs.cancel(name);
    await ended;
  });

  test("that fails, can't be paid for or is cut off shows no answer and costs nothing", async () => {
    const failing = await begin(async () => {
      throw fault("upstream_timeout", "The tape did not finish.");
    });
    await expect(failing.run()).rejects.toThrow("did not finish");
    expect(await failing.row()).toMatchObject({ status: "failed", answer: null });
    expect((await failing.row())?.note).toContain("The tape did not finish.");
    const unpaid = await begin(async () => RESULT);
    refuses = "credits_exhausted";
    await expect(unpaid.run()).rejects.toThrow("1250 credits");
    expect(await unpaid.row()).toMatchObject({ status: "failed", answer: null, credits: 0 });
    const closing = await begin(endless);
    const ended = closing.run().catch((error: Error) => error.message);
    await closing.jobs.close();
    expect(await ended).toContain("cancelled");
    expect([await closing.row(), charged]).toMatchObject([{ answer: null }, []]);
  });
});
