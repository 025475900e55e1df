// The roster: the followed traders and their wallets. A trader keeps the same id when the handle changes; a removed trader is
// no longer followed, but stays in the books.
import type { Database, Queries } from "../../database/database.ts";
import { list, sql } from "../../database/sql.ts";
import { derivedUuid, freshUuid } from "../../kit/ids.ts";
import { forgetBackfills } from "./backfill-marks.ts";
import type { RosterEntry } from "./file.ts";

export interface RosterTrader {
  userId: string;
  handle: string;
  displayName: string;
  formerHandles: string[];
  addedAt: number;
  solana: string[];
  evm: string[];
  bio: string | null;
  x: string | null;
  picture: string | null;
}

export interface ImportReport {
  added: number;
  changed: number;
  unchanged: number;
}

interface TraderRow {
  user_id: string;
  handle: string;
  display_name: string;
  former_handles: string;
  added_at: number;
  bio: string | null;
  x: string | null;
  picture: string | null;
}

interface WalletRow {
  address: string;
  family: "solana" | "evm";
  user_id: string;
}

const VERSION = "roster_version";
const ROSTER_ID = "roster_id";

/** Identifies the owner of the feed positions; created on first use of these tables. */
export async function rosterId(database: Database): Promise<string> {
  return database.write(async (tx) => {
    await tx.run(
      sql`INSERT INTO tracker_meta (name, value) VALUES (${ROSTER_ID}, ${freshUuid()}) ON CONFLICT (name) DO NOTHING`,
    );
    const row = await tx.one<{ value: string }>(
      sql`SELECT value FROM tracker_meta WHERE name = ${ROSTER_ID}`,
    );
    return row?.value ?? "";
  });
}

/** Changes with every roster change, so that a running tracker notices changes by another process. */
export async function rosterVersion(queries: Queries): Promise<string> {
  const row = await queries.one<{ value: string }>(
    sql`SELECT value FROM tracker_meta WHERE name = ${VERSION}`,
  );
  return row?.value ?? "";
}

/** Oldest first; the currently followed traders. */
export async function readRoster(queries: Queries): Promise<RosterTrader[]> {
  const traders = await queries.all<TraderRow>(
    sql`SELECT user_id, handle, display_name, former_handles, added_at, bio, x, picture FROM tracker_trader
      WHERE removed_at IS NULL ORDER BY added_at, user_id`,
  );
  const wallets = await queries.all<WalletRow>(
    sql`SELECT address, family, user_id FROM tracker_wallet ORDER BY place, address`,
  );
  const byUser = Map.groupBy(wallets, (wallet) => wallet.user_id);
  return traders.map((row) => ({
    userId: row.user_id,
    handle: row.handle,
    displayName: row.display_name,
    formerHandles: JSON.parse(row.former_handles),
    addedAt: row.added_at,
    solana: addressesOf(byUser.get(row.user_id), "solana"),
    evm: addressesOf(byUser.get(row.user_id), "evm"),
    bio: row.bio,
    x: row.x,
    picture: row.picture,
  }));
}

function addressesOf(wallets: WalletRow[] | undefined, family: string): string[] {
  return (wallets ?? []).filter((wallet) => wallet.family === family).map((wallet) => wallet.address);
}

/** All or nothing. Traders not listed stay as they are. */
export function importRoster(
  database: Database,
  entries: readonly RosterEntry[],
  now: number,
): Promise<ImportReport> {
  return database.write(async (tx) => {
    const report: ImportReport = { added: 0, changed: 0, unchanged: 0 };
    for (const entry of entries) report[await put(tx, entry, now)] += 1;
    if (report.added + report.changed > 0) await moved(tx);
    return report;
  });
}

