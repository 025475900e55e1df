// `crowdtape account show|grant`: shows an account's balance and charges, and grants credits by hand.
import { Refused } from "../../client/cli/refused.ts";
import { wholeNumber } from "../../client/cli/verb.ts";
import { freshUuid } from "../../kit/ids.ts";
import { createAccountData } from "../accounts/account-data.ts";
import type { Account } from "../store/money/accounts.ts";
import { atTheDesk, type Desk } from "./operator.ts";

/** As many as fit a screen; the database has the rest. */
const ENTRIES_SHOWN_MAX = 20;
const CREDITS_MAX = 1_000_000_000_000;

export async function showAccount(subject: string, { json }: { json?: boolean }): Promise<void> {
  await atTheDesk(async (desk) => {
    for (const found of await accountsOf(desk, subject)) {
      const { access, store, kit } = desk;
      const keys = await access.keys.list(found.id);
      const data = createAccountData({ database: store.database, clock: kit.clock });
      const entries = (await data.entries(found.id)).slice(0, ENTRIES_SHOWN_MAX);
      if (json) console.log(JSON.stringify({ ...found, keys, entries }));
      else console.log(described(found, keys.length, entries));
    }
  });
}

function described(
  account: Account,
  keys: number,
  entries: readonly { kind: string; credits: number; reference: string | null; at: number }[],
): string {
  const day = (at: number | null) => (at === null ? "no end" : new Date(at).toISOString().slice(0, 10));
  const number = (value: number) => value.toLocaleString("en");
  return [
    `${account.id}  ${account.email}`,
    `  plan ${account.plan}, paid until ${day(account.paidUntil)}, since ${day(account.createdAt)}, ${keys} keys`,
    `  ${number(account.monthlyRemaining)} credits of this month, ${number(account.prepaidRemaining)} prepaid, ${number(account.resolutionsRemaining)} resolutions`,
    ...entries.map(
      (entry) =>
        `  ${new Date(entry.at).toISOString()}  ${entry.kind.padEnd(10)} ${number(entry.credits).padStart(14)}  ${entry.reference ?? ""}`,
    ),
  ].join("\n");
}

export async function grantCredits(
  accountId: string,
  text: string,
  { reference }: { reference?: string },
): Promise<void> {
  const credits = wholeNumber("CREDITS", text, 1, CREDITS_MAX);
  if (credits === undefined) return;
  await atTheDesk(async (desk) => {
    const [found] = await accountsOf(desk, accountId);
    if (!found) return;
    const name = `operator-grant:${reference ?? freshUuid()}`;
    const { applied, account } = await desk.access.grants.addPrepaid({
      accountId: found.id,
      credits,
      reference: name,
    });
    console.log(
      applied
        ? `Given. ${account.prepaidRemaining.toLocaleString("en")} prepaid credits are there now.`
        : "This reference was given before; nothing changed.",
    );
  });
}

async function accountsOf({ access }: Desk, subject: string): Promise<Account[]> {
  const found = subject.includes("@")
    ? await access.grants.accountsOf(subject)
    : [await access.grants.account(subject)].filter((one) => one !== null);
  if (found.length === 0) throw new Refused(`There is no account ${subject}.`);
  return found;
}
