// Names what a flow was. A swap is: something given, something else got, both out of existing holdings. Whatever mints or
// burns a share, moves a collectible or only goes one way is something else; events then say what.
import { type FlowKind, type Leg, NATIVE } from "../chain.ts";
import type { CollectibleMove, Move } from "./moves.ts";
import { PURPOSE_EVENTS, type Purpose, purposeOf } from "./purposes.ts";
import { type Origin, originOfBought, originOfSold } from "./shares.ts";
import { TOPICS } from "./topics.ts";
import { addressIn, type RawLog, wordAt, ZERO_ADDRESS } from "./wire.ts";

export interface Evidence {
  wallet: string;
  sender: string;
  target: string | null;
  sold: readonly Leg[];
  bought: readonly Leg[];
  moves: readonly Move[];
  collectibles: readonly CollectibleMove[];
  logs: readonly RawLog[];
  wrapped: string | null;
}

export function kindOf(evidence: Evidence): FlowKind {
  const { sold, bought, wallet } = evidence;
  const came = evidence.collectibles.filter((move) => move.to === wallet && move.from !== wallet);
  const went = evidence.collectibles.filter((move) => move.from === wallet && move.to !== wallet);
  if (sold.length > 0 && bought.length > 0) return twoSided(evidence, [...came, ...went]);
  if (sold.length === 0 && bought.length === 0) {
    if (came.length > went.length) return "nft-transfer-in";
    return went.length > 0 ? "nft-transfer-out" : "none";
  }
  const purpose = purposeIn(evidence);
  if (sold.length > 0) {
    if (came.length > 0) return purpose === "liquidity" ? "lp-add" : "nft-buy";
    return PAID[purpose ?? "none"];
  }
  if (went.length > 0) return purpose === "liquidity" ? "lp-remove" : "nft-sell";
  return isBundler(evidence) ? "none" : RECEIVED[purpose ?? "none"];
}

const PAID: Record<Purpose | "none", FlowKind> = {
  liquidity: "lp-add",
  lending: "lend-deposit",
  borrowing: "lend-deposit",
  repaying: "lend-repay",
  staking: "stake",
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
  if (collectibles.length > 0 && purposeIn(evidence) === "liquidity")
    return collectibles.some(({ to }) => to === evidence.wallet) ? "lp-add" : "lp-remove";
  const gave = sold.map((leg) => originOfSold(sideOf(evidence, leg, bought)));
  const got = bought.map((leg) => originOfBought(sideOf(evidence, leg, sold)));
  const allBurned = gave.every((origin) => origin !== "traded");
  const allMinted = got.every((origin) => origin !== "traded");
  if (allBurned && allMinted)
    return sold[0]?.amountRaw === bought[0]?.amountRaw ? "redeem" : exchanged(evidence);
  if (allMinted) return deposited(evidence, got);
  if (allBurned) return withdrawn(evidence, gave);
  if (isOneToOne(sold, bought)) return "convert";
  const share = tokens.find((token) => isSharePool(evidence.logs, token));
  if (share !== undefined) return bought.some(({ token }) => token === share) ? "lp-add" : "lp-remove";
  if (evidence.sender === evidence.wallet && purposeIn(evidence) === "bridge") return "bridge-out";
  return staked(evidence) ? "stake" : "swap";
}

const sideOf = ({ wallet, moves, wrapped }: Evidence, leg: Leg, opposite: readonly Leg[]) => ({
  ...leg,
  wallet,
  moves,
  wrapped,
  opposite: opposite.map(({ token }) => token),
});

/** One burned, another minted: an exchange of synthetic tokens, unless pool shares were moved. */
const exchanged = (evidence: Evidence): FlowKind => (purposeIn(evidence) === "liquidity" ? "lp-add" : "swap");

function deposited(evidence: Evidence, got: readonly Origin[]): FlowKind {
  if (got.every((origin) => origin === "converted")) return "swap";
  const purpose = purposeIn(evidence);
  if (purpose === "liquidity" || purpose === "lending" || purpose === "staking") return PAID[purpose];
  if (got.includes("pool-share") || evidence.sold.length > 1) return "lp-add";
  return evidence.sold.some(({ token }) => token === NATIVE) ? "stake" : "wrap";
}

function withdrawn(evidence: Evidence, gave: readonly Origin[]): FlowKind {
  if (gave.every((origin) => origin === "converted")) return "swap";
  const purpose = purposeIn(evidence);
  if (purpose === "liquidity" || purpose === "lending" || purpose === "staking") return RECEIVED[purpose];
  return gave.includes("pool-share") ? "lp-remove" : "redeem";
}

/** Some pools hold their own shares ready instead of minting them; the id they trade under begins with their address. */
const isSharePool = (logs: readonly RawLog[], token: string): boolean =>
  logs.some(
    ({ address, topics }) =>
      address.toLowerCase() !== token &&
      topics.slice(1).some((topic) => topic.toLowerCase().startsWith(token) && topic.length === 66),
  );

/** No market gives exactly as much as it takes: a token was exchanged for its successor. */
const isOneToOne = (sold: readonly Leg[], bought: readonly Leg[]): boolean =>
  sold.length === 1 && bought.length === 1 && sold[0]?.amountRaw === bought[0]?.amountRaw;

/** Staking that pays out earlier rewards: the contract that took the tokens says in an event that it keeps them for the wallet. */
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

/** What the events say the transaction was for; those of the contracts the wallet dealt with come first. */
function purposeIn({ wallet, target, moves, logs, wrapped }: Evidence): Purpose | undefined {
  const partners = new Set(target === null ? [] : [target]);
  for (const { token, from, to } of moves) {
    if (from === wallet) partners.add(to).add(token);
    if (to === wallet) partners.add(from).add(token);
  }
  let elsewhere: Purpose | undefined;
  for (const log of logs) {
    const emitter = log.address.toLowerCase();
    const purpose = emitter === wrapped ? undefined : purposeOfLog(log);
    if (purpose && partners.has(emitter)) return purpose;
    elsewhere ??= purpose;
  }
  return elsewhere;
}

const POOL_MINT = PURPOSE_EVENTS.liquidity["Mint(address,uint256,uint256)"];

/** Pools index who called; lending markets have an event of the same signature that indexes nothing. */
function purposeOfLog(log: RawLog): Purpose | undefined {
  if (log.topics[0] === POOL_MINT && log.topics.length === 1) return "lending";
  return purposeOf(log.topics[0]);
}

/** Whoever carries other people's operations is paid back its costs, which is neither income nor a trade. */
function isBundler({ wallet, sender, bought, logs }: Evidence): boolean {
  if (sender !== wallet || bought.some(({ token }) => token !== NATIVE)) return false;
  const operations = logs.filter((log) => log.topics[0] === TOPICS.userOperation);
  return operations.length > 0 && operations.every((log) => addressIn(String(log.topics[2])) !== wallet);
}
