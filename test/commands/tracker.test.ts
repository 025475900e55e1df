// What the tracker sees in a transaction, as people ask for it on the command line.
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { knownTransactions } from "../../tracker/evm/test-transactions.ts";
import { crowdtape, temporaryData } from "./program.ts";

/** Three programs are started in turn; a busy machine takes its time. */
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
  "a hash needs a chain and a node, and a node that is away is named by its host alone",
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
