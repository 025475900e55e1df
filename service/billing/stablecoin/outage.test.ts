import { afterEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../../kit/units.ts";
import { freshPublicKey } from "./base58.ts";
import type { PaymentGrants } from "./grants.ts";
import { createStablecoinPayments } from "./payments.ts";
import { type StandInAnswer, TOKEN } from "./test-rpc.ts";
import { EXPIRES_MINUTES, makeSolanaWorld, type SolanaWorld } from "./test-support.ts";

const USD = 1_000_000n;

let worlds: SolanaWorld[] = [];
const solanaWorld = async (options: Parameters<typeof makeSolanaWorld>[0] = {}) => {
  const world = await makeSolanaWorld(options);
  worlds.push(world);
  return world;
};
afterEach(async () => {
  const done = worlds;
  worlds = [];
  for (const world of done) await world.close();
});

const ask = (world: SolanaWorld) => world.payments.create({ plan: "credits", amount: 5 }, world.accountId);
const status = async (world: SolanaWorld, paymentId: string) =>
  (await world.payments.get(paymentId, world.accountId)).status;
const verdicts = async (world: SolanaWorld, paymentId: string) =>
  (await world.payments.transfers(paymentId)).map((transfer) => transfer.verdict);

const rpc = (result: unknown) => Response.json({ jsonrpc: "2.0", id: "1", result });
const HUGE = `{"jsonrpc":"2.0","id":"1","result":"${"x".repeat(5 * 1024 * 1024)}"}`;
const SICK: [string, StandInAnswer][] = [
  ["an HTML page", () => new Response("<html>busy</html>", { headers: { "content-type": "text/html" } })],
  ["a 503", () => new Response("busy", { status: 503 })],
  ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 302)],
  ["half an answer", () => new Response('{"jsonrpc":"2.0","result":[{"signature":"')],
  ["more than anyone reads", () => new Response(HUGE)],
  [
    "an error of its own",
    () => Response.json({ jsonrpc: "2.0", id: "1", error: { code: -32005, message: "behind" } }),
  ],
  ["null", () => new Response("null")],
  ["a list", () => new Response("[]")],
  ["another type", () => rpc({ __proto__: { signature: "x" }, length: 1 })],
  [
    "rows of another type",
    () => rpc([{ signature: 5, slot: "NaN", blockTime: -1, confirmationStatus: "finalized" }]),
  ],
  ["silence", () => new Promise<Response>(() => undefined)],
];

describe("a sick RPC", () => {
  for (const [what, instead] of SICK) {
    test(`that answers with ${what} costs nothing but time`, async () => {
      const world = await solanaWorld({ timeoutMs: 2_000 });
      const payment = await ask(world);
      await world.pay(payment.reference, 5n * USD);
      world.node.instead = instead;
      await world.look(2);
      expect(await status(world, payment.paymentId)).toBe("awaiting_payment");
      expect(world.payments.watcher.failures()).toBeGreaterThan(0);
      world.node.instead = () => null;
      await world.look(3);
      expect(await status(world, payment.paymentId)).toBe("credited");
      expect(world.payments.watcher.failures()).toBe(0);
      expect(await world.granted()).toEqual(["prepaid 200000"]);
      // RPC providers put their keys into the URL.
      expect(world.lines.join("\n")).not.toContain("canary-of-the-rpc");
    });
  }

  test("asks one payment at a time while it is down, however many wait", async () => {
    const world = await solanaWorld();
    for (let i = 0; i < 10; i++) await ask(world);
    world.node.instead = () => new Response("down", { status: 502 });
    await world.payments.watcher.pass();
    world.node.calls.length = 0;
    await world.payments.watcher.pass();
    await world.payments.watcher.pass();
    expect(world.node.calls).toHaveLength(2);
  });

  test("that was away for days loses nothing: what was paid in time is credited as in time", async () => {
    const world = await solanaWorld();
    const plan = await world.payments.create({ plan: "starter" }, world.accountId);
    world.node.instead = () => new Response("down", { status: 502 });
    await world.clock.advance(10 * MINUTE_MS);
    await world.pay(plan.reference, 20n * USD);
    await world.pay(plan.reference, 29_990_000n);
    await world.look(3);
    await world.clock.advance(5 * DAY_MS);
    await world.restart();
    await world.look(3);
    expect(await world.granted()).toEqual([]);
    world.node.instead = () => null;
    await world.clock.advance(EXPIRES_MINUTES * MINUTE_MS);
    await world.look(3);
    expect(await status(world, plan.paymentId)).toBe("credited");
    expect((await world.account()).plan).toBe("starter");
    expect((await world.account()).prepaidRemaining).toBe(0);
  });
});

