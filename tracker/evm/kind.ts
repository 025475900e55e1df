// Classifies a flow. A swap gives one thing and gets another, both out of existing holdings. Anything that mints or burns a
// share, moves a collectible or only goes one way is something else; events then tell what.
import { type FlowKind, type Leg, NATIVE } from "../chain.ts";
import { isOwnDoing } from "./authority.ts";
import type { CollectibleMove } from "./moves.ts";
import { CLAIM_TOPICS, type Purpose, purposeOf } from "./purposes.ts";
import { type Origin, originOfBought, originOfSold } from "./shares.ts";
import { eventTopic } from "./signatures.ts";
import type { TokenMove } from "./token-move.ts";
import { TOPICS } from "./topics.ts";
import { addressIn, type RawLog, wordAt, ZERO_ADDRESS } from "./wire.ts";

export interface Evidence {
  wallet: string;
  sender: string;
  target: string | null;
  sold: readonly Leg[];
  bought: readonly Leg[];
  moves: readonly TokenMove[];
  collectibles: readonly CollectibleMove[];
  logs: readonly RawLog[];
  wrapped: string | null;
  /** The chain's dollar coins. */
  stables: ReadonlySet<string>;
  /** Whether the native coin's moves are fully known, and not only from logs. */
  isNativeKnown: boolean;
}

export function kindOf(evidence: Evidence): FlowKind {
  const { sold, bought, wallet } = evidence;
  const came = evidence.collectibles.filter((move) => move.to === wallet && move.from !== wallet);
  const went = evidence.collectibles.filter((move) => move.from === wallet && move.to !== wallet);
  if (sold.length > 0 && bought.length > 0) return believed(evidence, twoSided(evidence, [...came, ...went]));
  if (sold.length === 0 && bought.length === 0) {
    if (came.length > went.length) return "nft-transfer-in";
    if (went.length > 0) return "nft-transfer-out";
    return evidence.isNativeKnown ? "none" : unseen(evidence);
  }
  if (isBundler(evidence)) return "none";
  const purpose = purposeIn(evidence);
  if (sold.length > 0) {
    if (came.length === 0) return PAID[purpose ?? "none"];
    const isReceipt = came.every(({ from }) => from === ZERO_ADDRESS) && HAS_RECEIPTS.has(purpose);
    return isReceipt ? PAID[purpose ?? "none"] : "nft-buy";
  }
  if (went.length === 0) return RECEIVED[purpose ?? "none"];
  // A receipt that is kept, not burned, was staked; what came with it are rewards.
  if (went.some(({ to }) => to !== ZERO_ADDRESS))
    return purpose === "staking" ? "stake" : purpose === "liquidity" ? "lp-remove" : "nft-sell";
  return HAS_RECEIPTS.has(purpose) ? RECEIVED[purpose ?? "none"] : "nft-sell";
}

/** A sale that the wallet may not have made is not a trade: its legs are only moves. */
const believed = (evidence: Evidence, kind: FlowKind): FlowKind =>
  kind === "swap" && !isOwnDoing(evidence) ? "transfer-in" : kind;

/** A refund in native coin, reported by the wallet's own contract, that no log shows: its amount stays unknown. */
function unseen(evidence: Evidence): FlowKind {
  if (evidence.sender !== evidence.wallet || isBundler(evidence)) return "none";
  const purpose = purposeIn(evidence);
  return purpose === "order" || purpose === "bridge" ? RECEIVED[purpose] : "none";
}

/** Purposes whose receipt may be a collectible, minted on deposit and burned on withdrawal. */
const HAS_RECEIPTS: ReadonlySet<Purpose | undefined> = new Set([
  ...(["liquidity", "lending", "staking", "unstaking"] as const),
]);

const PAID: Record<Purpose | "none", FlowKind> = {
  liquidity: "lp-add",
  lending: "lend-deposit",
  borrowing: "lend-deposit",
  repaying: "lend-repay",
  staking: "stake",
  unstaking: "unstake",
  bridge: "bridge-out",
  order: "order-placed",
  none: "transfer-out",
};

const RECEIVED: Record<Purpose | "none", FlowKind> = {
  liquidity: "lp-remove",
  lending: "lend-withdraw",
  borrowing: "lend-borrow",
  repaying: "transfer-in",
  staking: "unstake",
  unstaking: "unstake",
  bridge: "bridge-in",
  order: "order-cancelled",
  none: "transfer-in",
};

