// A short part of the fuzz run, seeded: the requests come from the served documents alone, and none of them breaks the
// service, is charged wrongly, or reveals what it should not. `npm run fuzz` is the long run.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { BODIES } from "../campaign/bodies.ts";
import { TRIGGERS } from "../campaign/triggers.ts";
import { runCampaign } from "./campaign.ts";
import { flyCanary } from "./canary.ts";
import { beGreedy } from "./greedy.ts";
import { tryRefundOrders } from "./refund-orders.ts";
import { type MadeKey, type Subject, startSubject } from "./subject.ts";

const seed = Number(Bun.env.SEED ?? crypto.getRandomValues(new Uint32Array(1))[0]) | 0;
const START_MS_MAX = 900_000;
/** Speed is not tested here: a busy machine takes its time. */
const RUN_MS_MAX = 900_000;

/** The requests matter here, not the amount of data to answer with. */
const SMALL_WORLD = {
  SIMULATOR_TRADERS: "100",
  SIMULATOR_HISTORY_DAYS: "1",
  SIMULATOR_HISTORY_EVENTS_PER_SECOND: "0.02",
};

let subject: Subject;

beforeAll(async () => {
  subject = await startSubject(SMALL_WORLD);
}, START_MS_MAX);
afterAll(() => subject.stop(), START_MS_MAX);

test(
  `whatever is sent, nothing breaks (SEED=${seed})`,
  async () => {
    const { errors, figures } = await runCampaign(subject, {
      seed,
      valuesPerTarget: 2,
      withSlowCases: false,
    });
    if (errors.length > 0) console.log(JSON.stringify(figures, null, 2));
    expect(errors).toEqual([]);
  },
  RUN_MS_MAX,
);

test(
  `minted keys, claimed answers and floods of resumes give no account more than its own (SEED=${seed})`,
  async () => {
    const { errors } = await beGreedy(subject, seed);
    expect(errors).toEqual([]);
  },
  RUN_MS_MAX,
);

test(
  `refunds, disputes and plan changes in any order leave no account with unpaid credits (SEED=${seed})`,
  async () => {
    const { failure } = await tryRefundOrders(seed, 25);
    expect(failure).toBeNull();
  },
  RUN_MS_MAX,
);

test(
  "a key never turns up in a refusal, a log, a metric or a file",
  async () => {
    const { key } = await subject.makeKey("scale");
    expect(await flyCanary(subject, key)).toEqual([]);
  },
  RUN_MS_MAX,
);

test(
  "another account's data is not found",
  async () => {
    const [own, other] = await Promise.all([
      subject.makeKey("growth", false),
      subject.makeKey("growth", false),
    ]);
    const ask = async (method: string, path: string, { key }: MadeKey, body?: unknown) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const response = await fetch(subject.url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, never> };
    };
    const payment = await ask("POST", "/pay/create", other, { plan: "credits", amount: 5 });
    expect(payment.status).toBe(201);
    await ask("GET", "/v2/leaderboard/7d", other);

    const refusals = [
      await ask("GET", `/pay/${payment.body.paymentId}`, own),
      await ask("DELETE", `/v2/keys/${other.id}`, own),
      await ask("POST", `/v2/keys/${other.id}/rotate`, own, { overlapSeconds: 0 }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404]);
    // The message is the one for an id that does not exist, so that it does not reveal that somebody has it.
    const unknown = await ask("DELETE", "/v2/keys/key_00000000000000000000", own);
    expect(String(refusals[1]?.body.message)).toBe(String(unknown.body.message));

    const usage = await ask("GET", "/v2/usage?groupBy=key", own);
    const keys = await ask("GET", "/v2/keys", own);
    expect(JSON.stringify([usage.body, keys.body])).not.toContain(other.id);
    expect((await ask("GET", "/v2/me", other)).status).toBe(200);
    expect((await ask("GET", `/pay/${payment.body.paymentId}`, other)).status).toBe(200);
  },
  RUN_MS_MAX,
);

test(
  "requests that once blocked everybody are answered or refused, and compressed bodies are not decompressed",
  async () => {
    const { key } = await subject.makeKey("scale");
    for (const trial of [...TRIGGERS, ...BODIES]) {
      const { errors, tried } = await trial.run({ subject, key, seed, factor: 1 });
      expect([trial.name, errors]).toEqual([trial.name, []]);
      expect(tried).toBeGreaterThan(0);
    }
    expect(subject.isAlive()).toBe(true);
  },
  RUN_MS_MAX,
);
