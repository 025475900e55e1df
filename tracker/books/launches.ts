// Tokens' origins: when they launched, who created them, and when they left their launch pad. Stored with the token, and looked
// up again with backoff while any of it is unknown.
import type { Queries } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { DAY_MS, MINUTE_MS } from "../../kit/units.ts";
import type { Launch, LaunchAnswer } from "../chain.ts";

export interface KeptLaunch extends Launch {
  tries: number;
  /** When to ask again; null: never. */
  askAt: number | null;
}

/** Retried after two minutes, then with the interval doubled each time. */
const FIRST_MS = MINUTE_MS;
const LAST_MS = 7 * DAY_MS;
/** How often to check whether a token has left its launch pad. */
const PAD_MS = 10 * MINUTE_MS;

/** The stored state after an answer. Known facts stay known, even if a node has forgotten them. */
export function launchAfter(before: KeptLaunch, answer: LaunchAnswer, nowMs: number): KeptLaunch {
  const tries = answer.again === "later" ? before.tries + 1 : 0;
  const restMs = answer.again === "pad" ? PAD_MS : Math.min(LAST_MS, FIRST_MS * 2 ** Math.min(tries, 16));
  return {
    launchedAt: answer.launchedAt ?? before.launchedAt,
    deployer: answer.deployer ?? before.deployer,
    graduatedAt: answer.graduatedAt ?? before.graduatedAt,
    tries,
    askAt: answer.again === "never" ? null : nowMs + restMs,
  };
}

export async function saveLaunch(
  tx: Queries,
  { chainId, token }: { chainId: number; token: string },
  { launchedAt, deployer, graduatedAt, tries, askAt }: KeptLaunch,
): Promise<void> {
  await tx.run(
    sql`UPDATE tracker_token SET launched_at = ${launchedAt}, deployer = ${deployer}, graduated_at = ${graduatedAt},
        launch_tries = ${tries}, launch_ask_at = ${askAt}
      WHERE chain_id = ${chainId} AND token = ${token}`,
  );
}
