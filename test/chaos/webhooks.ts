// Webhooks under the campaign's faults: endpoints that fail, stall and redirect by the seed, while nodes are killed and
// connections are cut. After recovery, each endpoint has every alert of the log, in order, and each hundred of them was paid
// once.
import { WEBHOOK_PRICE } from "../../contract/webhooks.ts";
import { sql } from "../../database/sql.ts";
import { eventually } from "../support/eventually.ts";
import { chargedFor, type Hooks, type Manner, newsAfter, startHooks } from "../support/hooks.ts";
import type { Deployment } from "./deployment.ts";

export interface HookedAccount {
  hooks: Hooks;
  accountId: string;
  secret: string;
  made: { id: string; name: string; position: string }[];
}

const MANNERS: readonly [manner: Manner, batch: number][] = [
  ["well", 1],
  ["failing", 1],
  ["failing", 25],
  ["slow", 10],
  ["redirecting", 50],
];

/** Before the faults: an account with one webhook per behaviour. */
export async function hookUp(deployment: Deployment, seed: string): Promise<HookedAccount> {
  const hooks = startHooks(seed);
  const books = await deployment.books();
  const { grants, keys } = books.access;
  const { id: accountId } = await grants.openAccount("hooks@example.com");
  await grants.payForPlan({ accountId, plan: "scale", reference: `hooks:${accountId}` });
  const { secret } = await keys.create({ accountId, name: "hooks" });
  await books.close();
  const account: HookedAccount = { hooks, accountId, secret, made: [] };
  for (const [index, [manner, batch]] of MANNERS.entries()) {
    const name = `hook${index}`;
    const body = { url: hooks.url(manner, name), batch };
    const { id, position } = await call<{ id: string; position: string }>(
      deployment,
      account,
      "",
      "POST",
      body,
    );
    account.made.push({ id, name, position });
  }
  return account;
}

/** After the faults. The result is a list of errors. */
export async function checkHooks(deployment: Deployment, account: HookedAccount): Promise<string[]> {
  const { hooks, made, accountId } = account;
  const setAll = async (status: "active" | "paused") => {
    for (const { id } of made) await call(deployment, account, `/${id}`, "PATCH", { status });
  };
  const errors: string[] = [];
  const books = await deployment.books();
  try {
    hooks.restore();
    // Failed deliveries wait for minutes; an owner who resumes the webhook does not.
    await setAll("paused");
    await setAll("active");
    // As of this moment: new alerts keep coming while they are delivered.
    const all = await Promise.all(made.map(({ position }) => newsAfter(books.store, position)));
    for (const [hook, { name }] of made.entries()) {
      const wanted = all[hook] ?? [];
      await gotAll(name, hooks, wanted.length);
      const got = [...new Set(hooks.taken(name))];
      const at = wanted.findIndex((id, index) => got[index] !== id);
      if (at >= 0) errors.push(`${name} got ${got[at]} in place of ${wanted[at]}, at ${at}`);
    }
    await setAll("paused");
    await eventually(async () => {
      const rows = await books.store.database.read.all<{ delivered: number }>(
        sql`SELECT delivered FROM webhook WHERE account_id = ${accountId}`,
      );
      const owed = rows.reduce((sum, { delivered }) => sum + Math.ceil(delivered / WEBHOOK_PRICE.events), 0);
      return owed * WEBHOOK_PRICE.credits === (await chargedFor(books.store, accountId));
    }, "each hundred events was paid once");
  } catch (error) {
    errors.push(`webhooks: ${error instanceof Error ? error.message : error}`);
  } finally {
    await books.close();
  }
  return errors;
}

/** One by one they take a while; what counts is that they keep coming. */
async function gotAll(name: string, hooks: Hooks, count: number): Promise<void> {
  const size = () => new Set(hooks.taken(name)).size;
  while (size() < count) {
    const before = size();
    await eventually(() => size() > before, `more than ${before} of ${count} alerts came to ${name}`);
  }
}

async function call<T>(
  deployment: Deployment,
  { secret }: Pick<HookedAccount, "secret">,
  path: string,
  method: string,
  body: object,
): Promise<T> {
  const response = await fetch(`${deployment.nodes[0]?.url}/v2/webhooks${path}`, {
    method,
    keepalive: false,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
