// The operator's commands for keys and test payments, next to a running server that sees the changes without a restart.
import { beforeAll, describe, expect, test } from "bun:test";
import type { AnswerOf } from "../../contract/route.ts";
import type { Routes } from "../../contract/routes.ts";
import { eventually } from "../support/eventually.ts";
import { ask, crowdtape, type Greeted, startGreeted, temporaryData } from "./program.ts";

type Me = AnswerOf<Routes["getMe"]>;
type Payment = AnswerOf<Routes["getPayment"]>;
type MadeKey = { key: string; id: string; accountId: string; plan: string; createdAt: string };
type Listed = { count: number; keys: { id: string; hint: string; works: boolean; name: string | null }[] };

const settings = { DATA_DIR: temporaryData() };
let service: Greeted;

beforeAll(async () => {
  service = await startGreeted(settings);
});

async function make(flags: string): Promise<MadeKey> {
  const { code, out, err } = await crowdtape(`key create ${flags} --json`, settings);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return JSON.parse(out) as MadeKey;
}

async function me(key: string): Promise<Me> {
  const { status, body } = await ask(`${service.url}/v2/me`, key);
  expect(status).toBe(200);
  return body as Me;
}

describe("key create", () => {
  test("--json prints everything about the key, and the key works", async () => {
    const { key, id, accountId, createdAt, ...rest } = await make(
      "--plan growth --email a@b.example --name bot --prepaid 5000 --monthly-cap 1000 --requests-per-minute 7",
    );
    expect(key).toMatch(/^ct_live_[0-9A-Za-z]{40}$/);
    expect(id).toMatch(/^key_\w+$/);
    expect(accountId).toMatch(/^acc_\w+$/);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(rest).toEqual({
      plan: "growth",
      email: "a@b.example",
      prepaid: 5000,
      requestsPerMinute: 7,
    } as never);
    expect(await me(key)).toMatchObject({ plan: "growth", credits: { prepaid: 5000 } });
  });

  test("without --json shows the key on a line of its own", async () => {
    const { code, out } = await crowdtape("key create --plan free --email a@b.example --test", settings);
    expect(code).toBe(0);
    const [key = "", , about] = out.split("\n");
    expect(key).toMatch(/^ct_test_[0-9A-Za-z]{40}$/);
    expect(about).toContain("free key key_");
    expect((await me(key)).plan).toBe("free");
  });

  test("--created-days-ago makes a free key with its first week over", async () => {
    const young = await make("--plan free --email a@b.example --created-days-ago 6");
    const old = await make("--plan free --email a@b.example --created-days-ago 8");
    expect((await me(young.key)).streams.appFeed.delaySeconds).toBe(0);
    expect((await me(old.key)).streams.appFeed.delaySeconds).toBe(15);
  });

  test("--requests-per-minute is the key's own rate", async () => {
    const { key } = await make("--plan scale --email a@b.example --requests-per-minute 2");
    const statuses: number[] = [];
    for (let call = 0; call < 3; call++) statuses.push((await ask(`${service.url}/v2/me`, key)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("--monthly-cap limits the key's spending", async () => {
    const { key } = await make("--plan scale --email a@b.example --monthly-cap 300");
    const call = () => ask(`${service.url}/v2/leaderboard/24h?limit=1`, key);
    expect((await call()).status).toBe(200);
    expect((await call()).status).toBe(402);
  });
});

test("key list shows every key's hint, never the key", async () => {
  const made = await make("--plan starter --email list@b.example --name listed");
  const asJson = await crowdtape("key list --json", settings);
  const { count, keys } = JSON.parse(asJson.out) as Listed;
  expect(count).toBe(keys.length);
  expect(keys).toContainEqual(expect.objectContaining({ id: made.id, name: "listed", works: true }));
  const asText = await crowdtape("key list", settings);
  expect(asText.out).toMatch(new RegExp(`^${made.id} .* works .* starter .* list@b.example +listed$`, "m"));
  expect(asJson.out + asText.out).not.toContain(made.key);
});

test("key revoke takes effect on the running server", async () => {
  const { key, id } = await make("--plan starter --email a@b.example --requests-per-minute 100000");
  expect((await me(key)).plan).toBe("starter");
  const { code, out } = await crowdtape(`key revoke ${id}`, settings);
  expect(code).toBe(0);
  expect(out).toStartWith(`${id} is revoked.`);
  await eventually(async () => (await ask(`${service.url}/v2/me`, key)).status === 401, "the key is refused");
  const { keys } = JSON.parse((await crowdtape("key list --json", settings)).out) as Listed;
  expect(keys.find((row) => row.id === id)?.works).toBe(false);
});

describe("pay test", () => {
  async function createPayment(key: string): Promise<Payment> {
    const response = await fetch(`${service.url}/pay/create`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ plan: "credits", amount: 5 }),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as Payment;
  }

  const paymentIs = (id: string, status: Payment["status"], key: string) =>
    eventually(async () => {
      const { body } = await ask(`${service.url}/pay/${id}`, key);
      return (body as Payment).status === status;
    }, `the payment is ${status}`);

  test("pays in full, and the credits are granted", async () => {
    const { key } = await make("--plan free --email a@b.example --requests-per-minute 100000");
    const { paymentId, credits } = await createPayment(key);
    const { code, out } = await crowdtape(`pay test ${paymentId}`, settings);
    expect(code).toBe(0);
    expect(out).toStartWith("Paid on the test chain, signature ");
    await paymentIs(paymentId, "credited", key);
    expect((await me(key)).credits.prepaid).toBe(Number(credits));
  });

  test("pays another amount on request, and the payment says so", async () => {
    const { key } = await make("--plan free --email a@b.example --requests-per-minute 100000");
    const { paymentId } = await createPayment(key);
    const wrong = await crowdtape(`pay test ${paymentId} --amount lots`, settings);
    expect(wrong).toMatchObject({ code: 1, out: "" });
    expect(wrong.err).toStartWith("An amount is a number of dollars");
    expect((await crowdtape(`pay test ${paymentId} --amount 1.5`, settings)).code).toBe(0);
    await paymentIs(paymentId, "underpaid", key);
  });
});

test("tail says why the server refused a stream", async () => {
  const tail = (options: string) => crowdtape(`tail --server ${service.url} ${options}`, settings);
  const wrongPlan = await tail(`--trades --key ${service.keys.starter}`);
  expect(wrongPlan).toMatchObject({ code: 1, out: "" });
  expect(wrongPlan.err).toContain("does not include the on-chain stream");
  expect(wrongPlan.err).not.toContain(service.keys.starter);
  const wrongKey = await tail("--key ct_live_nobody");
  expect(wrongKey).toMatchObject({ code: 1, out: "" });
  expect(wrongKey.err).toContain("key");
});
