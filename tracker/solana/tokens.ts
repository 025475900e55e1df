// Token metadata: decimals and supply from the mint, name and symbol from the metadata program's account or the Token-2022
// extension. Everything is untrusted: text is truncated and stays text, what does not parse is null.
import { address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit";
import { NATIVE, type TokenFacts } from "../chain.ts";
import { encodeBase58, isAddress } from "./base58.ts";
import type { SolanaCalls } from "./calls.ts";
import { METADATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAMS } from "./programs.ts";

/** `getMultipleAccounts` takes a hundred, and a token needs two. */
const TOKENS_PER_CALL_MAX = 50;
/** Longer texts are not names. */
const TEXT_CHARS_MAX = 128;

const MINT = { supply: 36, decimals: 44, bytes: 82 };
/** Token-2022: extensions follow the padded mint and an account type byte. */
const EXTENSIONS_OFFSET = 166;
const METADATA_EXTENSION = 19;
/** In the metadata program's account: a kind, the authority, the mint, then the texts. */
const METADATA = { kind: 4, mint: 33, texts: 65 };
/** In the extension: authority and mint, then the texts. */
const EXTENSION_TEXTS_OFFSET = 64;

interface MintAccount {
  owner: string;
  data: Uint8Array;
}

export async function readTokens(calls: SolanaCalls, tokens: readonly string[]): Promise<TokenFacts[]> {
  const mints = tokens.filter((token) => token !== NATIVE && isAddress(token));
  const facts = new Map<string, TokenFacts>([
    [NATIVE, { token: NATIVE, symbol: "SOL", name: "Solana", decimals: 9, supplyRaw: null }],
  ]);
  for (let at = 0; at < mints.length; at += TOKENS_PER_CALL_MAX) {
    const some = mints.slice(at, at + TOKENS_PER_CALL_MAX);
    const described = await Promise.all(some.map(metadataAddress));
    const config = { commitment: "confirmed", encoding: "base64" };
    const [answer] = await calls.results([
      { method: "getMultipleAccounts", params: [[...some, ...described], config] },
    ]);
    const accounts = accountsOf(answer);
    some.forEach((mint, place) => {
      const read = factsOf(mint, accounts[place] ?? null, accounts[some.length + place] ?? null);
      facts.set(mint, read);
    });
  }
  return tokens.map((token) => facts.get(token) ?? unknownToken(token));
}

/** Mints alone: the limit of `getMultipleAccounts`. */
const MINTS_PER_CALL_MAX = 100;

export async function readSupplies(
  calls: SolanaCalls,
  tokens: readonly string[],
): Promise<(bigint | null)[]> {
  const supplies: (bigint | null)[] = [];
  const config = { commitment: "confirmed", encoding: "base64" };
  for (let at = 0; at < tokens.length; at += MINTS_PER_CALL_MAX) {
    const some = tokens.slice(at, at + MINTS_PER_CALL_MAX);
    const [answer] = await calls.results([{ method: "getMultipleAccounts", params: [some, config] }]);
    const accounts = accountsOf(answer);
    supplies.push(...some.map((mint, place) => factsOf(mint, accounts[place] ?? null, null).supplyRaw));
  }
  return supplies;
}

export async function metadataAddress(mint: string): Promise<string> {
  const encode = (key: string) => getAddressEncoder().encode(address(key));
  const [derived] = await getProgramDerivedAddress({
    programAddress: address(METADATA_PROGRAM),
    seeds: ["metadata", encode(METADATA_PROGRAM), encode(mint)],
  });
  return derived;
}

function factsOf(token: string, mint: MintAccount | null, metadata: MintAccount | null): TokenFacts {
  if (!mint || !TOKEN_PROGRAMS.has(mint.owner) || mint.data.length < MINT.bytes) return unknownToken(token);
  const view = new DataView(mint.data.buffer, mint.data.byteOffset, mint.data.byteLength);
  const texts = ownTexts(token, mint) ?? describedTexts(token, metadata);
  return {
    token,
    symbol: texts?.symbol ?? null,
    name: texts?.name ?? null,
    decimals: view.getUint8(MINT.decimals),
    supplyRaw: view.getBigUint64(MINT.supply, true),
  };
}

const unknownToken = (token: string): TokenFacts => ({
  token,
  symbol: null,
  name: null,
  decimals: null,
  supplyRaw: null,
});

interface Texts {
  name: string | null;
  symbol: string | null;
}

function ownTexts(mint: string, { owner, data }: MintAccount): Texts | null {
  if (owner !== TOKEN_2022_PROGRAM) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = EXTENSIONS_OFFSET; at + 4 <= data.length; ) {
    const length = view.getUint16(at + 2, true);
    const body = data.subarray(at + 4, at + 4 + length);
    if (view.getUint16(at, true) === METADATA_EXTENSION && keyAt(body, 32) === mint)
      return textsAt(body, EXTENSION_TEXTS_OFFSET);
    at += 4 + length;
  }
  return null;
}

function describedTexts(mint: string, metadata: MintAccount | null): Texts | null {
  if (metadata?.owner !== METADATA_PROGRAM || metadata.data[0] !== METADATA.kind) return null;
  return keyAt(metadata.data, METADATA.mint) === mint ? textsAt(metadata.data, METADATA.texts) : null;
}

/** Two consecutive texts, each preceded by its length. */
function textsAt(data: Uint8Array, offset: number): Texts {
  const name = textAt(data, offset);
  const symbol = name ? textAt(data, name.end) : null;
  return { name: name?.text ?? null, symbol: symbol?.text ?? null };
}

function textAt(data: Uint8Array, offset: number): { text: string | null; end: number } | null {
  if (offset + 4 > data.length) return null;
  const length = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(offset, true);
  const end = offset + 4 + length;
  if (end > data.length) return null;
  const text = new TextDecoder("utf-8").decode(data.subarray(offset + 4, end));
  // Control characters don't belong in a name, zeros are padding; the rest is up to the token.
  const kept = text.replaceAll(/\p{Cc}/gu, "").trim();
  return { text: kept === "" ? null : [...kept].slice(0, TEXT_CHARS_MAX).join(""), end };
}

function keyAt(data: Uint8Array, offset: number): string {
  return encodeBase58(data.subarray(offset, offset + 32));
}

function accountsOf(answer: unknown): (MintAccount | null)[] {
  const { value } = (answer ?? {}) as { value?: unknown };
  if (!Array.isArray(value)) return [];
  return value.map((each: { owner?: unknown; data?: unknown } | null) => {
    const [encoded] = Array.isArray(each?.data) ? each.data : [];
    if (typeof each?.owner !== "string" || typeof encoded !== "string") return null;
    return { owner: each.owner, data: new Uint8Array(Buffer.from(encoded, "base64")) };
  });
}
