// A market on the test chain: Uniswap V2, V3 and V4 from their own packages, two tokens with liquidity in each, and the
// actions of traders. V4 trades native coin without wrapping it.
import { type Hex, zeroAddress } from "viem";
import { type Contract, contractAt, deploy, pay, send, view } from "./contracts.ts";
import type { TestChain } from "./node.ts";

export interface Market {
  weth: Contract;
  token: Contract;
  other: Contract;
  /** The creator of the market's pools. */
  factories: string[];
  /** Accounts with native coin, reserved for these. */
  traders: string[];
  buyV2(trader: string, value: bigint): Promise<string>;
  sellV2(trader: string, amount: bigint): Promise<string>;
  buyV3(trader: string, value: bigint): Promise<string>;
  sellV3(trader: string, amount: bigint): Promise<string>;
  buyV4(trader: string, value: bigint): Promise<string>;
  sellV4(trader: string, amount: bigint): Promise<string>;
  swapTokens(trader: string, amount: bigint): Promise<string>;
  addLiquidity(trader: string, amount: bigint, value: bigint): Promise<string>;
  transfer(from: string, to: string, amount: bigint): Promise<string>;
  wrap(trader: string, value: bigint): Promise<string>;
  pay(from: string, to: string, value: bigint): Promise<string>;
  /** Runs out of gas and fails. */
  fail(trader: string): Promise<string>;
  balanceOf(token: Contract, owner: string): Promise<bigint>;
}

const V2 = "v2-periphery/build";
const V3 = "v3-periphery/artifacts/contracts";
const V4 = "v4-core/out";
const ETHER = 10n ** 18n;
const NEVER = 2n ** 63n;
const ALL = 2n ** 255n;
const FEE = 3_000;
const TICK_SPACING = 60;
/** The whole range that the tick spacing allows. */
const TICK_MAX = 887_220;
/** Square root of one, as fixed point with 96 bits. */
const PRICE_ONE = 2n ** 96n;
const PRICE_MIN = 4_295_128_740n;
const PRICE_MAX = 1461446703485210103287273052203988822378723970341n;

export async function openMarket(chain: TestChain): Promise<Market> {
  const accounts = await chain.rpc<string[]>("eth_accounts");
  const owner = String(accounts[0]);
  const weth = await deploy(chain, owner, `${V2}/WETH9.json`);
  const tokens = await Promise.all(
    [
      ["Test Token", "TEST", 18],
      ["Other Token", "OTHER", 6],
    ].map((args) => deploy(chain, owner, `${V4}/mocks/MockERC20.sol/MockERC20.json`, args)),
  );
  const [token, other] = tokens as [Contract, Contract];
  for (const each of tokens) await send(chain, owner, each, "mint", [owner, 10_000_000n * ETHER]);
  await send(chain, owner, weth, "deposit", [], { value: 1_000n * ETHER });

  const openedV2 = await openV2(chain, owner, weth, token, other);
  const openedV3 = await openV3(chain, owner, weth, token);
  const [v2, v3] = [openedV2.router, openedV3.router];
  const v4 = await openV4(chain, owner, token);
  const traders = accounts.slice(1);
  const spenders = [v2.address, v3.address, v4.swapper.address];
  for (const trader of traders.slice(0, 6))
    for (const spender of spenders)
      for (const each of [...tokens, weth]) await send(chain, trader, each, "approve", [spender, ALL]);

  const exactV3 = (tokenIn: string, tokenOut: string, recipient: string, amountIn: bigint) => ({
    tokenIn,
    tokenOut,
    fee: FEE,
    recipient,
    deadline: NEVER,
    amountIn,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  });
  const swapV4 = (trader: string, zeroForOne: boolean, amount: bigint, value: bigint) =>
    send(
      chain,
      trader,
      v4.swapper,
      "swap",
      [
        v4.key,
        { zeroForOne, amountSpecified: -amount, sqrtPriceLimitX96: zeroForOne ? PRICE_MIN : PRICE_MAX },
        { takeClaims: false, settleUsingBurn: false },
        "0x",
      ],
      { value },
    );
  return {
    weth,
    token,
    other,
    factories: [openedV2.factory, openedV3.factory, v4.manager],
    traders,
    buyV2: (trader, value) =>
      send(chain, trader, v2, "swapExactETHForTokens", [0n, [weth.address, token.address], trader, NEVER], {
        value,
      }),
    sellV2: (trader, amount) =>
      send(chain, trader, v2, "swapExactTokensForETH", [
        amount,
        0n,
        [token.address, weth.address],
        trader,
        NEVER,
      ]),
    buyV3: (trader, value) =>
      send(chain, trader, v3, "exactInputSingle", [exactV3(weth.address, token.address, trader, value)], {
        value,
      }),
    sellV3: (trader, amount) =>
      send(chain, trader, v3, "exactInputSingle", [exactV3(token.address, weth.address, trader, amount)]),
    // Twice the price is sent along: the excess is refunded without a log.
    buyV4: (trader, value) => swapV4(trader, true, value, 2n * value),
    sellV4: (trader, amount) => swapV4(trader, false, amount, 0n),
    swapTokens: (trader, amount) =>
      send(chain, trader, v2, "swapExactTokensForTokens", [
        amount,
        0n,
        [token.address, other.address],
        trader,
        NEVER,
      ]),
    addLiquidity: (trader, amount, value) =>
      send(chain, trader, v2, "addLiquidityETH", [token.address, amount, 0n, 0n, trader, NEVER], {
        value,
        gas: 5_000_000n,
      }),
    transfer: (from, to, amount) => send(chain, from, token, "transfer", [to, amount]),
    wrap: (trader, value) => send(chain, trader, weth, "deposit", [], { value }),
    pay: (from, to, value) => pay(chain, from, to, value),
    // Automatic mining reports a failure as an error; the transaction is in a block anyway.
    fail: (trader) =>
      send(chain, trader, v2, "swapExactTokensForETH", [
        1n,
        ALL,
        [token.address, weth.address],
        trader,
        NEVER,
      ]).catch(() => ""),
    balanceOf: (of, holder) => view<bigint>(chain, of, "balanceOf", [holder]),
  };
}