describe("a lying RPC", () => {
  const lies: [string, (transaction: Record<string, unknown>, other: Record<string, unknown>) => unknown][] =
    [
      [
        "another transaction's bytes",
        (transaction, other) => ({ ...transaction, transaction: other.transaction }),
      ],
      [
        "bytes without a signature",
        (transaction) => ({ ...transaction, transaction: [tampered(transaction), "base64"] }),
      ],
      [
        "bytes that are no transaction",
        (transaction) => ({ ...transaction, transaction: ["AAAA", "base64"] }),
      ],
      ["no balances", ({ meta: _, ...transaction }) => transaction],
      ["no word on success", (transaction) => withoutSuccess(transaction)],
      ["a negative amount", (transaction) => amounts(transaction, "-5")],
      ["an amount beyond 64 bits", (transaction) => amounts(transaction, "99999999999999999999")],
      ["an account that is not in the transaction", (transaction) => indexes(transaction, 200)],
      ["one account twice", (transaction) => indexes(transaction, 1)],
      ["another number of decimals", (transaction) => amounts(transaction, "5000000", 2)],
    ];
  for (const [what, lie] of lies) {
    test(`that gives ${what} is not believed`, async () => {
      const world = await solanaWorld();
      const payment = await ask(world);
      const sent = await world.pay(payment.reference, 5n * USD);
      const other = await world.pay(payment.reference, 7n * USD, { status: "gone" });
      world.node.twist = (method, result) =>
        method === "getTransaction" && result !== null
          ? lie(structuredClone(result) as Record<string, unknown>, other.result)
          : result;
      await world.look(3);
      expect(await status(world, payment.paymentId)).toBe("confirming");
      expect(await world.granted()).toEqual([]);
      world.node.twist = (_method, result) => result;
      await world.clock.advance(6 * MINUTE_MS);
      await world.look(3);
      expect(await status(world, payment.paymentId)).toBe("credited");
      expect((await world.payments.get(payment.paymentId, world.accountId)).signature).toBe(sent.signature);
    });
  }

  test("one transaction that can't be read holds up no other, and after a day is written down", async () => {
    const world = await solanaWorld();
    const payment = await ask(world);
    const poison = await world.pay(payment.reference, 1n);
    world.node.instead = (method, [signature]) =>
      method === "getTransaction" && signature === poison.signature
        ? Response.json({ jsonrpc: "2.0", id: "1", error: { code: -32015, message: "version" } })
        : null;
    await world.pay(payment.reference, 5n * USD);
    await world.look(3);
    expect(await status(world, payment.paymentId)).toBe("credited");
    await world.clock.advance(DAY_MS);
    await world.look(3);
    expect((await verdicts(world, payment.paymentId)).sort()).toEqual(["credited", "unreadable"]);
    world.node.instead = () => null;
    await world.clock.advance(DAY_MS);
    await world.look(3);
    expect(await verdicts(world, payment.paymentId)).toEqual(["credited", "credited"]);
    expect(await status(world, payment.paymentId)).toBe("overpaid");
  });

  test("settings that contradict the chain credit nothing and say so", async () => {
    const world = await solanaWorld();
    const payment = await ask(world);
    await world.pay(payment.reference, 5n * USD);
    world.node.twist = (method, result) => (method === "getAccountInfo" ? { value: null } : result);
    await world.look(2);
    expect(await world.granted()).toEqual([]);
    expect(world.lines.some((line) => line.includes("contradict the chain"))).toBe(true);
  });
});

