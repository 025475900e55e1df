// A trader's profit as a table that ends in the sum: one row per position, with its value at both ends of the window.
import type { PnlProofAnswer, ProofPosition } from "../src/generated.ts";
import { reading } from "./reading.ts";
import { type Column, facts, gains, table } from "./table.ts";
import * as unit from "./units.ts";

const openGain = ({ valueUsd, costUsd }: ProofPosition["opening"]) =>
  valueUsd === null || costUsd === null ? null : valueUsd - costUsd;

const taken = ({ moves }: ProofPosition) =>
  moves.reduce<number | null>(
    (sum, { gainUsd }) => (sum === null || gainUsd === null ? null : sum + gainUsd),
    0,
  );

const columns: Column<ProofPosition>[] = [
  { head: "token", value: ({ token }) => token.symbol },
  { head: "chain", value: ({ chain }) => chain },
  { head: "moves", align: "right", value: ({ moves }) => unit.count(moves.length) },
  { head: "open before (USD)", align: "right", value: ({ opening }) => unit.usd(openGain(opening)) },
  { head: "taken (USD)", align: "right", value: (row) => unit.usd(taken(row)) },
  { head: "fees (USD)", align: "right", value: ({ feesUsd }) => unit.usd(feesUsd) },
  { head: "open after (USD)", align: "right", value: ({ closing }) => unit.usd(openGain(closing)) },
  gains("net (USD)", ({ pnlUsd }) => pnlUsd),
  { head: "not known", value: ({ missing }) => missing.join(", ") },
];

export const proof = reading({
  usage: "proof @HANDLE [--window 24h|7d|30d|all]",
  summary: "A trader's profit, position by position, down to the sum. 250 credits a page of 100.",
  details: "  --window WINDOW    over which time: 24h, 7d (the usual), 30d or all",
  options: { window: { type: "string" } },
  words: [1, 1],
  async run(run) {
    const window = (run.values.window ?? "7d") as "7d";
    const handle = String(run.words[0]);
    const rows: ProofPosition[] = [];
    let page: PnlProofAnswer = await run.client.getPnlProof({ handle, window });
    for (rows.push(...page.positions); page.nextCursor !== null; rows.push(...page.positions))
      page = await run.client.getPnlProof({ handle, window, cursor: page.nextCursor });
    await run.show({ ...page, count: rows.length, positions: rows, nextCursor: null }, () => {
      const sums = facts(
        [
          ["positions", unit.count(rows.length)],
          ["taken, net of fees (USD)", unit.usd(page.realizedUsd)],
          ["change of open (USD)", unit.usd(page.unrealizedChangeUsd)],
          ["before fees (USD)", unit.usd(page.grossPnlUsd)],
          ["fees (USD)", unit.usd(page.feesUsd)],
          [`profit, ${page.window} to ${unit.time(page.asOf)} (USD)`, unit.usd(page.pnlUsd)],
        ],
        run.paint,
      );
      return `${table(rows, columns, run.paint)}\n\n${sums}`;
    });
    if (!page.complete) run.remark(page.note ?? "Not everything is known of this window.");
  },
});
