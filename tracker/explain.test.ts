import { expect, test } from "bun:test";
import { knownTransactions } from "./evm/test-transactions.ts";
import { CannotExplain, explainText } from "./explain.ts";

const known = await knownTransactions();

function fileOf(one: (typeof known)[number], fields: Record<string, unknown> = {}): string {
  const { chain, transaction, receipt } = one.included;
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  const balances = { [one.wallet]: { before: hex(one.balances.before), after: hex(one.balances.after) } };
  return JSON.stringify({
    chainId: chain.chainId,
    wallet: one.wallet,
    transaction,
    receipt,
    balances,
    ...fields,
  });
}

test("a file is explained for its own wallet, with raw amounts as text", () => {
  for (const one of known) {
    const [line, ...more] = explainText(fileOf(one), one.name);
    expect(more).toEqual([]);
    expect(line).toMatchObject({ wallet: one.wallet, kind: one.kind, swap: one.kind === "swap" });
    for (const leg of [...(line?.sold ?? []), ...(line?.bought ?? [])])
      expect(leg.amountRaw).toMatch(/^[1-9]\d*$/);
  }
});

test("without a wallet, every wallet whose holdings changed is explained, the sender first", () => {
  const one = known.find(({ name }) => name === "erc20 transfer usdt out");
  const lines = explainText(fileOf(one as (typeof known)[number], { wallet: undefined }), "a file");
  expect(lines.map(({ wallet, kind }) => [wallet, kind])).toEqual([
    [String(one?.wallet), "transfer-out"],
    [String(one?.others[0]?.[0]), "transfer-in"],
  ]);
});

test("a file that is not a transaction is refused with a sentence", () => {
  const [one] = known;
  const good = JSON.parse(fileOf(one as (typeof known)[number]));
  const texts = [
    "not json",
    "[]",
    "null",
    "{}",
    JSON.stringify({ ...good, chainId: "1" }),
    JSON.stringify({ ...good, transaction: null }),
    JSON.stringify({ ...good, receipt: { ...good.receipt, logs: "none" } }),
    JSON.stringify({ ...good, receipt: { ...good.receipt, gasUsed: "many" } }),
    JSON.stringify({ ...good, balances: { [good.wallet]: { before: 1.5, after: "0x1" } } }),
    JSON.stringify({ wallet: "w", transaction: { meta: null } }),
  ];
  for (const text of texts) expect(() => explainText(text, "some.json")).toThrow(CannotExplain);
});