async function put(tx: Queries, entry: RosterEntry, now: number): Promise<keyof ImportReport> {
  const wallets = [...entry.solana, ...entry.evm];
  const known = await whoIs(tx, entry.handle, wallets);
  const userId = known?.user_id ?? derivedUuid("trader", entry.handle.toLowerCase());
  const before = known ? await walletsOf(tx, userId) : [];
  const { bio = known?.bio ?? null, x = known?.x ?? null, picture = known?.picture ?? null } = entry;
  const isSame =
    known !== null &&
    [bio, x, picture].every((part, at) => part === [known.bio, known.x, known.picture][at]) &&
    known.removed_at === null &&
    known.handle === entry.handle &&
    known.display_name === entry.displayName &&
    [...before].sort().join() === [...wallets].sort().join();
  if (isSame) return "unchanged";
  const former: string[] = known ? JSON.parse(known.former_handles) : [];
  const isRenamed = known !== null && known.handle.toLowerCase() !== entry.handle.toLowerCase();
  if (isRenamed) former.unshift(known.handle);
  const formerHandles = JSON.stringify(former.filter((handle) => handle !== entry.handle).slice(0, 100));
  await tx.run(
    sql`INSERT INTO tracker_trader
        (user_id, handle, display_name, former_handles, added_at, removed_at, bio, x, picture)
      VALUES (${userId}, ${entry.handle}, ${entry.displayName}, ${formerHandles}, ${now}, NULL, ${bio}, ${x}, ${picture})
      ON CONFLICT (user_id) DO UPDATE SET handle = excluded.handle, display_name = excluded.display_name,
        former_handles = excluded.former_handles, removed_at = NULL,
        bio = excluded.bio, x = excluded.x, picture = excluded.picture`,
  );
  await tx.run(
    sql`INSERT INTO tracker_handle (handle_key, user_id) VALUES (${entry.handle.toLowerCase()}, ${userId})
      ON CONFLICT (handle_key) DO UPDATE SET user_id = excluded.user_id`,
  );
  const hadAll = wallets.every((wallet) => before.includes(wallet));
  if (known !== null && !hadAll) await forgetBackfills(tx, userId);
  const gone = before.filter((wallet) => !wallets.includes(wallet));
  if (gone.length > 0) await tx.run(sql`DELETE FROM tracker_wallet WHERE address IN (${list(gone)})`);
  for (const [place, address] of wallets.entries()) {
    const family = address.startsWith("0x") ? "evm" : "solana";
    await tx.run(
      sql`INSERT INTO tracker_wallet (address, family, user_id, place, added_at)
        VALUES (${address}, ${family}, ${userId}, ${place}, ${now})
        ON CONFLICT (address) DO UPDATE SET user_id = excluded.user_id, place = excluded.place`,
    );
  }
  return known === null ? "added" : "changed";
}

interface KnownRow extends TraderRow {
  removed_at: number | null;
}

/** By handle, else by any of the wallets: a trader with a new handle is still the same. */
async function whoIs(tx: Queries, handle: string, wallets: readonly string[]): Promise<KnownRow | null> {
  const byHandle = await tx.one<KnownRow>(
    sql`SELECT t.* FROM tracker_handle h JOIN tracker_trader t ON t.user_id = h.user_id
      WHERE h.handle_key = ${handle.toLowerCase()}`,
  );
  if (byHandle) return byHandle;
  return tx.one<KnownRow>(
    sql`SELECT t.* FROM tracker_wallet w JOIN tracker_trader t ON t.user_id = w.user_id
      WHERE w.address IN (${list(wallets)}) LIMIT 1`,
  );
}

async function walletsOf(tx: Queries, userId: string): Promise<string[]> {
  const rows = await tx.all<{ address: string }>(
    sql`SELECT address FROM tracker_wallet WHERE user_id = ${userId}`,
  );
  return rows.map((row) => row.address);
}

/** The handle prefix for wallets that visitors added; an operator can rename them later. */
const VISITED = "wallet_";

/** A wallet without a name. It never changes an already followed trader, and visitors' wallets are limited. */
export function addWallet(
  database: Database,
  wallet: string,
  { now, walletsMax }: { now: number; walletsMax: number },
): Promise<{ handle: string; outcome: "added" | "known" | "full" }> {
  return database.write(async (tx) => {
    const handle = `${VISITED}${derivedUuid("wallet", wallet).slice(0, 13).replace("-", "")}`;
    const known = await whoIs(tx, handle, [wallet]);
    if (known?.removed_at === null) return { handle: known.handle, outcome: "known" };
    const row = await tx.one<{ n: number }>(
      sql`SELECT COUNT(*) AS n FROM tracker_trader WHERE removed_at IS NULL AND handle LIKE ${`${VISITED}%`}`,
    );
    if ((row?.n ?? 0) >= walletsMax) return { handle, outcome: "full" };
    const shown = `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;
    const isEvm = wallet.startsWith("0x");
    const entry = { handle, displayName: shown, solana: isEvm ? [] : [wallet], evm: isEvm ? [wallet] : [] };
    await put(tx, entry, now);
    await moved(tx);
    return { handle, outcome: "added" };
  });
}

/** Returns the handles that no trader has. */
export function removeTraders(
  database: Database,
  handles: readonly string[],
  now: number,
): Promise<string[]> {
  return database.write(async (tx) => {
    const unknown: string[] = [];
    for (const handle of handles) {
      const known = await whoIs(tx, handle.replace(/^@/, ""), []);
      if (!known || known.removed_at !== null) {
        unknown.push(handle);
        continue;
      }
      await tx.run(sql`UPDATE tracker_trader SET removed_at = ${now} WHERE user_id = ${known.user_id}`);
      await tx.run(sql`DELETE FROM tracker_wallet WHERE user_id = ${known.user_id}`);
    }
    if (unknown.length < handles.length) await moved(tx);
    return unknown;
  });
}

async function moved(tx: Queries): Promise<void> {
  await tx.run(
    sql`INSERT INTO tracker_meta (name, value) VALUES (${VERSION}, ${freshUuid()})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
}