function twoSided(evidence: Evidence, collectibles: readonly CollectibleMove[]): FlowKind {
  const { sold, bought, wrapped } = evidence;
  const tokens = [...sold, ...bought].map(({ token }) => token);
  if (tokens.every((token) => token === NATIVE || token === wrapped))
    return sold.some(({ token }) => token === NATIVE) ? "wrap" : "unwrap";
  const handedOver = collectibles.filter(({ from, to }) => from !== ZERO_ADDRESS && to !== ZERO_ADDRESS);
  if (handedOver.length > 0)
    return handedOver.some(({ to }) => to === evidence.wallet) ? "nft-buy" : "nft-sell";
  const isLiquidity = purposeIn(evidence) === "liquidity";
  if (collectibles.length > 0 && isLiquidity)
    return collectibles.some(({ to }) => to === evidence.wallet) ? "lp-add" : "lp-remove";
  // A dollar coin is often minted or burned for another one; it is still money, not a share of anything.
  if (tokens.every((token) => evidence.stables.has(token)))
    return isOneToOne(sold, bought) ? "convert" : "swap";
  if (isClaim(evidence)) return "transfer-in";
  const gave = sold.map((leg) => originOfSold(sideOf(evidence, leg, bought)));
  const got = bought.map((leg) => originOfBought(sideOf(evidence, leg, sold)));
  const allBurned = gave.every(isMinted);
  const allMinted = got.every(isMinted);
  if (allBurned && allMinted)
    return sold[0]?.amountRaw === bought[0]?.amountRaw ? "redeem" : exchanged(evidence);
  if (allMinted) return deposited(evidence, got);
  if (allBurned) return withdrawn(evidence, gave);
  // Leftovers of other tokens may be returned along with a share that was paid for with one of them.
  if (isLiquidity && got.some(isMinted)) return "lp-add";
  if (isLiquidity && gave.some(isMinted)) return "lp-remove";
  if (isOneToOne(sold, bought)) return "convert";
  const share = tokens.find((token) => isSharePool(evidence.logs, token));
  if (share !== undefined) return bought.some(({ token }) => token === share) ? "lp-add" : "lp-remove";
  if (evidence.sender === evidence.wallet && purposeIn(evidence) === "bridge") return "bridge-out";
  return staked(evidence) ? "stake" : "swap";
}

/** Minted for the wallet, or burned for it. */
const isMinted = (origin: Origin): boolean => origin !== "traded";

const sideOf = ({ wallet, moves, wrapped }: Evidence, leg: Leg, opposite: readonly Leg[]) => ({
  ...leg,
  wallet,
  moves,
  wrapped,
  opposite: opposite.map(({ token }) => token),
});

/** One burned, another minted: an exchange of synthetic tokens, unless pool shares moved. */
const exchanged = (evidence: Evidence): FlowKind => (purposeIn(evidence) === "liquidity" ? "lp-add" : "swap");

function deposited(evidence: Evidence, got: readonly Origin[]): FlowKind {
  if (got.every((origin) => origin === "converted")) return "swap";
  const purpose = purposeIn(evidence);
  if (purpose === "liquidity" || purpose === "lending" || purpose === "staking") return PAID[purpose];
  if (got.includes("pool-share") || evidence.sold.length > 1) return "lp-add";
  const { sold, bought } = evidence;
  return sold.some(({ token }) => token === NATIVE) && !isOneToOne(sold, bought) ? "stake" : "wrap";
}

function withdrawn(evidence: Evidence, gave: readonly Origin[]): FlowKind {
  if (gave.every((origin) => origin === "converted")) return "swap";
  const purpose = purposeIn(evidence);
  if (purpose === "liquidity" || purpose === "lending" || purpose === "staking") return RECEIVED[purpose];
  const { sold, bought } = evidence;
  if (gave.includes("pool-share") || bought.length > 1) return "lp-remove";
  const isNative = bought.some(({ token }) => token === NATIVE);
  if (isOneToOne(sold, bought)) return isNative ? "unwrap" : "redeem";
  return isNative ? "unstake" : "unwrap";
}

/** Some pools keep a stock of their own shares instead of minting them; the id they trade under starts with their address. */
const isSharePool = (logs: readonly RawLog[], token: string): boolean =>
  logs.some(
    ({ address, topics }) =>
      address.toLowerCase() !== token &&
      topics.slice(1).some((topic) => topic.toLowerCase().startsWith(token) && topic.length === TOPIC_LENGTH),
  );

