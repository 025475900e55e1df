// Delivers the operator's verdicts on tokens to the tracker that this service follows, so that positions, profits and ranks
// use the same verdicts as boards and balances: into its books if this service runs it, over the wire if it runs separately
// and both share a secret. Any node may do so: the verdicts are the same.
import type { Database } from "../../database/database.ts";
import { migrate } from "../../database/migrate.ts";
import { openDatabase } from "../../database/open.ts";
import { readBody } from "../../kit/body.ts";
import type { Kit } from "../../kit/kit.ts";
import { createLoop } from "../../kit/loop.ts";
import { SECOND_MS } from "../../kit/units.ts";
import type { SaidOfToken } from "../../tracker/books/verdicts.ts";
import { SECRET_HEADER, VERDICTS_MAX, VERDICTS_PATH } from "../../tracker/judged.ts";
import { CHAIN, type Config, SIMULATOR } from "../config.ts";
import { trackerLocation } from "../foundation.ts";
import type { Store } from "../store/store.ts";
import { readBaseUrl } from "../upstream/address.ts";

const FOLLOW_EVERY_MS = 5 * SECOND_MS;
const ANSWER_MS_MAX = 10 * SECOND_MS;
const ANSWER_BYTES_MAX = 4_096;

type VerdictsConfig = Pick<Config, "upstream" | "databaseUrl" | "dataFolder"> & {
  tracker: Pick<Config["tracker"], "secret">;
};

interface Delivery {
  /** Returns a text that stays the same as long as the same books receive it. */
  deliver(said: readonly SaidOfToken[]): Promise<string>;
  close(): Promise<void>;
}

/** Does nothing if the platform is not a tracker, or is one without a shared secret. */
export function followVerdicts(
  config: VerdictsConfig,
  store: Pick<Store, "verdicts">,
  { clock, log }: Pick<Kit, "clock" | "log">,
  onClose: (close: () => Promise<void>) => void,
): void {
  const { upstream, tracker } = config;
  if (upstream === SIMULATOR || (upstream !== CHAIN && tracker.secret === null)) return;
  const delivery =
    upstream === CHAIN ? toBooks(config, clock.now) : overTheWire(upstream, String(tracker.secret));
  let seen = 0;
  let takenBy: string | null = null;
  const loop = createLoop({
    failure: "verdicts did not reach the tracker",
    everyMs: FOLLOW_EVERY_MS,
    clock,
    log,
    async round(signal) {
      let startedOver = false;
      for (let more = true; more && !signal.aborted; ) {
        const page = await store.verdicts.changedAfter(seen, VERDICTS_MAX);
        // Most operators never give a verdict.
        if (page.version === 0) return;
        const said = page.rows.map(({ address, networkId, verdict }) => ({
          chainId: networkId,
          token: address,
          verdict,
        }));
        const by = await delivery.deliver(said);
        const isOther = takenBy !== null && by !== takenBy;
        takenBy = by;
        // New books have no verdicts yet, so start over. If the books change with every call, as behind a balancer, the rest
        // waits for the next round: this must not loop forever.
        [seen, more] = isOther ? [0, !startedOver] : [page.version, page.more];
        startedOver ||= isOther;
      }
    },
  });
  loop.start();
  onClose(async () => {
    await loop.stop();
    await delivery.close();
  });
}

function toBooks(config: Pick<Config, "databaseUrl" | "dataFolder">, now: () => number): Delivery {
  let books: Database | null = null;
  const open = async () => {
    const { BOOKS } = await import("../../tracker/books/schema.ts");
    const database = await openDatabase(trackerLocation(config));
    // The tracker may not have created its schema yet.
    await migrate(database, now(), BOOKS);
    return database;
  };
  return {
    async deliver(said) {
      if (said.length === 0) return "own";
      const { saveVerdicts } = await import("../../tracker/books/verdicts.ts");
      books ??= await open();
      await books.write((tx) => saveVerdicts(tx, said));
      return "own";
    },
    close: async () => books?.close(),
  };
}

/** Called even without verdicts: the answer reveals whether the tracker has other books now. */
function overTheWire(upstream: string, secret: string): Delivery {
  const { base, headers } = readBaseUrl(upstream);
  return {
    async deliver(said) {
      const response = await fetch(`${base}${VERDICTS_PATH}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", [SECRET_HEADER]: secret },
        body: JSON.stringify(said),
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      });
      if (response.status === 401) throw new Error("the tracker's TRACKER_SECRET is another one");
      if (response.status === 404) throw new Error("the upstream is not a tracker with a TRACKER_SECRET");
      if (response.status !== 200) throw new Error(`the tracker answered ${response.status}`);
      const read = await readBody(response, ANSWER_BYTES_MAX);
      if (read.kind !== "whole") throw new Error("the tracker's answer is too long or was cut");
      return new TextDecoder().decode(read.bytes);
    },
    close: async () => {},
  };
}
