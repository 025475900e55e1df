// `crowdtape key create|list|revoke`: the operator manages keys, whether or not the server is running.

import { Refused } from "../../client/cli/refused.ts";
import { wholeNumber } from "../../client/cli/verb.ts";
import { Fault } from "../../contract/errors.ts";
import { PLAN_NAMES, type PlanName } from "../../contract/plans.ts";
import { DAY_MS } from "../../kit/units.ts";
import { atTheDesk } from "./operator.ts";

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

interface NewKeyOptions {
  plan?: string;
  email?: string;
  name?: string;
  prepaid?: string;
  "created-days-ago"?: string;
  "requests-per-minute"?: string;
  "monthly-cap"?: string;
  test?: boolean;
  json?: boolean;
}

export async function createKey(values: NewKeyOptions): Promise<void> {
  const plan = planOf(values.plan);
  const email = values.email ?? "";
  if (!EMAIL.test(email)) throw new Refused("--email must be an e-mail address, such as --email a@b.example");
  const numberOf = (name: Exclude<keyof NewKeyOptions, "test" | "json">, low: number, high: number) =>
    wholeNumber(`--${name}`, values[name], low, high) ?? null;
  const prepaid = numberOf("prepaid", 1, 1_000_000_000_000);
  const daysAgo = numberOf("created-days-ago", 0, 36_500);
  const requestsPerMinute = numberOf("requests-per-minute", 1, 1_000_000);
  const monthlyCap = numberOf("monthly-cap", 1, 1_000_000_000);

  await atTheDesk(async ({ access, kit }) => {
    const createdAt = kit.clock.now() - (daysAgo ?? 0) * DAY_MS;
    const account = await access.grants.openAccount(email, createdAt);
    const { id: accountId } = account;
    if (plan !== "free")
      await access.grants.payForPlan({ accountId, plan, reference: `operator:${accountId}` });
    if (prepaid !== null) {
      await access.grants.addPrepaid({
        accountId,
        credits: prepaid,
        reference: `operator-prepaid:${accountId}`,
      });
    }
    const made = await access.keys.create({
      accountId,
      name: values.name ?? null,
      mode: values.test ? "test" : "live",
      monthlyCap,
      requestsPerMinute,
      createdAt,
    });
    if (values.json) {
      const { id } = made.key;
      const shown = {
        key: made.secret,
        id,
        accountId,
        plan,
        email,
        prepaid: prepaid ?? 0,
        requestsPerMinute,
      };
      console.log(JSON.stringify({ ...shown, createdAt: new Date(createdAt).toISOString() }));
    } else {
      console.log(
        `${made.secret}\n\n${plan} key ${made.key.id} for ${email}. This is the only time it is shown.`,
      );
    }
  });
}

export async function listKeys({ json }: { json?: boolean }): Promise<void> {
  await atTheDesk(async ({ access, kit }) => {
    const rows = (await access.keys.listAll()).map(({ key, email, plan }) => ({
      id: key.id,
      hint: key.hint,
      plan,
      email,
      name: key.name,
      createdAt: new Date(key.createdAt).toISOString(),
      works: key.endsAt === null || kit.clock.now() < key.endsAt,
    }));
    if (json) return console.log(JSON.stringify({ count: rows.length, keys: rows }));
    if (rows.length === 0)
      return console.log(
        "There are no keys yet. Make one with: crowdtape key create --plan free --email a@b.example",
      );
    for (const row of rows) {
      const state = row.works ? "works  " : "revoked";
      console.log(
        [row.id, row.hint, state, row.plan.padEnd(7), row.email, row.name ?? ""].join("  ").trimEnd(),
      );
    }
  });
}

export async function revokeKey(id: string): Promise<void> {
  await atTheDesk(async ({ access }) => {
    const ended = await access.keys.revokeAny(id).catch((error) => {
      throw error instanceof Fault ? new Refused(`${error.message} See crowdtape key list.`) : error;
    });
    console.log(`${ended.id} is revoked. Every node refuses it within five seconds.`);
  });
}

function planOf(text: string | undefined): PlanName {
  const plan = PLAN_NAMES.find((name) => name === text);
  if (!plan) throw new Refused(`--plan must be one of ${PLAN_NAMES.join(", ")}`);
  return plan;
}
