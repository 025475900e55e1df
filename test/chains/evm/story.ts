// A crowd that trades on the test chain over five weeks, with books kept by hand: buys, sells, a token that taxes its
// transfers, token-for-token swaps, gifts, and moves between one trader's two wallets, while the native coin's price changes.
import { type Hex, zeroAddress } from "viem";
import { type Random, seededRandom } from "../../../kit/random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/units.ts";
import { type Contract, deploy, send, view } from "./contracts.ts";
import { HandBooks, type HandMove } from "./hand-kept.ts";
import type { TestChain } from "./node.ts";

interface Listed {
  contract: Contract;
  decimals: number;
  pool: string;
}

export interface StoryTrader {
  handle: string;
  wallets: string[];
}

interface Receipt {
  gasUsed: string;
  effectiveGasPrice: string;
  status: string;
  logs: { address: string; topics: string[]; data: string }[];
}

export interface Story {
  traders: StoryTrader[];
  books: HandBooks;
  weth: string;
  factory: string;
  /** The coin's price feed. */
  feed: string;
  /** The number of traders' transactions. */
  actions(): number;
  /** Everybody acts once, one after the other, from this moment on. */
  act(phase: Phase, endsAt: number, rounds: number): Promise<void>;
}

const V2 = "v2-periphery/build";
const ETHER = 10n ** 18n;
const NEVER = 2n ** 63n;
const ALL = 2n ** 255n;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const FEED = `0x${"feed".repeat(10)}`;
/** Called with one word it stores that as its price; otherwise it returns a round dated now with it. */
const FEED_CODE =
  "0x3660201460245760016000526000546020524260405242606052600160805260a06000f35b60003560005500";
const FEED_UNIT = 1e8;
const ACTION_MS = 4 * SECOND_MS;

interface Phase {
  beforeEndMs: number;
  /** How many of the tokens are traded. */
  tokens: number;
}

/** When people trade. Each window starts soon after, but the last token has no price when the last week starts. */
export const PHASES: readonly Phase[] = [
  { beforeEndMs: 34 * DAY_MS, tokens: 3 },
  { beforeEndMs: 30 * DAY_MS + 2 * HOUR_MS, tokens: 3 },
  { beforeEndMs: 12 * DAY_MS, tokens: 3 },
  { beforeEndMs: 7 * DAY_MS + 3 * HOUR_MS, tokens: 2 },
  { beforeEndMs: 3 * DAY_MS, tokens: 3 },
  { beforeEndMs: DAY_MS + 45 * MINUTE_MS, tokens: 3 },
  { beforeEndMs: 9 * HOUR_MS, tokens: 3 },
  { beforeEndMs: 50 * MINUTE_MS, tokens: 3 },
];
export const BEGINS_MS = 36 * DAY_MS;

export async function openStory(chain: TestChain, seed: string, size: number): Promise<Story> {
  const random = seededRandom(seed);
  const accounts = (await chain.rpc<string[]>("eth_accounts")).map((account) => account.toLowerCase());
  const [owner = "", ...others] = accounts;
  const traders = Array.from({ length: size }, (_, n) => ({
    handle: `trader${n + 1}`,
    wallets: [String(others[n]), ...(n < 2 ? [String(others[size + n])] : [])],
  }));
  await chain.rpc("hardhat_setCode", [FEED, FEED_CODE]);
  const weth = await deploy(chain, owner, `${V2}/WETH9.json`);
  const factory = await deploy(chain, owner, "v2-core/build/UniswapV2Factory.json", [owner]);
  const router = await deploy(chain, owner, `${V2}/UniswapV2Router02.json`, [factory.address, weth.address]);
  const tokens = await listed(chain, owner, { weth, factory, router });
  const books = new HandBooks();
  const state = {
    chain,
    owner,
    traders,
    tokens,
    weth,
    router,
    books,
    random,
    now: 0,
    coinUsd: 0,
    actions: 0,
  };
  return {
    traders,
    books,
    weth: weth.address.toLowerCase(),
    factory: factory.address,
    feed: FEED,
    actions: () => state.actions,
    async act(phase, endsAt, rounds) {
      state.now = endsAt - phase.beforeEndMs;
      await setCoinPrice(state, 1_800 + random.below(500));
      for (let round = 0; round < rounds; round++)
        for (const trader of traders) await actOnce(state, trader, tokens.slice(0, phase.tokens));
    },
  };
}

interface Exchange {
  weth: Contract;
  factory: Contract;
  router: Contract;
}

