// The ways a call to a node can fail, and what to do about each. Providers don't agree on codes, so the text is checked first
// and the code is the fallback. Messages carry the provider's host name only: URLs of providers contain keys.

/** What the caller should do about a node's error. */
export type RefusalKind =
  /** Too many requests: wait, and slow down from now on. */
  | "rate"
  /** The node's own failure: retry. */
  | "transient"
  /** Ask for fewer blocks. */
  | "range"
  /** The result would be too large: ask for less, this time. */
  | "results"
  /** Name fewer addresses or topics. */
  | "filter"
  /** Send fewer calls in one request. */
  | "batch"
  /** The node has not got that far yet. */
  | "behind"
  /** The node no longer has it; another one may. */
  | "pruned"
  /** The node does not offer this method; another one may. */
  | "unsupported"
  /** The contract reverted: that is an answer. */
  | "reverted"
  /** None of the above. */
  | "wrong";

/** In this order: a message about a range may mention rates and plans, but not the other way round. */
const BY_TEXT: readonly [RefusalKind, RegExp][] = [
  [
    "reverted",
    /revert|out of gas|invalid (?:opcode|jump)|stack (?:under|over)flow|vm exception|gas required/i,
  ],
  ["reverted", /gas (?:uint64 )?overflow|intrinsic gas|execution (?:aborted|error)|always failing/i],
  ["batch", /\bbatch/i],
  ["filter", /(?:max|many).{0,20}(?:topics|addresses)|request (?:body|entity)? ?too large/i],
  ["results", /(?:more than|exceed|too many|limit).{0,30}\b(?:results|logs|response size)|response size/i],
  ["results", /query timeout|\b(?:results|response|logs?)\b.{0,30}(?:too large|too big|exceed|limit)/i],
  ["range", /\branges?\b|too many blocks|blocks? (?:distance|span)|\d+ blocks/i],
  [
    "pruned",
    /prun|missing trie|archiv|histor.{0,40}(?:unavailable|not available)|state.{0,60}not available/i,
  ],
  ["pruned", /no state available|world state unavailable|state .{0,20}discarded|cleaned up|proof window/i],
  ["rate", /rate.?limit|too many requests|slow down|throttl|quota|over rate|request rate|too many calls/i],
  [
    "rate",
    /(?:requests?|calls|compute units|credits|capacity|throughput)\b.*\b(?:limit|exceeded|per second)/i,
  ],
  ["transient", /node is (?:behind|unhealthy)/i],
  ["behind", /header not found|unknown block|not (?:yet )?(?:available for slot|been reached)/i],
  ["behind", /block (?:number )?(?:not found|.{0,20}beyond)|not available yet|beyond (?:current )?head/i],
  ["unsupported", /method.{0,60}(?:not|n't|disabled|unsupported)|unsupported method|no such method/i],
  [
    "unsupported",
    /not (?:supported|allowed|permitted|whitelisted|enabled|offered)|upgrade|paid plan|forbidden/i,
  ],
  ["unsupported", /transaction history is not available|excluded from account secondary indexes/i],
  [
    "transient",
    /time[d ]*.?out|try again|unavailable|temporar|overload|busy|unhealthy|bad gateway|no backend/i,
  ],
  ["transient", /upstream|connection|internal (?:server )?error|cannot fulfill/i],
];

const BY_CODE: Readonly<Record<number, RefusalKind>> = {
  3: "reverted",
  429: "rate",
  [-32601]: "unsupported",
  [-32603]: "transient",
  // Solana's own: block or context not available yet, block cleaned up, node unhealthy, no history or index.
  [-32004]: "behind",
  [-32014]: "behind",
  [-32016]: "behind",
  [-32001]: "pruned",
  [-32010]: "unsupported",
  [-32011]: "unsupported",
};

export function classify(code: number, reason: string): RefusalKind {
  if (code === 429) return "rate";
  const byText = BY_TEXT.find(([, pattern]) => pattern.test(reason))?.[0];
  return byText ?? BY_CODE[code] ?? "wrong";
}

/** A limit stated in the message is a good guess; it must be below the number asked for. */
export function statedLimit(reason: string, asked: number): number | null {
  const numbers = [...reason.matchAll(/(?<![\w.-])(\d[\d,]*)(k)?\b/gi)].map(
    ([, digits = "", thousands]) => Number(digits.replaceAll(",", "")) * (thousands ? 1_000 : 1),
  );
  const fitting = numbers.filter((number) => number >= 1 && number < asked);
  return fitting.length > 0 ? Math.max(...fitting) : null;
}

/** The node answered, and refused this call. Another provider may not; the same one will again. */
export class RpcRefused extends Error {
  readonly kind: RefusalKind;
  constructor(
    readonly method: string,
    readonly code: number,
    readonly reason: string,
    readonly host: string,
    kind?: RefusalKind,
  ) {
    super(`${host} refused ${method}: ${reason} (${code})`);
    this.kind = kind ?? classify(code, reason);
  }
}

/** Why there was no answer: rate limit, timeout, too large a response, or anything else that may pass. */
export type UnavailableKind = "rate" | "timeout" | "size" | "transient";

/** No usable answer: unreachable, too slow, over its limits, or not JSON-RPC. Worth another provider or a retry. */
export class RpcUnavailable extends Error {
  constructor(
    readonly host: string,
    reason: string,
    readonly kind: UnavailableKind = "transient",
    /** The provider's Retry-After; null without one. */
    readonly retryAfterMs: number | null = null,
    /** The node's error for this one call, if any. */
    readonly refused: RpcRefused | null = null,
  ) {
    super(`${host} ${reason}`);
  }
}

const UNAVAILABLE: Readonly<Record<UnavailableKind, string>> = {
  rate: "the provider is over its rate limit",
  timeout: "the provider does not answer in time",
  size: "the provider's answers are too large",
  transient: "no provider answers",
};

/** Why something could not be read, without the provider's name. */
export function reasonOf(error: unknown): string {
  if (error instanceof RpcUnavailable) return UNAVAILABLE[error.kind];
  if (error instanceof RpcRefused) return `the provider refused ${error.method} (${error.kind})`;
  return "the provider's answers are inconsistent";
}