async function openV2(
  chain: TestChain,
  owner: string,
  weth: Contract,
  token: Contract,
  other: Contract,
): Promise<Exchange> {
  const factory = await deploy(chain, owner, "v2-core/build/UniswapV2Factory.json", [owner]);
  const router = await deploy(chain, owner, `${V2}/UniswapV2Router02.json`, [factory.address, weth.address]);
  for (const each of [token, other]) await send(chain, owner, each, "approve", [router.address, ALL]);
  const gas = 6_000_000n;
  await send(
    chain,
    owner,
    router,
    "addLiquidityETH",
    [token.address, 1_000_000n * ETHER, 0n, 0n, owner, NEVER],
    { value: 500n * ETHER, gas },
  );
  await send(
    chain,
    owner,
    router,
    "addLiquidity",
    [token.address, other.address, 1_000_000n * ETHER, 2_000_000n * 10n ** 6n, 0n, 0n, owner, NEVER],
    { gas },
  );
  return { router, factory: factory.address };
}

async function openV3(chain: TestChain, owner: string, weth: Contract, token: Contract): Promise<Exchange> {
  const factory = await deploy(
    chain,
    owner,
    "v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
  );
  const router = await deploy(chain, owner, `${V3}/SwapRouter.sol/SwapRouter.json`, [
    factory.address,
    weth.address,
  ]);
  const positions = await deploy(
    chain,
    owner,
    `${V3}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`,
    [factory.address, weth.address, zeroAddress],
  );
  for (const each of [token, weth]) await send(chain, owner, each, "approve", [positions.address, ALL]);
  const [token0, token1] = sorted(token.address, weth.address);
  const gas = 10_000_000n;
  await send(
    chain,
    owner,
    positions,
    "createAndInitializePoolIfNecessary",
    [token0, token1, FEE, PRICE_ONE],
    { gas },
  );
  const range = { token0, token1, fee: FEE, tickLower: -TICK_MAX, tickUpper: TICK_MAX };
  const amounts = {
    amount0Desired: 400n * ETHER,
    amount1Desired: 400n * ETHER,
    amount0Min: 0n,
    amount1Min: 0n,
  };
  await send(chain, owner, positions, "mint", [{ ...range, ...amounts, recipient: owner, deadline: NEVER }], {
    gas,
  });
  return { router, factory: factory.address };
}

interface Exchange {
  router: Contract;
  factory: Hex;
}

interface V4 {
  manager: Hex;
  swapper: Contract;
  key: { currency0: Hex; currency1: Hex; fee: number; tickSpacing: number; hooks: Hex };
}

async function openV4(chain: TestChain, owner: string, token: Contract): Promise<V4> {
  const manager = await deploy(chain, owner, `${V4}/PoolManager.sol/PoolManager.json`, [owner]);
  const swapper = await deploy(chain, owner, `${V4}/PoolSwapTest.sol/PoolSwapTest.json`, [manager.address]);
  const modifier = await deploy(
    chain,
    owner,
    `${V4}/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json`,
    [manager.address],
  );
  const key = {
    currency0: zeroAddress,
    currency1: token.address,
    fee: FEE,
    tickSpacing: TICK_SPACING,
    hooks: zeroAddress,
  };
  await send(chain, owner, manager, "initialize", [key, PRICE_ONE]);
  await send(chain, owner, token, "approve", [modifier.address, ALL]);
  const { abi } = await contractAt(
    modifier.address,
    `${V4}/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json`,
  );
  // The contract has two functions of that name; this is the one with five fewer arguments.
  const short = abi.filter(
    (entry) => entry.type !== "function" || entry.name !== "modifyLiquidity" || entry.inputs.length === 3,
  );
  await send(
    chain,
    owner,
    { address: modifier.address, abi: short },
    "modifyLiquidity",
    [
      key,
      {
        tickLower: -TICK_MAX,
        tickUpper: TICK_MAX,
        liquidityDelta: 300n * ETHER,
        salt: `0x${"0".repeat(64)}`,
      },
      "0x",
    ],
    { value: 400n * ETHER },
  );
  return { manager: manager.address, swapper, key };
}

const sorted = (one: Hex, two: Hex): [Hex, Hex] =>
  one.toLowerCase() < two.toLowerCase() ? [one, two] : [two, one];