describe("settings", () => {
  test("a recipient that is a token account and not a wallet is noticed before anything is credited", async () => {
    const world = await solanaWorld();
    const payment = await ask(world);
    await world.pay(payment.reference, 5n * USD);
    world.node.instead = (method, [account]) =>
      method === "getAccountInfo" && account === world.recipient
        ? rpc({ value: { owner: TOKEN, data: ["", "base64"] } })
        : null;
    await world.look(2);
    expect(await world.granted()).toEqual([]);
    expect(world.lines.some((line) => line.includes("is not a wallet"))).toBe(true);
  });

  test("an address with letters missing stops the start with a sentence", () => {
    const recipient = freshPublicKey().slice(0, -4);
    const solana = {
      rpcUrl: "http://127.0.0.1:1",
      recipient,
      mint: freshPublicKey(),
      symbol: "USDC",
      decimals: 6,
    };
    const start = () => createStablecoinPayments({ settings: { solana } } as never);
    expect(start).toThrow("SOLANA_RECIPIENT must be a Solana address");
  });
});

describe("a service that stops in the middle", () => {
  test("a long list of transfers is walked on from where it was, over pages and restarts", async () => {
    const world = await solanaWorld();
    const payment = await ask(world);
    for (let i = 0; i < 60; i++) await world.pay(payment.reference, 1_000n);
    await world.payments.watcher.pass();
    const early = await verdicts(world, payment.paymentId);
    expect(early.length).toBeLessThan(60);
    await world.restart();
    await world.look(4);
    expect(await verdicts(world, payment.paymentId)).toEqual(Array(60).fill("credited"));
    expect((await world.account()).prepaidRemaining).toBe(60 * 40);
    const reads = world.node.calls.filter((method) => method === "getTransaction").length;
    await world.look(3);
    expect(world.node.calls.filter((method) => method === "getTransaction")).toHaveLength(reads);
  });

  test("a grant that fails leaves no trace, and is made when the same transfer is looked at again", async () => {
    let failing = true;
    const grants = (real: PaymentGrants): PaymentGrants => ({
      ...real,
      apply: async (tx, grant) => {
        const applied = await real.apply(tx, grant);
        if (failing) throw new Error("the power went");
        return applied;
      },
    });
    const world = await solanaWorld({ grants });
    const payment = await ask(world);
    await world.pay(payment.reference, 5n * USD);
    await world.look(2);
    expect(await verdicts(world, payment.paymentId)).toEqual([]);
    expect(await world.granted()).toEqual([]);
    failing = false;
    await world.look(2);
    expect(await world.granted()).toEqual(["prepaid 200000"]);
  });
});

type Meta = {
  postTokenBalances: { accountIndex: number; uiTokenAmount: { amount: string; decimals: number } }[];
};

function amounts(transaction: Record<string, unknown>, amount: string, decimals = 6): unknown {
  for (const balance of (transaction.meta as Meta).postTokenBalances) {
    balance.uiTokenAmount = { ...balance.uiTokenAmount, amount, decimals };
  }
  return transaction;
}

function indexes(transaction: Record<string, unknown>, index: number): unknown {
  for (const balance of (transaction.meta as Meta).postTokenBalances) balance.accountIndex = index;
  return transaction;
}

function withoutSuccess(transaction: Record<string, unknown>): unknown {
  const { err: _, ...meta } = transaction.meta as Record<string, unknown>;
  return { ...transaction, meta };
}

/** The same signature over a message that says something else. */
function tampered(transaction: Record<string, unknown>): string {
  const bytes = Buffer.from((transaction.transaction as [string])[0], "base64");
  const last = bytes.length - 4;
  bytes[last] = (bytes[last] ?? 0) ^ 1;
  return bytes.toString("base64");
}