/** Three tokens: with 18 and with 6 decimals, and one that burns one per cent of each transfer. */
async function listed(
  chain: TestChain,
  owner: string,
  { weth, factory, router }: Exchange,
): Promise<Listed[]> {
  const mock = "v4-core/out/mocks/MockERC20.sol/MockERC20.json";
  const supply = 10_000_000n * ETHER;
  const found: Listed[] = [];
  for (const [decimals, make] of [
    [18, () => deploy(chain, owner, mock, ["Eighteen", "EIGHTEEN", 18])],
    [6, () => deploy(chain, owner, mock, ["Six", "SIX", 6])],
    [18, () => deploy(chain, owner, `${V2}/DeflatingERC20.json`, [supply])],
  ] as const) {
    const contract = await make();
    if (found.length < 2) await send(chain, owner, contract, "mint", [owner, supply]);
    await send(chain, owner, contract, "approve", [router.address, ALL]);
    const amount = 1_000_000n * 10n ** BigInt(decimals);
    await send(chain, owner, router, "addLiquidityETH", [contract.address, amount, 0n, 0n, owner, NEVER], {
      value: 400n * ETHER,
      gas: 6_000_000n,
    });
    const pool = await view<string>(chain, factory, "getPair", [contract.address, weth.address]);
    found.push({ contract, decimals, pool: pool.toLowerCase() });
  }
  return found;
}

interface State {
  chain: TestChain;
  owner: string;
  traders: readonly StoryTrader[];
  tokens: readonly Listed[];
  weth: Contract;
  router: Contract;
  books: HandBooks;
  random: Random;
  now: number;
  coinUsd: number;
  actions: number;
}

async function setCoinPrice(state: State, priceUsd: number): Promise<void> {
  const { chain, owner } = state;
  await nextBlockAt(state);
  const data = `0x${BigInt(priceUsd * FEED_UNIT)
    .toString(16)
    .padStart(64, "0")}`;
  await chain.rpc("eth_sendTransaction", [{ from: owner, to: FEED, data }]);
  state.coinUsd = priceUsd;
}

async function nextBlockAt(state: State): Promise<void> {
  state.now += ACTION_MS;
  await state.chain.rpc("evm_setNextBlockTimestamp", [Math.floor(state.now / SECOND_MS)]);
}

async function actOnce(state: State, trader: StoryTrader, tokens: readonly Listed[]): Promise<void> {
  const { random, books } = state;
  const wallet = random.pick(trader.wallets);
  const held: { token: Listed; raw: bigint }[] = [];
  for (const token of tokens) {
    if (books.held(trader.handle, nameOf(token)) === 0) continue;
    const raw = await view<bigint>(state.chain, token.contract, "balanceOf", [wallet]);
    if (raw > 0n) held.push({ token, raw });
  }
  const sibling = trader.wallets.find((each) => each !== wallet);
  const wish = held.length === 0 ? 0 : random.next();
  if (wish < 0.3) return buy(state, trader, wallet, random.pick(tokens));
  const { token, raw } = random.pick(held);
  const part = random.chance(0.4) ? raw : (raw * BigInt(10 + random.below(80))) / 100n;
  if (wish < 0.65) return sell(state, trader, wallet, token, part);
  const other = random.pick(tokens.filter((each) => each !== token));
  if (wish < 0.8) return exchange(state, trader, wallet, token, other, part);
  const friend = random.pick(state.traders.filter((each) => each !== trader));
  const to = sibling !== undefined && random.chance(0.6) ? sibling : String(friend.wallets[0]);
  return give(state, trader, wallet, token, part, to);
}

async function buy(state: State, trader: StoryTrader, wallet: string, token: Listed): Promise<void> {
  const value = ETHER / 10n + (ETHER * BigInt(state.random.below(400))) / 100n;
  const path = [state.weth.address, token.contract.address];
  const done = await call(
    state,
    wallet,
    "swapExactETHForTokensSupportingFeeOnTransferTokens",
    [0n, path, wallet],
    value,
  );
  const usd = amountOf(value, 18) * state.coinUsd;
  enter(state, trader, token, {
    kind: "buy",
    amount: movedOf(done, token, wallet),
    usd,
    feeUsd: done.feeUsd,
  });
}

async function sell(
  state: State,
  trader: StoryTrader,
  wallet: string,
  token: Listed,
  raw: bigint,
): Promise<void> {
  await approve(state, wallet, token);
  const path = [token.contract.address, state.weth.address];
  const done = await call(state, wallet, "swapExactTokensForETHSupportingFeeOnTransferTokens", [
    raw,
    0n,
    path,
    wallet,
  ]);
  const usd = paidBy(state, done, token);
  enter(state, trader, token, {
    kind: "sell",
    amount: amountOf(raw, token.decimals),
    usd,
    feeUsd: done.feeUsd,
  });
}

