// The words after /follow: "@maya buys 500 solana". Each word has one meaning, and an unknown one is refused with a message
// before anything is looked up. Names are looked up once, at the price of a search, and kept as ids.
import type { Methods } from "../../client/src/generated.ts";
import type { Chains } from "../../contract/chains.ts";
import { ALERT_TYPES } from "../../contract/shapes/activity.ts";
import type { AlertType, ChatFollow } from "./follow.ts";
import { oneLine } from "./message.ts";
import { Unclear } from "./unclear.ts";

export interface Wish {
  trader?: string;
  token?: string;
  chainId?: number;
  types: AlertType[];
  minUsd?: number;
}

const ADDRESS = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;
const DOLLARS = /^[>$]*(\d{1,12}(?:\.\d{1,2})?)(k|m)?(?:usd)?$/i;
const FACTORS: Record<string, number> = { k: 1_000, m: 1_000_000 };
const WORDS_MAX = 8;

const TYPE_WORDS = new Map<string, AlertType>([
  ...ALERT_TYPES.map((type): [string, AlertType] => [type, type]),
  ...ALERT_TYPES.map((type): [string, AlertType] => [`${type}s`, type]),
  ["theses", "thesis"],
]);

export function readWish(words: readonly string[], chains: Chains): Wish {
  if (words.length === 0)
    throw new Unclear(
      "Follow who or what? For example: /follow @name, /follow $TOKEN or /follow all buys 5000",
    );
  if (words.length > WORDS_MAX) throw new Unclear(`At most ${WORDS_MAX} words, please.`);
  const wish: Wish = { types: [] };
  for (const { types = [], ...meaning } of words.map((word) => meaningOf(word, chains))) {
    if (Object.keys(meaning).some((name) => name in wish))
      throw new Unclear("One trader, one token, one chain and one size a follow, please.");
    Object.assign(wish, meaning);
    wish.types.push(...types);
  }
  return wish;
}

function meaningOf(word: string, chains: Chains): Partial<Wish> {
  const plain = word.toLowerCase();
  const type = TYPE_WORDS.get(plain);
  const [, amount, factor = ""] = DOLLARS.exec(word) ?? [];
  if (plain === "all") return {};
  if (/^@[\p{L}\p{N}_.-]{1,40}$/u.test(word)) return { trader: word.slice(1) };
  if (type) return { types: [type] };
  if (amount !== undefined) return { minUsd: Number(amount) * (FACTORS[factor.toLowerCase()] ?? 1) };
  if (ADDRESS.test(word)) return { token: word };
  if (/^\$\S{1,32}$/.test(word)) return { token: word.slice(1) };
  const chain = chains.find(word);
  if (chain) return { chainId: chain.id };
  throw new Unclear(
    `I don't know what "${oneLine(word, 40)}" is. A trader is @name, a token $SYMBOL or its address, then a chain, buys or sells, and a least size in dollars.`,
  );
}

export type Lookup = Pick<Methods, "search">;

export async function toFollow(client: Lookup, wish: Wish, chains: Chains): Promise<ChatFollow> {
  const trader = wish.trader === undefined ? null : await findTrader(client, wish.trader);
  const token = wish.token === undefined ? null : await findToken(client, wish.token, wish.chainId);
  const { chainId, minUsd } = wish;
  const types = [...new Set(wish.types)];
  const label = [
    ...(trader ? [`@${trader.handle}`] : []),
    ...(token ? [tokenLabel(token)] : []),
    ...(trader || token ? [] : ["everybody"]),
    ...types,
    ...(chainId !== undefined && !token ? [chains.nameOf(chainId)] : []),
    ...(minUsd === undefined ? [] : [`from $${minUsd.toLocaleString("en")}`]),
  ].join(" ");
  return {
    label,
    ...(trader ? { userId: trader.userId } : {}),
    ...(token ? { token: { chainId: token.chainId, address: token.address } } : {}),
    ...(chainId === undefined ? {} : { chainId }),
    ...(types.length > 0 ? { types } : {}),
    ...(minUsd === undefined ? {} : { minUsd }),
  };
}

export const tokenLabel = ({ symbol, chain, address }: { symbol: string; chain: string; address: string }) =>
  `$${oneLine(symbol, 20)} (${chain} ${shortened(address)})`;

const shortened = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;

async function findTrader(client: Lookup, handle: string) {
  const { results } = await client.search({ q: handle, type: "traders", limit: 10 });
  const found = results.find(
    (row) => row.type === "trader" && row.handle.toLowerCase() === handle.toLowerCase(),
  );
  if (found?.type === "trader") return found;
  throw new Unclear(`There is no trader @${oneLine(handle, 64)}.`);
}

async function findToken(client: Lookup, name: string, chainId: number | undefined) {
  const { results } = await client.search({ q: name, type: "tokens", limit: 10 });
  const isIt = (text: string) => text.toLowerCase() === name.toLowerCase();
  // The best match comes first; many tokens share a symbol.
  for (const row of results)
    if (row.type === "token" && (isIt(row.symbol) || isIt(row.address)))
      if (chainId === undefined || row.chainId === chainId) return row;
  throw new Unclear(
    `There is no token ${oneLine(name, 44)}${chainId === undefined ? "" : " on that chain"}.`,
  );
}
