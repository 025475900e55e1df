// The tracker's commands: what it sees in a transaction, which rosters it accepts, what providers grant.
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { knownTransactions } from "../../tracker/evm/test-transactions.ts";
import { TestLedger } from "../chains/solana/ledger.ts";
import { TestNode } from "../chains/solana/node.ts";
import { crowdtape, temporaryData } from "./program.ts";

/** Three programs are started in turn, which takes a while on a busy machine. */
const SLOW_MS = 900_000;

const folder = temporaryData();
const good = join(folder, "good.json");
const bad = join(folder, "bad.json");

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const one = (await knownTransactions()).find(({ name }) => name === "univ2 eth for token");
  if (!one) throw new Error("the fixture is gone");
  const { chain, transaction, receipt } = one.included;
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  const balances = { [one.wallet]: { before: hex(one.balances.before), after: hex(one.balances.after) } };
  const file = { chainId: chain.chainId, wallet: one.wallet, transaction, receipt, balances };
  await Bun.write(good, JSON.stringify(file));
  await Bun.write(bad, "<html>");
});

test(
  "each file gives one JSON line, and a bad one is reported without hiding the others",
  async () => {
    const { code, out, err } = await crowdtape(`tracker explain ${bad} ${good} --json`, {});
    const lines = out.trim().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(String(lines[0]))).toEqual({
      chainId: 1,
      wallet: "0x3cadf2ca458376a6a5fea2ef3612346037d5a787",
      hash: "0x67cf6c4ce5078f9750a14afd2f5070c327caf8c5180bdee2be59644ac59974e1",
      swap: true,
      kind: "swap",
      sold: [{ token: "native", amountRaw: "150000000000000000" }],
      bought: [{ token: "0x853d955acef822db058eb8505911ed77f175b99e", amountRaw: "462967761432322996701" }],
    });
    expect([code, err.trim()]).toEqual([1, `${bad} is not JSON.`]);
  },
  SLOW_MS,
);

test(
  "a hash needs a chain and a node, and an unreachable node is named by its host alone",
  async () => {
    const hash = `0x${"1".repeat(64)}`;
    expect((await crowdtape(`tracker explain ${hash}`, {})).err).toContain("--chain NAME");
    expect((await crowdtape(`tracker explain ${hash} --chain base`, {})).err).toContain("RPC_BASE");
    const away = await crowdtape(`tracker explain ${hash} --chain base`, {
      RPC_BASE: "http://127.0.0.1:9/key-1234",
    });
    expect(away.err).toContain("127.0.0.1");
    expect(away.err + away.out).not.toContain("key-1234");
    expect(away.code).toBe(1);
  },
  SLOW_MS,
);

test(
  "explain reports an invalid chain, wallet or hash, and finds a chain by any of its names",
  async () => {
    const hash = `0x${"1".repeat(64)}`;
    // A node without any data.
    const node = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const asked = (await request.json()) as { id: number } | { id: number }[];
        const nothing = ({ id }: { id: number }) => ({ jsonrpc: "2.0", id, result: null });
        return Response.json(Array.isArray(asked) ? asked.map(nothing) : nothing(asked));
      },
    });
    const explained = async (words: string) => {
      const { code, err } = await crowdtape(`tracker explain ${words}`, {
        RPC_BASE: `http://127.0.0.1:${node.port}`,
      });
      return [code, err.trim()];
    };
    try {
      const unknown = `The node knows no transaction ${hash}, has forgotten it, or has it in no block yet.`;
      expect(await explained(`${hash} --chain base`)).toEqual([1, unknown]);
      expect(await explained(`${hash} --chain 8453`)).toEqual([1, unknown]);
      expect(await explained(`${hash} --chain foo`)).toEqual([
        1,
        'There is no chain called "foo": say solana, eth, base, bsc or a chain id.',
      ]);
      expect(await explained(`${hash} --chain solana`)).toEqual([
        1,
        `${hash} is not a transaction hash of solana.`,
      ]);
      expect(await explained(`${hash} --chain base --wallet zzz`)).toEqual([
        1,
        "zzz is not a wallet address.",
      ]);
    } finally {
      await node.stop(true);
    }
  },
  SLOW_MS,
);

test(
  "an invalid roster is refused with sentences about it",
  async () => {
    const DATA_DIR = temporaryData();
    const refused = async (place: string) => (await crowdtape(`roster import ${place}`, { DATA_DIR })).err;
    expect(await refused("http://example.com/traders.csv")).toBe("The URL must be an https URL.\n");
    expect(await refused("ftp://example.com/traders.csv")).toBe("The URL must be an https URL.\n");
    expect(await refused("https://10.0.0.1/traders.csv")).toBe("The URL must lead to a public address.\n");
    await Bun.write(join(folder, "wrong.csv"), "handle,displayName,solana,evm\nfrog,Frog,,0x12\n");
    expect(await refused(join(folder, "wrong.csv"))).toBe(
      'Nothing was imported:\nline 2: "0x12" is not a valid EVM address\nline 2: frog has no wallet\n',
    );
  },
  SLOW_MS,
);

test(
  "doctor measures the providers of a separately served tracker, and says what its roster costs there",
  async () => {
    const ledger = new TestLedger(Date.now);
    ledger.produce();
    ledger.finalize();
    const node = new TestNode(ledger);
    const settings = { DATA_DIR: temporaryData(), RPC_SOLANA: node.url };
    try {
      const empty = await crowdtape("doctor", settings);
      expect(empty.out).toContain("ok     chain (solana)\n");
      expect(empty.out).toContain("before anybody is followed: crowdtape roster import adds traders");
      const wallet = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU";
      const roster = join(folder, "traders.csv");
      await Bun.write(roster, `handle,displayName,solana,evm\nfrog,Frog,${wallet},\n`);
      await crowdtape(`roster import ${roster}`, settings);
      const { out, code } = await crowdtape("doctor", settings);
      expect(out).toMatch(/head \d+ s old, lists no signatures, batches of 100/);
      expect(out).toContain("a month) for a wallet with 10 trades a day each\n");
      expect(code).toBe(0);
    } finally {
      await node.stop();
    }
  },
  SLOW_MS,
);
