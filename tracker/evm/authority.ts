// Whether a sale can be believed. Anyone's contract can claim that its token left a wallet, and send the wallet some money in
// the same transaction. It is the wallet's own action if it sent the transaction or was called directly, if a contract known to
// require its signature confirms it, or if what left was money, which nobody else can take.
import { type Leg, NATIVE } from "../chain.ts";
import { eventTopic } from "./signatures.ts";
import type { TokenMove } from "./token-move.ts";
import { TOPICS } from "./topics.ts";
import { addressIn, type RawLog, topicOf } from "./wire.ts";

interface Sale {
  wallet: string;
  sender: string;
  target: string | null;
  sold: readonly Leg[];
  moves: readonly TokenMove[];
  logs: readonly RawLog[];
  wrapped: string | null;
  /** The chain's dollar coins. */
  stables: ReadonlySet<string>;
}

export function isOwnDoing({ wallet, sender, target, sold, moves, logs, wrapped, stables }: Sale): boolean {
  // An account that is called directly runs its own code, and nobody else's unless its own code says so.
  if (sender === wallet || target === wallet) return true;
  const isMoney = (token: string) => token === NATIVE || token === wrapped || stables.has(token);
  const tokens = sold.map(({ token }) => token).filter((token) => !isMoney(token));
  if (tokens.length === 0) return true;
  const vouched = new Set([
    ...tokensOf(operationsOf(logs, wallet), wallet),
    ...settledFor(logs, wallet),
    ...filledFor(logs, wallet, moves),
  ]);
  return tokens.every((token) => vouched.has(token));
}

/** The entry point for smart accounts, versions 0.6 to 0.9; the same on every chain. */
const ENTRY_POINTS: ReadonlySet<string> = new Set([
  "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789",
  "0x0000000071727de22e5e9d8baf0edac6f37da032",
  "0x4337084d9e255ff0702461cf8895ce9e3b5ff108",
  "0x433709009b8330fda32311df1c2afa402ed8d009",
]);

/** The logs of operations that a smart account signed: each operation's logs end with the event that names its account. */
export function operationsOf(logs: readonly RawLog[], wallet: string): RawLog[] {
  const own: RawLog[] = [];
  let pending: RawLog[] = [];
  for (const log of logs) {
    const isMark = ENTRY_POINTS.has(log.address.toLowerCase()) && OPERATION_MARKS.has(String(log.topics[0]));
    pending.push(log);
    if (!isMark) continue;
    if (log.topics[0] === TOPICS.userOperation && addressIn(String(log.topics[2])) === wallet)
      own.push(...pending);
    pending = [];
  }
  return own;
}

const OPERATION_MARKS: ReadonlySet<string> = new Set([TOPICS.beforeExecution, TOPICS.userOperation]);

const tokensOf = (logs: readonly RawLog[], wallet: string): string[] =>
  logs
    .filter(({ topics }) => topics[0] === TOPICS.transfer && topics.includes(topicOf(wallet)))
    .map(({ address }) => address.toLowerCase());

/** CoW Protocol's settlement, the same on every chain: its event names the order's owner and the token sold. */
const COW_SETTLEMENT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const COW_TRADE = eventTopic("Trade(address,address,address,uint256,uint256,uint256,bytes)");

const settledFor = (logs: readonly RawLog[], wallet: string): string[] =>
  logs
    .filter(({ address, topics }) => address.toLowerCase() === COW_SETTLEMENT && topics[0] === COW_TRADE)
    .filter(({ topics }) => addressIn(String(topics[1])) === wallet)
    .map(({ data }) => addressIn(data.slice(0, WORD_END)));

/** The end of the first word of a log's data, which is the token sold. */
const WORD_END = 66;

/** UniswapX's reactors, as far as several public lists agree on them. */
const REACTORS: ReadonlySet<string> = new Set([
  "0x6000da47483062a0d734ba3dc7576ce6a0b645c4",
  "0x00000011f84b9aa48e5f8aa8b9897600006289be",
  "0x0000000015757c461808ea25eb309638b62681cf",
  "0xb274d5f4b833b61b340b654d600a864fb604a87c",
  "0x000000001ec5656dcdb24d90dfa42742738de729",
  "0x000000008a8330b5d1f43a62bf4c673a49f27ba0",
  "0x00000006021a6bce796be7ba509bbba71e956e37",
  "0x000000005af66799d1a6317714d66800f9ca1406",
  "0x00000000862ccf095823fc7576fa6c7e6b7385ef",
  "0x00000000a55e50c71b70db3c8b58749cd1e18eb2",
  "0x000000007a1c8e570011eedf86a2a35593013cba",
]);
const FILL = eventTopic("Fill(bytes32,address,address,uint256)");

/** Their event names the order's owner but not the token sold, so it vouches for a token only if nothing else left. */
function filledFor(logs: readonly RawLog[], wallet: string, moves: readonly TokenMove[]): string[] {
  const isFilled = logs.some(
    ({ address, topics }) =>
      REACTORS.has(address.toLowerCase()) && topics[0] === FILL && addressIn(String(topics[3])) === wallet,
  );
  const gave = new Set(moves.filter(({ from }) => from === wallet).map(({ token }) => token));
  return isFilled && gave.size === 1 ? [...gave] : [];
}
