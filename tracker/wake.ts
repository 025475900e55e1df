// Providers that watch addresses for free may call here when one of them moved. A call is only a hint where to look: the reader
// checks for itself and trusts nothing in it, so a forged, repeated or lost call does no harm.
import { readBody } from "../kit/body.ts";
import { normaliseAddress } from "../protocol/values.ts";
import type { RosterTrader } from "./roster/roster.ts";
import { sameText } from "./same-text.ts";

export const WAKE_PATH = "/tracker/wake/:provider";
export const WAKE_PROVIDERS = ["helius", "alchemy", "quicknode", "moralis"] as const;
export type WakeProvider = (typeof WAKE_PROVIDERS)[number];

/** The header that each provider sends or can be configured to send. */
const WAKE_HEADERS: Record<WakeProvider, string> = {
  helius: "authorization",
  alchemy: "x-wake-secret",
  quicknode: "x-wake-secret",
  moralis: "x-wake-secret",
};

const BODY_BYTES_MAX = 2 * 1024 * 1024;
const WALLETS_MAX = 1_000;
/** Deep enough for every provider's format. */
const DEPTH_MAX = 12;

export interface WakeParts {
  secret: string | null;
  isWatched(wallet: string): boolean;
  wake(wallets: readonly string[]): void;
}

export async function answerWake(request: Request, provider: string, parts: WakeParts): Promise<Response> {
  const known = WAKE_PROVIDERS.find((each) => each === provider);
  if (!known || parts.secret === null) return Response.json({ error: "unknown_path" }, { status: 404 });
  if (request.method !== "POST")
    return Response.json({ error: "bad_method" }, { status: 405, headers: { allow: "POST" } });
  const given = request.headers.get(WAKE_HEADERS[known]) ?? request.headers.get("x-wake-secret") ?? "";
  if (!sameText(given.replace(/^Bearer /, ""), parts.secret))
    return Response.json({ error: "unauthorized" }, { status: 401 });
  const read = await readBody(request, BODY_BYTES_MAX);
  if (read.kind !== "whole") return Response.json({ error: "too_large" }, { status: 413 });
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(read.bytes));
  } catch {
    return Response.json({ error: "bad_input" }, { status: 400 });
  }
  const wallets = [...addressesIn(body)].filter(parts.isWatched).slice(0, WALLETS_MAX);
  if (wallets.length > 0) parts.wake(wallets);
  return Response.json({ woken: wallets.length });
}

/** Collects every address anywhere in it: each provider has its own format, and all that matters is which are ours. */
function addressesIn(value: unknown, depth = 0, found: Set<string> = new Set()): Set<string> {
  if (depth > DEPTH_MAX) return found;
  if (typeof value === "string") {
    const address = value.length <= 66 ? normaliseAddress(value) : null;
    if (address !== null) found.add(address);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      addressesIn(key, depth + 1, found);
      addressesIn(part, depth + 1, found);
    }
  }
  return found;
}

/** Labels for the operator's instructions. */
const CHAIN_NAMES = { solana: "Solana", evm: "EVM" } as const;

/** What to register with each provider, and for which chains' wallets. */
const WEBHOOKS: Record<WakeProvider, { what: string; of: readonly ("solana" | "evm")[] }> = {
  helius: { what: "an enhanced or raw webhook (Solana), transaction type ANY", of: ["solana"] },
  alchemy: { what: "an address-activity webhook (EVM)", of: ["evm"] },
  quicknode: { what: "a stream or webhook on wallet activity", of: ["solana", "evm"] },
  moralis: { what: "a stream on wallet addresses (EVM)", of: ["evm"] },
};

export function wakeInstructions(
  provider: WakeProvider,
  baseUrl: string,
  traders: readonly Pick<RosterTrader, "solana" | "evm">[],
  hasSecret: boolean,
): string {
  const url = `${baseUrl.replace(/\/+$/, "")}/tracker/wake/${provider}`;
  const header = WAKE_HEADERS[provider];
  const { what, of } = WEBHOOKS[provider];
  const wallets = traders.flatMap((trader) => of.flatMap((chain) => trader[chain])).length;
  return [
    `Register ${what} with ${provider}:`,
    `  URL      ${url}`,
    `  header   ${header}: the value of TRACKER_WAKE_SECRET${hasSecret ? "" : ", which is not set yet: until it is, nobody can wake the tracker"}`,
    `  address  the ${of.map((chain) => CHAIN_NAMES[chain]).join(" and ")} wallets of the roster, ${wallets} now (crowdtape roster export lists them)`,
    "The webhook only wakes the reader; what happened is read from the chain.",
  ].join("\n");
}