/** One token for another by way of the coin: the fee belongs to the sold one. */
async function exchange(
  state: State,
  trader: StoryTrader,
  wallet: string,
  sold: Listed,
  bought: Listed,
  raw: bigint,
): Promise<void> {
  await approve(state, wallet, sold);
  const path = [sold.contract.address, state.weth.address, bought.contract.address];
  const done = await call(state, wallet, "swapExactTokensForTokensSupportingFeeOnTransferTokens", [
    raw,
    0n,
    path,
    wallet,
  ]);
  const usd = paidBy(state, done, sold);
  enter(state, trader, sold, {
    kind: "sell",
    amount: amountOf(raw, sold.decimals),
    usd,
    feeUsd: done.feeUsd,
  });
  enter(state, trader, bought, { kind: "buy", amount: movedOf(done, bought, wallet), usd, feeUsd: 0 });
}

async function give(
  state: State,
  trader: StoryTrader,
  wallet: string,
  token: Listed,
  raw: bigint,
  to: string,
): Promise<void> {
  const done = await land(state, () => send(state.chain, wallet, token.contract, "transfer", [to, raw]));
  const [went, came] = [amountOf(raw, token.decimals), movedOf(done, token, to)];
  const priceUsd = state.books.priceOf(nameOf(token));
  const receiver = state.traders.find(({ wallets }) => wallets.includes(to));
  if (receiver === trader) {
    // Only the token's own tax has left the trader.
    if (went > came) enter(state, trader, token, { kind: "send", amount: went - came, usd: 0, feeUsd: 0 });
    return;
  }
  enter(state, trader, token, { kind: "send", amount: went, usd: went * priceUsd, feeUsd: 0 });
  if (receiver)
    enter(state, receiver, token, { kind: "receive", amount: came, usd: came * priceUsd, feeUsd: 0 });
}

type Landed = Receipt & { feeUsd: number };

async function approve(state: State, wallet: string, token: Listed): Promise<void> {
  const allowed = await view<bigint>(state.chain, token.contract, "allowance", [
    wallet,
    state.router.address,
  ]);
  if (allowed > 0n) return;
  await nextBlockAt(state);
  await send(state.chain, wallet, token.contract, "approve", [state.router.address, ALL]);
}

function call(
  state: State,
  wallet: string,
  name: string,
  args: readonly unknown[],
  value = 0n,
): Promise<Landed> {
  return land(state, () => send(state.chain, wallet, state.router, name, [...args, NEVER], { value }));
}

/** One transaction in its own block, and the token prices that its pools imply. */
async function land(state: State, act: () => Promise<string>): Promise<Landed> {
  const { chain, books, tokens, weth } = state;
  await nextBlockAt(state);
  const receipt = await chain.rpc<Receipt>("eth_getTransactionReceipt", [await act()]);
  if (receipt.status !== "0x1") throw new Error("a transaction of the story failed");
  state.actions += 1;
  for (const token of tokens) {
    const coins = Math.abs(movedRaw(receipt, weth.address, token.pool));
    const size = Math.abs(movedRaw(receipt, token.contract.address, token.pool));
    if (coins > 0 && size > 0)
      books.traded(
        nameOf(token),
        secondOf(state),
        ((coins / 1e18) * state.coinUsd) / (size / 10 ** token.decimals),
      );
  }
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  return { ...receipt, feeUsd: amountOf(fee, 18) * state.coinUsd };
}

const secondOf = ({ now }: State) => Math.floor(now / SECOND_MS) * SECOND_MS;
const nameOf = ({ contract }: Listed) => contract.address.toLowerCase();
const amountOf = (raw: bigint, decimals: number) => Number(raw) / 10 ** decimals;

function enter(state: State, { handle }: StoryTrader, token: Listed, move: Omit<HandMove, "at">): void {
  state.books.enter(handle, nameOf(token), { at: secondOf(state), ...move });
}

/** An address's gain of a token, from the transfers in a receipt. */
function movedRaw({ logs }: Receipt, token: Hex, holder: string): number {
  let net = 0n;
  for (const { address, topics, data } of logs) {
    if (address.toLowerCase() !== token.toLowerCase() || topics[0] !== TRANSFER) continue;
    const [from, to] = topics.slice(1).map((topic) => `0x${topic.slice(-40)}`);
    if (from === to || from === zeroAddress) continue;
    if (to === holder) net += BigInt(data);
    if (from === holder) net -= BigInt(data);
  }
  return Number(net);
}

const movedOf = (receipt: Receipt, token: Listed, holder: string) =>
  movedRaw(receipt, token.contract.address, holder) / 10 ** token.decimals;

/** The coins paid out by a token's pool. */
const paidBy = (state: State, receipt: Receipt, token: Listed) =>
  (-movedRaw(receipt, state.weth.address, token.pool) / 1e18) * state.coinUsd;
