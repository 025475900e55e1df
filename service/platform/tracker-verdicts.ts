// Brings what the operator says of tokens to the tracker that this service runs, so that positions, profits and ranks are judged by
// the same word as boards and balances. Every node may do so: it is the same word.
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import { CHAIN, type Config } from "../config.ts";
import { trackerLocation } from "../foundation.ts";
import type { Store } from "../store/store.ts";

const FOLLOW_EVERY_MS = 5_000;
const VERDICTS_A_PAGE = 500;

/** Nothing is done where somebody else runs the tracker. */
export function followVerdicts(
  config: Pick<Config, "upstream" | "databaseUrl" | "dataFolder">,
  store: Pick<Store, "verdicts">,
  { clock, log }: Pick<Kit, "clock" | "log">,
  onClose: (close: () => Promise<void>) => void,
): void {
  if (config.upstream !== CHAIN) return;
  let seen = 0;
  let books: Database | null = null;
  const open = async () => {
    const { BOOKS } = await import("../../tracker/books/schema.ts");
    const database = await openDatabase(trackerLocation(config));
    // The tracker may not have come so far yet.
    await migrate(database, clock.now(), BOOKS);
    return database;
  };
  const loop = createLoop({
    failure: "verdicts did not reach the tracker",
    everyMs: FOLLOW_EVERY_MS,
    clock,
    log,
    async round(signal) {
      const { saveVerdicts } = await import("../../tracker/books/verdicts.ts");
      for (let more = true; more && !signal.aborted; ) {
        const page = await store.verdicts.changedAfter(seen, VERDICTS_A_PAGE);
        const said = page.rows.map(({ address, networkId, verdict }) => ({
          chainId: networkId,
          token: address,
          verdict,
        }));
        // Most operators never say anything.
        if (said.length > 0) {
          books ??= await open();
          await books.write((tx) => saveVerdicts(tx, said));
        }
        [seen, more] = [page.version, page.more];
      }
    },
  });
  loop.start();
  onClose(async () => {
    await loop.stop();
    await books?.close();
  });
}
