// A new epoch for a log that went back in time, as after restoring an older backup: its next positions were already used
// for other events, so a client that resumes from one of those must learn that it is gone.

import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { freshUuid } from "../../../kit/ids.ts";

export async function renewEpoch(database: Database): Promise<{ epoch: string; seq: number } | null> {
  return database.write((tx) =>
    tx.one(sql`UPDATE log_head SET epoch = ${freshUuid()} WHERE id = 1 RETURNING epoch, seq`),
  );
}
