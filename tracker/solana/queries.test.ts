// Token facts and balances, read from the test cluster. Whatever an account's data contains, the result is plain text and
// numbers, or null.
import { afterAll, describe, expect, test } from "bun:test";
import {
  address,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress,
  type KeyPairSigner,
  lamports,
} from "@solana/kit";
import fc from "fast-check";
import { systemClock } from "../../kit/clock.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { TestLedger } from "../../test/chains/solana/ledger.ts";
import { TestMarket } from "../../test/chains/solana/market.ts";
import { TestNode } from "../../test/chains/solana/node.ts";
import type { BlockRef } from "../chain.ts";
import { createRpcClient, createRpcMetrics } from "../rpc/client.ts";
import { measureSolana, solanaCallsPerDay, solanaTapeCallsPerDay } from "./measure.ts";
import {
  METADATA_PROGRAM,
  RAYDIUM_CLMM_PROGRAM,
  RAYDIUM_CPMM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "./programs.ts";
import { createSolanaQueries } from "./queries.ts";

const ledger = new TestLedger();
const market = await TestMarket.open(ledger);
const node = new TestNode(ledger);
const queriesOf = (programs: readonly string[]) =>
  createSolanaQueries(
    createRpcClient({
      chain: "solana",
      urls: [node.url],
      clock: systemClock(),
      random: seededRandom("queries"),
      metrics: createRpcMetrics(createMetrics()),
      callsPerSecondMax: 10_000,
    }),
    programs,
  );
const queries = queriesOf([]);
afterAll(() => node.stop());

test("a plan's limits are measured, and a roster's daily cost there follows from how often it is checked", async () => {
  const measured = async (batchMax: number) =>
    measureSolana(
      createRpcClient({
        chain: "solana",
        urls: [node.url],
        clock: systemClock(),
        random: seededRandom("measure"),
        metrics: createRpcMetrics(createMetrics()),
        callsPerSecondMax: 10_000,
        pauseMsMin: 1,
        batchMax,
      }),
      systemClock(),
    );
  ledger.produce();
  ledger.finalize();
  const free = await measured(100);
  expect(free).toMatchObject({ signaturesAPage: 0, batchCalls: 100, callsPerSecond: 10_000 });
  expect(free.archiveSlots).toBeGreaterThan(0);
  expect(free.headAgeMs).toBeGreaterThan(0);
  let slots = 0;
  node.instead = (method) => {
    if (method === "getBlockTime") return { error: { code: -32601, message: "Method not found" } };
    if (method === "getFirstAvailableBlock") return { error: { code: -32601, message: "Method not found" } };
    // Its head, a batch of a hundred, and then it refuses.
    if (method !== "getSlot" || slots++ < 110 || slots > 120) return undefined;
    return new Response("busy", { status: 429, headers: { "retry-after": "0" } });
  };
  const small = await measured(10);
  node.instead = () => undefined;
  expect(small).toMatchObject({ headAgeMs: null, archiveSlots: null, batchCalls: 10 });
  expect(small.callsPerSecond).toBeLessThan(10_000);
  // As in docs/tracker.md: each wallet without news, with a socket, and beyond what can be listed.
  expect(solanaCallsPerDay("none", 100, 0) / 100).toBeCloseTo(6_211, -1);
  expect(solanaCallsPerDay("socket", 300, 0)).toBe(190_080);
  expect(solanaCallsPerDay("stream", 1_000, 10) - 90_000).toBeLessThan(224_000);
  expect(solanaCallsPerDay("socket", 301, 0)).toBeGreaterThan(800_000);
  expect([solanaTapeCallsPerDay(0, 500), solanaTapeCallsPerDay(1_500, 500)]).toEqual([0, 1_182_000]);
});

test("coins, tokens and supplies are read in bulk, and unreadable ones are null", async () => {
  const [owner, stranger] = [await market.addTrader(), await generateKeyPairSigner()];
  const [pool, other] = [
    await market.addPool(10n ** 12n, 10n ** 10n),
    await market.addPool(10n ** 12n, 10n ** 10n),
  ];
  await market.buy(owner, pool, 10n ** 8n);
  ledger.produce();
  ledger.finalize();
  const wallets = [owner.address, stranger.address];
  const coins = wallets.map((wallet) => ({ wallet, token: "native" }));
  const tokens = wallets.flatMap((wallet) => [pool.mint, other.mint].map((token) => ({ wallet, token })));
  const held = await queries.held?.read([...coins, ...tokens], 0);
  const [bought] = (await queries.balances(owner.address, [pool.mint], null)).map(
    ({ amountRaw }) => amountRaw,
  );
  expect(bought).toBeGreaterThan(0n);
  expect(held?.amounts).toEqual([ledger.vm.getBalance(owner.address), 0n, bought ?? null, 0n, 0n, 0n]);
  const slot = held?.block?.height ?? 0;
  expect(held?.since).toBe(slot);
  expect<string | null | undefined>(await queries.held?.hashAt(slot)).toBe(held?.block?.hash);
  const [said] = (await queries.held?.opinions(tokens.slice(0, 1), held?.block as BlockRef)) ?? [];
  expect(said?.amounts).toEqual([bought ?? null]);
  node.instead = (method, params) =>
    method === "getTokenAccountsByOwner" && params[0] === stranger.address
      ? { error: { code: -32601, message: "Method not found" } }
      : undefined;
  const part = await queries.held?.read(tokens, 0);
  node.instead = () => undefined;
  expect(part?.amounts).toEqual([bought ?? null, 0n, null, null]);
  expect(await queries.supplies?.([pool.mint, stranger.address])).toEqual([10n ** 12n, null]);
});

const keyBytes = (key: string) => new Uint8Array(getAddressEncoder().encode(address(key)));
const text = (value: string) => {
  const bytes = new TextEncoder().encode(value);
  return [...new Uint8Array(new Uint32Array([bytes.length]).buffer), ...bytes];
};
function put(at: string, program: string, data: Uint8Array): void {
  const [space, executable] = [BigInt(data.length), false];
  const owner = address(program);
  ledger.vm.setAccount({
    address: address(at),
    programAddress: owner,
    data,
    executable,
    lamports: lamports(1n),
    space,
  });
}
function mintData(supply: bigint, decimals: number): Uint8Array {
  const data = new Uint8Array(82);
  new DataView(data.buffer).setBigUint64(36, supply, true);
  data.set([decimals, 1], 44);
  return data;
}
async function describeMint(mint: string, data: Uint8Array): Promise<void> {
  const [at] = await getProgramDerivedAddress({
    programAddress: address(METADATA_PROGRAM),
    seeds: ["metadata", keyBytes(METADATA_PROGRAM), keyBytes(mint)],
  });
  put(at, METADATA_PROGRAM, data);
}
const freshKey = async () => (await generateKeyPairSigner()).address as string;

describe("token facts", () => {
  test("come from the mint and the metadata account, padding removed", async () => {
    const mint = await freshKey();
    put(mint, TOKEN_PROGRAM, mintData(1_000n, 6));
    const texts = [...text("Dog Coin\0\0\0"), ...text("DOG\0\0"), ...text("https://…")];
    await describeMint(mint, Uint8Array.from([4, ...keyBytes(mint), ...keyBytes(mint), ...texts]));
    expect(await queries.tokens([mint, "native", "not an address"])).toEqual([
      { token: mint, symbol: "DOG", name: "Dog Coin", decimals: 6, supplyRaw: 1_000n },
      { token: "native", symbol: "SOL", name: "Solana", decimals: 9, supplyRaw: null },
      { token: "not an address", symbol: null, name: null, decimals: null, supplyRaw: null },
    ]);
  });

  test("of Token-2022 come from the mint's own extension", async () => {
    const mint = await freshKey();
    const body = [
      ...keyBytes(mint),
      ...keyBytes(mint),
      ...text("Own <b>Name</b>"),
      ...text("OWN"),
      ...text(""),
    ];
    const extensions = [1, 18, 0, 4, 0, 9, 9, 9, 9, 19, 0, body.length & 255, body.length >> 8, ...body];
    const padded = [...mintData(5n, 9), ...new Uint8Array(83)];
    put(mint, TOKEN_2022_PROGRAM, Uint8Array.from([...padded, ...extensions]));
    const [facts] = await queries.tokens([mint]);
    expect(facts).toMatchObject({ symbol: "OWN", name: "Own <b>Name</b>", decimals: 9, supplyRaw: 5n });
  });

  test("that are hostile or missing never break the answer", async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(
        bytes,
        bytes,
        fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
        async (one, other, program) => {
          const mint = await freshKey();
          put(mint, program, Uint8Array.from([...mintData(1n, 2), ...one]));
          await describeMint(mint, Uint8Array.from([4, ...keyBytes(mint), ...keyBytes(mint), ...other]));
          const [facts] = await queries.tokens([mint]);
          expect(facts).toMatchObject({ token: mint, decimals: 2, supplyRaw: 1n });
          for (const shown of [facts?.name ?? "", facts?.symbol ?? ""]) expect(shown).not.toMatch(/\p{Cc}/u);
        },
      ),
      { numRuns: 30 },
    );
  });
});

