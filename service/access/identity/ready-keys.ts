// A ready key of each plan for the simulator, so that a newcomer's first call works. They are kept in a file
// that only its owner may read, and are the same after a restart.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../../../contract/errors.ts";
import { PLAN_NAMES, type PlanName } from "../../../contract/plans.ts";
import type { Grants } from "../ledger/grants.ts";
import type { Identifier } from "./identify.ts";
import { looksValid } from "./key-format.ts";
import type { Keys } from "./keys.ts";

/** What they are made and checked with. */
interface KeyMaking extends Pick<Identifier, "identifyKey"> {
  grants: Pick<Grants, "openAccount" | "payForPlan">;
  keys: Pick<Keys, "create">;
}

export type ReadyKeys = Record<PlanName, string>;

const FILE_NAME = "ready-keys.json";
/** The demo plans renew for a century without payment. */
const DEMO_MONTHS = 1_200;

export async function ensureReadyKeys(dataFolder: string, access: KeyMaking): Promise<ReadyKeys> {
  const file = join(dataFolder, FILE_NAME);
  const kept = readKept(file);
  const ready: Partial<ReadyKeys> = {};
  for (const plan of PLAN_NAMES) {
    const secret = kept[plan];
    ready[plan] = secret && (await works(access, secret, plan)) ? secret : await makeKey(access, plan);
  }
  const complete = ready as ReadyKeys;
  if (PLAN_NAMES.some((plan) => kept[plan] !== complete[plan])) writeKept(file, complete);
  return complete;
}

async function works(access: KeyMaking, secret: string, plan: PlanName): Promise<boolean> {
  try {
    return (await access.identifyKey(secret)).plan === plan;
  } catch (error) {
    // An unavailable store says nothing about a key.
    if (error instanceof Fault && error.code === "unauthorized") return false;
    throw error;
  }
}

async function makeKey(access: KeyMaking, plan: PlanName): Promise<string> {
  const account = await access.grants.openAccount(`${plan}@demo.invalid`);
  if (plan !== "free") {
    const reference = `ready:${account.id}`;
    await access.grants.payForPlan({ accountId: account.id, plan, reference, months: DEMO_MONTHS });
  }
  const made = await access.keys.create({ accountId: account.id, name: `ready ${plan}`, mode: "test" });
  return made.secret;
}

function readKept(file: string): Partial<ReadyKeys> {
  if (!existsSync(file)) return {};
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    const valid = PLAN_NAMES.flatMap((plan) => {
      const secret = kept[plan];
      return typeof secret === "string" && looksValid(secret) ? [[plan, secret] as const] : [];
    });
    return Object.fromEntries(valid);
  } catch {
    // Truncated or edited by hand: new keys are created and the file is rewritten.
    return {};
  }
}

function writeKept(file: string, keys: ReadyKeys): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
