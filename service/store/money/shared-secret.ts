// A secret by name, created by whichever node asks first; every node gets the same one.
import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

export async function sharedSecret(
  database: Database,
  name: string,
  fresh: { value: string; at: number },
): Promise<string> {
  return database.write(async (tx) => {
    await tx.run(
      sql`INSERT INTO shared_secret (name, value, created_at) VALUES (${name}, ${fresh.value}, ${fresh.at})
        ON CONFLICT (name) DO NOTHING`,
    );
    const row = await tx.one<{ value: string }>(sql`SELECT value FROM shared_secret WHERE name = ${name}`);
    return row?.value ?? fresh.value;
  });
}