test("balances are available for now and for the end of any slot, wrapped SOL included", async () => {
  const trader = await market.addTrader(50n * 10n ** 9n);
  const pool = await market.addPool(10n ** 12n, 10n ** 12n);
  const seen: { slot: number; sol: bigint; token: bigint }[] = [];
  for (let at = 0; at < 3; at++) {
    await market.buy(trader, pool, 10n ** 9n);
    const { slot } = ledger.produce();
    const token = await market.balance(trader.address, pool.mint);
    seen.push({ slot, sol: ledger.vm.getBalance(trader.address) ?? 0n, token });
    ledger.skip();
  }
  ledger.produce();
  ledger.finalize();
  const asked = [pool.mint, "native"];
  for (const { slot, sol, token } of seen)
    for (const at of [slot, slot + 1])
      expect(await queries.balances(trader.address, asked, at)).toEqual([
        { token: pool.mint, amountRaw: token },
        { token: "native", amountRaw: sol },
      ]);
  const now = await queries.balances(trader.address, asked, null);
  expect(now[0]?.amountRaw).toBe(seen.at(-1)?.token ?? 0n);
});

test("a past balance of one token costs that token's calls only, whatever else was sent to the wallet", async () => {
  const trader = await market.addTrader(50n * 10n ** 9n);
  const pools = [];
  for (let count = 0; count < 4; count++) pools.push(await market.addPool(10n ** 12n, 10n ** 12n));
  for (const pool of pools) await market.buy(trader, pool, 10n ** 9n);
  const { slot } = ledger.produce();
  ledger.finalize();
  const [mint = ""] = pools.map((pool) => pool.mint);
  const methods: string[] = [];
  node.instead = (method) => {
    methods.push(method);
    return undefined;
  };
  const [held] = await queries.balances(trader.address, [mint], slot);
  node.instead = () => undefined;
  expect(held).toEqual({ token: mint, amountRaw: await market.balance(trader.address, mint) });
  expect(methods.sort()).toEqual([
    "getSignaturesForAddress",
    "getTokenAccountsByOwner",
    "getTokenAccountsByOwner",
    "getTransaction",
  ]);
});