/** No market gives exactly as much as it takes: the token was exchanged for its successor. */
const isOneToOne = (sold: readonly Leg[], bought: readonly Leg[]): boolean =>
  sold.length === 1 && bought.length === 1 && sold[0]?.amountRaw === bought[0]?.amountRaw;

/**
 * Staking that pays out earlier rewards: an event of the contract that took the tokens shows that it holds them for the wallet.
 */
function staked({ wallet, sold, moves, logs }: Evidence): boolean {
  return sold.every((leg) => {
    const takers = moves.filter((move) => move.token === leg.token && move.from === wallet);
    return logs.some((log) => {
      const purpose = purposeOf(log.topics[0]);
      if (purpose !== "staking" && purpose !== "lending") return false;
      const emitter = log.address.toLowerCase();
      if (!takers.some(({ to }) => to === emitter)) return false;
      const names = log.topics.slice(1).some((topic) => addressIn(topic) === wallet);
      return names && [0, 1, 2].some((index) => wordAt(log.data, index) === leg.amountRaw);
    });
  });
}

/** A small native-coin fee charged by a distributor does not make a claim a purchase: its event shows that it is a claim. */
function isClaim({ wallet, sold, bought, moves, logs }: Evidence): boolean {
  if (sold.some(({ token }) => token !== NATIVE)) return false;
  return bought.every((leg) =>
    logs.some((log) => {
      if (!CLAIM_TOPICS.has(String(log.topics[0])) || !wordsOf(log).includes(BigInt(wallet))) return false;
      const emitter = log.address.toLowerCase();
      const isGiver = moves.some(
        (move) => move.token === leg.token && move.to === wallet && [move.from, move.token].includes(emitter),
      );
      return isGiver && wordsOf(log).includes(leg.amountRaw);
    }),
  );
}

/** The transaction's purpose according to its events; events of contracts that the wallet dealt with come first. */
function purposeIn(evidence: Evidence): Purpose | undefined {
  const { wallet, sender, target, sold, bought, moves, logs, wrapped } = evidence;
  const partners = new Set(target === null ? [] : [target]);
  for (const { token, from, to } of moves) {
    if (from === wallet) partners.add(to).add(token);
    if (to === wallet) partners.add(from).add(token);
  }
  // A wallet that calls a token is only sending it: a token may sell and add liquidity for itself along the way. And in a
  // transaction that someone else sent, an event counts as the wallet's only if it names the wallet.
  const isCaller = sender === wallet && ![...sold, ...bought].some(({ token }) => token === target);
  let elsewhere: Purpose | undefined;
  for (const log of logs) {
    const emitter = log.address.toLowerCase();
    const purpose = emitter === wrapped ? undefined : purposeOfLog(log);
    if (purpose && partners.has(emitter)) return purpose;
    if (purpose && (isCaller || wordsOf(log).includes(BigInt(wallet)))) elsewhere ??= purpose;
  }
  return elsewhere;
}

const TOPIC_LENGTH = 66;

/** All words of an event, indexed or not. */
function wordsOf({ topics, data }: RawLog): bigint[] {
  const words = topics
    .slice(1)
    .filter((topic) => topic.length === TOPIC_LENGTH)
    .map((topic) => BigInt(topic));
  for (let index = 0; ; index += 1) {
    const word = wordAt(data, index);
    if (word === undefined) return words;
    words.push(word);
  }
}

const POOL_MINT = eventTopic("Mint(address,uint256,uint256)");

/** Pools index the caller; lending markets have an event with the same signature that indexes nothing. */
function purposeOfLog(log: RawLog): Purpose | undefined {
  if (log.topics[0] === POOL_MINT && log.topics.length === 1) return "lending";
  const purpose = purposeOf(log.topics[0]);
  // Rewards are often claimed by staking or unstaking nothing.
  return purpose === "staking" && /^0x0+$/.test(log.data) ? undefined : purpose;
}

/** A bundler of others' operations is reimbursed, which is neither income nor a trade. */
function isBundler({ wallet, sender, sold, bought, logs }: Evidence): boolean {
  if (sender !== wallet || [...sold, ...bought].some(({ token }) => token !== NATIVE)) return false;
  const operations = logs.filter((log) => log.topics[0] === TOPICS.userOperation);
  return operations.length > 0 && operations.every((log) => addressIn(String(log.topics[2])) !== wallet);
}
