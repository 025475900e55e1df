// PostgreSQL's own programs do the copying: pg_dump reads all tables in one snapshot, pg_restore writes them in one
// transaction. The password goes through the environment: a command line is visible to anyone who can list processes.
import { Refused } from "../../../client/cli/refused.ts";
import { tablesOf } from "../../../database/catalog.ts";
import { openDatabase } from "../../../database/open.ts";
import { environmentWith } from "../../config.ts";

export function dumpPostgres(url: string, file: string): Promise<void> {
  return run("pg_dump", url, [
    "--format=custom",
    // The archive is compressed as a whole.
    "--compress=0",
    "--no-owner",
    "--no-privileges",
    `--file=${file}`,
  ]);
}

export function restorePostgres(url: string, file: string): Promise<void> {
  return run("pg_restore", url, [
    "--single-transaction",
    "--exit-on-error",
    "--no-owner",
    "--no-privileges",
    file,
  ]);
}

export async function refuseUnlessUnused(url: string): Promise<void> {
  const database = await openDatabase({ url });
  const tables = await tablesOf(database.read).finally(() => database.close());
  if (tables.length > 0)
    throw new Refused(
      `The database of DATABASE_URL is not empty: it has the table ${tables[0]?.name}. Restore into a new database, so that nothing is mixed or lost.`,
    );
}

async function run(program: string, url: string, words: string[]): Promise<void> {
  if (!Bun.which(program))
    throw new Refused(
      `${program} is not installed here. It comes with PostgreSQL's client programs (Debian: apt-get install postgresql-client).`,
    );
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  const child = Bun.spawn([program, `--dbname=${address.href}`, ...words], {
    env: environmentWith(password === "" ? {} : { PGPASSWORD: password }),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = (await new Response(child.stderr).text()).trim();
  if ((await child.exited) !== 0) throw new Refused(`${program} failed: ${said}`);
}
