// `crowdtape key create|list|revoke`: the operator's hand on keys, while the server runs or not.
import { parseArgs } from "node:util";
import { PLAN_NAMES, type PlanName } from "../../contract/plans.ts";
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
  const { values } = parse(argv, {
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
  const prepaid = numberOf("--prepaid", values.prepaid, 1, 1_000_000_000_000);
  const daysAgo = numberOf("--created-days-ago", values["created-days-ago"], 0, 36_500);
  const requestsPerMinute = numberOf("--requests-per-minute", values["requests-per-minute"], 1, 1_000_000);
  const monthlyCap = numberOf("--monthly-cap", values["monthly-cap"], 1, 1_000_000_000);

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
  const { values } = parse(argv, { json: { type: "boolean" } });
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
  const { positionals } = parse(argv, {}, true);
  const [id] = positionals;
  if (!id)
    throw new CommandRefused("Say which key by its id: crowdtape key revoke key_… (see crowdtape key list)");
  await atTheDesk(async ({ access }) => {
    const ended = await access.keys.revokeAny(id).catch((problem) => {
      throw new CommandRefused(problem instanceof Error ? problem.message : String(problem));
    });
    console.log(`${ended.id} is revoked. Every node refuses it within five seconds.`);
  });
}

function planOf(text: string | undefined): PlanName {
  const plan = PLAN_NAMES.find((name) => name === text);
  if (!plan) throw new CommandRefused(`--plan must be one of ${PLAN_NAMES.join(", ")}`);
  return plan;
}

function numberOf(name: string, text: string | undefined, low: number, high: number): number | null {
  if (text === undefined) return null;
  const number = /^\d{1,13}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= low && number <= high))
    throw new CommandRefused(`${name} must be a whole number from ${low} to ${high}`);
  return number;
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>["options"];

function parse<const O extends NonNullable<Options>>(argv: string[], options: O, allowPositionals = false) {
  try {
    return parseArgs({ args: argv, options, allowPositionals, strict: true });
  } catch (problem) {
    throw new CommandRefused(problem instanceof Error ? problem.message : String(problem));
  }
}
