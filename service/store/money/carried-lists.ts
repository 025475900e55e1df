// Lists being transferred from the explorer to a chat, by their codes. The oldest are evicted.
import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

export async function keepList(
  database: Database,
  { code, body, at }: { code: string; body: string; at: number },
  { before, listsMax }: { before: number; listsMax: number },
): Promise<void> {
  await database.write(async (tx) => {
    await tx.run(sql`DELETE FROM carried_list WHERE created_at < ${before}`);
    await tx.run(
      sql`DELETE FROM carried_list WHERE code IN
        (SELECT code FROM carried_list ORDER BY created_at DESC, code LIMIT 1000 OFFSET ${listsMax - 1})`,
    );
    await tx.run(sql`INSERT INTO carried_list (code, body, created_at) VALUES (${code}, ${body}, ${at})`);
  });
}

export async function listOfCode(database: Database, code: string, after: number): Promise<string | null> {
  const row = await database.read.one<{ body: string }>(
    sql`SELECT body FROM carried_list WHERE code = ${code} AND created_at >= ${after}`,
  );
  return row?.body ?? null;
}
