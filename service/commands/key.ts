// `crowdtape key create|list|revoke`: the operator's hand on keys, while the server runs or not.
import { Fault } from "../../contract/errors.ts";
import { PLAN_NAMES, type PlanName } from "../../contract/plans.ts";
import { readArguments, wholeNumberOf } from "./arguments.ts";
import { atTheDesk } from "./operator.ts";
import { CommandRefused } from "./run.ts";

const DAY_MS = 86_400_000;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

export async function key(argv: string[]): Promise<void> {
  const [verb, ...rest] = argv;
  if (verb === "create") return create(rest);
  if (verb === "list") return list(rest);
  if (verb === "revoke") return revoke(rest);
  throw new CommandRefused("Say what to do: crowdtape key create | list | revoke");
}

async function create(argv: string[]): Promise<void> {
  const { values } = readArguments(argv, {
    plan: { type: "string" },
    email: { type: "string" },
    name: { type: "string" },
    prepaid: { type: "string" },
    "created-days-ago": { type: "string" },
    "requests-per-minute": { type: "string" },
    "monthly-cap": { type: "string" },
    test: { type: "boolean" },
    json: { type: "boolean" },
  });
  const plan = planOf(values.plan);
  const email = values.email ?? "";
  if (!EMAIL.test(email))
    throw new CommandRefused("--email must be an e-mail address, such as --email a@b.example");
  const prepaid = wholeNumberOf("--prepaid", values.prepaid, 1, 1_000_000_000_000);
  const daysAgo = wholeNumberOf("--created-days-ago", values["created-days-ago"], 0, 36_500);
  const requestsPerMinute = wholeNumberOf(
    "--requests-per-minute",
    values["requests-per-minute"],
    1,
    1_000_000,
  );
  const monthlyCap = wholeNumberOf("--monthly-cap", values["monthly-cap"], 1, 1_000_000_000);

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

async function list(argv: string[]): Promise<void> {
  const { values } = readArguments(argv, { json: { type: "boolean" } });
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
    if (values.json) return console.log(JSON.stringify({ count: rows.length, keys: rows }));
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

async function revoke(argv: string[]): Promise<void> {
  const { positionals } = readArguments(argv, {}, true);
  const [id] = positionals;
  if (!id || positionals.length > 1)
    throw new CommandRefused("Say which key by its id: crowdtape key revoke key_… (see crowdtape key list)");
  await atTheDesk(async ({ access }) => {
    const ended = await access.keys.revokeAny(id).catch((problem) => {
      throw problem instanceof Fault
        ? new CommandRefused(`${problem.message} See crowdtape key list.`)
        : problem;
    });
    console.log(`${ended.id} is revoked. Every node refuses it within five seconds.`);
  });
}

function planOf(text: string | undefined): PlanName {
  const plan = PLAN_NAMES.find((name) => name === text);
  if (!plan) throw new CommandRefused(`--plan must be one of ${PLAN_NAMES.join(", ")}`);
  return plan;
}
