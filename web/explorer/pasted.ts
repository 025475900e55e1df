// Interprets text pasted or typed into the search: a link of an explorer, an exchange or X becomes its subject. A new site is
// one line of SITES; from a site that is not listed, the address or transaction in the link is used.

type Kind = "transaction" | "address" | "name";
export interface Pasted {
  kind: Kind;
  /** What to search for. */
  q: string;
}

const EVM_TRANSACTION = /^0x[0-9a-f]{64}$/i;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
const SOLANA_TRANSACTION_LENGTHS = [80, 90] as const;
const SOLANA_ADDRESS_LENGTHS = [32, 44] as const;
/** The longest query that the search accepts. */
const Q_LENGTH_MAX = 100;

/** Sites whose links name people, and the name's place in the path. */
const SITES: readonly { hosts: readonly string[]; name: RegExp }[] = [
  { hosts: ["x.com", "twitter.com", "mobile.twitter.com", "nitter.net"], name: /^\/@?(\w{1,15})(?:\/|$)/ },
  { hosts: ["t.me"], name: /^\/(\w{4,32})(?:\/|$)/ },
];
/** Paths of X that are not names. */
const NOT_NAMES = new Set(["home", "i", "search", "explore", "intent", "share", "hashtag"]);
/** Money tokens, which are one side of most swaps and never the subject of an exchange's link. */
const MONEY = new Set([
  "So11111111111111111111111111111111111111112",
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
  "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  "0x4200000000000000000000000000000000000006",
  "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
]);

const isWithin = (length: number, [least, most]: readonly [number, number]) =>
  length >= least && length <= most;

function kindOf(text: string): Kind {
  if (EVM_TRANSACTION.test(text)) return "transaction";
  if (EVM_ADDRESS.test(text)) return "address";
  if (!BASE58.test(text)) return "name";
  if (isWithin(text.length, SOLANA_TRANSACTION_LENGTHS)) return "transaction";
  return isWithin(text.length, SOLANA_ADDRESS_LENGTHS) ? "address" : "name";
}

const LINK = /^(?:https?:\/\/|(?:[\w-]+\.)+[a-z]{2,}\/)/i;

export function readPasted(text: string): Pasted {
  const typed = text.trim();
  if (LINK.test(typed)) return ofLink(typed) ?? { kind: "name", q: typed.slice(0, Q_LENGTH_MAX) };
  return { kind: kindOf(typed), q: typed.slice(0, Q_LENGTH_MAX) };
}

function ofLink(link: string): Pasted | null {
  const url = URL.parse(link.includes("://") ? link : `https://${link}`);
  if (url === null) return null;
  const host = url.hostname.replace(/^www\./, "");
  const site = SITES.find(({ hosts }) => hosts.includes(host));
  const name = site?.name.exec(url.pathname)?.[1];
  if (name && !NOT_NAMES.has(name.toLowerCase())) return { kind: "name", q: name };
  // Our own pages, at any host: the subject is the last part of their path.
  const own = /^\/(?:traders|tokens)\/([^/]+)$/.exec(url.pathname)?.[1];
  if (own) return readPasted(decoded(own));
  // Jupiter writes a pair as SOL-mint, dYdX and others with an underscore.
  const parts = [...url.pathname.split(/[/_-]/), ...url.searchParams.values(), ...url.hash.split(/[#/=&]/)];
  const found = parts.map((part) => ({ kind: kindOf(part), q: part })).filter(({ kind }) => kind !== "name");
  const wanted = found.filter(({ q }) => !MONEY.has(q) && !MONEY.has(q.toLowerCase()));
  return wanted.find(({ kind }) => kind === "transaction") ?? wanted[0] ?? found[0] ?? null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The message when nothing was found, which depends on the kind of query. */
export function nothingFound({ kind, q }: Pasted): string {
  if (kind === "transaction") return "No tracked trader has a fill in this transaction.";
  if (kind === "address") return "No tracked trader uses this wallet, and no token is at this address.";
  return `Nothing is called “${q}”.`;
}