test("a pool is known if its program is, and if its own swap is all that moved the vaults", async () => {
  const [pool, other] = (await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()])) as [
    KeyPairSigner,
    KeyPairSigner,
  ];
  const owned = (owner: string) =>
    ledger.vm.setAccount({
      address: pool.address,
      programAddress: address(owner),
      data: new Uint8Array(8),
      executable: false,
      lamports: lamports(10_000_000n),
      space: 8n,
    });
  const authority = "GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL";
  const { isKnownPool } = queriesOf([RAYDIUM_CLMM_PROGRAM, other.address, authority]);
  owned(RAYDIUM_CLMM_PROGRAM);
  expect(await isKnownPool(pool.address, RAYDIUM_CLMM_PROGRAM)).toBe(true);
  expect(await isKnownPool(pool.address, null)).toBe(false);
  expect(await isKnownPool(pool.address, RAYDIUM_CPMM_PROGRAM)).toBe(false);
  expect(await isKnownPool(authority, RAYDIUM_CPMM_PROGRAM)).toBe(true);
  expect(await isKnownPool(authority, null)).toBe(false);
  // A program added by a setting: its swaps can't be recognized.
  owned(other.address);
  expect(await isKnownPool(pool.address, null)).toBe(true);
  owned(TOKEN_PROGRAM);
  expect(await isKnownPool(pool.address, TOKEN_PROGRAM)).toBe(false);
});
