// The origin of a launch pad's tokens: from its real transaction, and from synthetic ones in its format.
import { afterAll, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSigner } from "@solana/kit";
import { systemClock } from "../../kit/clock.ts";
import { createMetrics } from "../../kit/metrics.ts";
import { seededRandom } from "../../kit/random.ts";
import { TestLedger } from "../../test/chains/solana/ledger.ts";
import { TestNode } from "../../test/chains/solana/node.ts";
import type { Launch, LaunchAnswer } from "../chain.ts";
import { UNKNOWN_LAUNCH } from "../launch-answers.ts";
import { createRpcClient, createRpcMetrics } from "../rpc/client.ts";
import real from "./fixtures/pump-create.json";
import { createSolanaQueries } from "./queries.ts";
import {
  authorityOf,
  curveOf,
  metadataOf,
  type PadTransaction,
  padTransaction,
  putCurve,
  tell,
} from "./test-pump.ts";

const ledger = new TestLedger();
const node = new TestNode(ledger);
const { launches } = createSolanaQueries(
  createRpcClient({
    chain: "solana",
    urls: [node.url],
    clock: systemClock(),
    random: seededRandom("launches"),
    metrics: createRpcMetrics(createMetrics()),
    callsPerSecondMax: 10_000,
    pauseMsMin: 1,
  }),
);
afterAll(() => node.stop());

const FINAL = 400_000_000;
const AT = 1_750_000_000_000;
const NOTHING: Launch = { launchedAt: null, deployer: null, graduatedAt: null };
const fresh = async () => (await generateKeyPairSigner()).address as string;
const ask = async (tokens: string[], known: Launch = NOTHING) =>
  (await launches?.(
    tokens.map((token) => ({ token, known })),
    FINAL,
  )) as LaunchAnswer[];

let mint: string;
let maker: string;
beforeEach(async () => {
  [mint, maker] = [await fresh(), await fresh()];
  node.instead = () => undefined;
});

/** Mint first, and the user sixth, as in the program's interface. */
async function created(slot = 10, signer = maker): Promise<PadTransaction> {
  const accounts = [mint, await fresh(), await curveOf(mint), await fresh(), await fresh(), maker];
  return padTransaction(`create ${mint}`, slot, "create_v2", { signer, accounts, timeMs: AT });
}
async function moved(kind: "migrate" | "migrate_v2", of = mint): Promise<PadTransaction> {
  const accounts = [await fresh(), await fresh(), of, await fresh(), await curveOf(mint), maker];
  return padTransaction(`${kind} ${of}`, 20, kind, { signer: maker, accounts, timeMs: AT + 60_000 });
}
/** A transaction that only mentions the address. */
const stray = (signature: string, slot: number): PadTransaction =>
  padTransaction(signature, slot, "create_v2", { signer: maker, accounts: ["nobody"], timeMs: AT - 60_000 });

test("a real token's launch matches its real transaction", async () => {
  const [user = "", made = ""] = real.transaction.message.accountKeys;
  await putCurve(ledger, made, false, await fresh());
  const [signature = ""] = real.transaction.signatures;
  const history = [{ signature, slot: real.slot, transaction: real }];
  // Its keys include the accounts that we derive.
  for (const key of [await metadataOf(made), await curveOf(made)])
    expect(real.transaction.message.accountKeys).toContain(key);
  tell(node, new Map([[await metadataOf(made), history]]));
  const launchedAt = real.blockTime * 1_000;
  expect(await ask([made])).toEqual([{ launchedAt, deployer: user, graduatedAt: null, again: "pad" }]);
  // Once known, only its curve is checked.
  node.calls.length = 0;
  const before = { launchedAt, deployer: user, graduatedAt: null };
  expect(await ask([made], before)).toEqual([{ ...before, again: "pad" }]);
  expect(node.calls).toEqual(["getMultipleAccounts"]);
});

test("a sold-out token left its pad when it was moved to a pool", async () => {
  for (const kind of ["migrate", "migrate_v2"] as const) {
    [mint, maker] = [await fresh(), await fresh()];
    await putCurve(ledger, mint, true, maker);
    const curve = [stray("late", 30), await created()];
    const history = new Map([[await curveOf(mint), curve]]);
    tell(node, history);
    // Sold out, and not moved yet.
    expect(await ask([mint])).toEqual([
      { launchedAt: AT, deployer: maker, graduatedAt: null, again: "later" },
    ]);
    // Others mentioned the address before, and one moved another token.
    const others = [await moved(kind, await fresh()), stray("early", 11)];
    history.set(await authorityOf(mint), [stray("later", 31), await moved(kind), ...others]);
    expect(await ask([mint])).toEqual([
      { launchedAt: AT, deployer: maker, graduatedAt: AT + 60_000, again: "never" },
    ]);
  }
});

test("a named creator who did not sign is not the deployer", async () => {
  const [famous, payer] = [await fresh(), await fresh()];
  await putCurve(ledger, mint, false, famous);
  tell(node, new Map([[await curveOf(mint), [await created(10, payer)]]]));
  expect(await ask([mint])).toEqual([{ launchedAt: AT, deployer: null, graduatedAt: null, again: "pad" }]);
});

test("the oldest of a long history is found, up to a limit, and nothing that failed or is not final", async () => {
  await putCurve(ledger, mint, false, maker);
  const busy = (count: number) => Array.from({ length: count }, (_, at) => stray(`${mint} ${at}`, 100));
  const history = async (entries: PadTransaction[]) => {
    tell(node, new Map([[await curveOf(mint), entries]]));
    return (await ask([mint]))[0];
  };
  expect(await history([...busy(2_500), await created()])).toMatchObject({ launchedAt: AT, deployer: maker });
  expect(await history([...busy(1_999), await created()])).toMatchObject({ launchedAt: AT });
  expect(await history([...busy(5_000), await created()])).toEqual(UNKNOWN_LAUNCH);
  expect(await history([await created(FINAL + 1)])).toEqual(UNKNOWN_LAUNCH);
  expect(await history([{ ...(await created()), failed: true }])).toEqual(UNKNOWN_LAUNCH);
});

test("tokens without a curve are asked about once; a round is limited, and garbage does not block the others", async () => {
  expect(await ask([mint, "native", "no address"])).toEqual(
    [mint, "native", "no address"].map(() => ({ ...UNKNOWN_LAUNCH, again: "never" as const })),
  );
  const mints: string[] = [];
  const histories = new Map<string, PadTransaction[]>();
  for (let count = 0; count < 25; count++) {
    mint = await fresh();
    mints.push(mint);
    await putCurve(ledger, mint, false, maker);
    const made = await created();
    histories.set(await curveOf(mint), [count === 0 ? { ...made, transaction: { slot: "?" } } : made]);
  }
  tell(node, histories);
  const answers = await ask(mints);
  expect(answers[0]).toEqual(UNKNOWN_LAUNCH);
  expect(answers.filter((each) => each?.launchedAt === AT)).toHaveLength(19);
  expect(answers.slice(20).every((each) => each === null)).toBe(true);
  // A node that refuses leaves them unknown.
  const refused = { error: { code: -32601, message: "Method not found" } };
  node.instead = (method) => (method === "getSignaturesForAddress" ? refused : undefined);
  expect((await ask(mints.slice(0, 1)))[0]).toEqual(UNKNOWN_LAUNCH);
});
