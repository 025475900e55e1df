// Many accounts with a key each and unlimited calls: created in a few transactions, because a thousand separate ones take as
// many disk flushes.
import { writeFileSync } from "node:fs";
import type { Database } from "../../database/database.ts";
import { secureBase62 } from "../../kit/base62.ts";
import { hashOfSecret, hintOf, mintSecret } from "../../service/access/identity/key-format.ts";
import { freshAccount } from "../../service/access/ledger/renewal.ts";
import { insertAccount } from "../../service/store/money/accounts.ts";
import { insertKey, type Key } from "../../service/store/money/keys.ts";
import { insertEntries } from "../../service/store/money/ledger.ts";

const UNLIMITED_PER_MINUTE = 1_000_000_000;
const PREPAID = 1e12;
const PER_TRANSACTION_MAX = 500;

/** The secrets of this many accounts' keys. */
export async function makeCrowd(database: Database, count: number, now: number): Promise<string[]> {
  const secrets: string[] = [];
  while (secrets.length < count) {
    const some = Math.min(PER_TRANSACTION_MAX, count - secrets.length);
    await database.write(async (tx) => {
      for (let n = 0; n < some; n++) {
        const accountId = `acc_${secureBase62(12)}`;
        const { account, entries } = freshAccount(accountId, "bench@example.com", now);
        await insertAccount(tx, { ...account, prepaidRemaining: PREPAID });
        const paid = { kind: "prepaid", credits: PREPAID, resolutions: 0, reference: null, at: now } as const;
        await insertEntries(tx, accountId, [...entries, paid]);
        const secret = mintSecret("live");
        const id = `key_${secureBase62(12)}`;
        const key: Key = {
          id,
          accountId,
          name: "bench",
          mode: "live",
          hint: hintOf(secret),
          lineage: id,
          createdAt: now,
          monthlyCap: null,
          capUsed: 0,
          capPeriodStart: 0,
          requestsPerMinute: UNLIMITED_PER_MINUTE,
          endsAt: null,
          endedBy: null,
        };
        await insertKey(tx, key, hashOfSecret(secret));
        secrets.push(secret);
      }
    });
  }
  return secrets;
}

/** For wrk and for peers: one key per line. */
export function writeKeys(file: string, secrets: readonly string[]): string {
  writeFileSync(file, `${secrets.join("\n")}\n`);
  return file;
}
