// The built-in test chain as rows: a transfer is one row, and its slot is its position. Any process that opens the same
// database can add one, so a command can make the payment that a running service is waiting for.
import type { Queries } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";

export interface TestTransfer {
  slot: number;
  signature: string;
  reference: string;
  account: string;
  owner: string;
  mint: string;
  decimals: number;
  amountAtomic: string;
  at: number;
}

const SELECT = `SELECT slot, signature, reference, account, owner, mint, decimals,
  amount_atomic AS "amountAtomic", at FROM test_transfer`;

export async function insertTestTransfer(tx: Queries, transfer: Omit<TestTransfer, "slot">): Promise<void> {
  await tx.run(
    sql`INSERT INTO test_transfer (slot, signature, reference, account, owner, mint, decimals, amount_atomic, at)
        SELECT COALESCE(MAX(slot), 0) + 1, CAST(${transfer.signature} AS TEXT), CAST(${transfer.reference} AS TEXT),
          CAST(${transfer.account} AS TEXT), CAST(${transfer.owner} AS TEXT), CAST(${transfer.mint} AS TEXT),
          CAST(${transfer.decimals} AS BIGINT), CAST(${transfer.amountAtomic} AS TEXT), CAST(${transfer.at} AS BIGINT)
        FROM test_transfer`,
  );
}

export function findTestTransfer(queries: Queries, signature: string): Promise<TestTransfer | null> {
  return queries.one<TestTransfer>({ text: `${SELECT} WHERE signature = ?`, values: [signature] });
}

/** Transfers that name an address, newest first, strictly between two slots. */
export function testTransfersOf(
  queries: Queries,
  address: string,
  after: number,
  before: number,
  limit: number,
): Promise<TestTransfer[]> {
  return queries.all<TestTransfer>({
    text: `${SELECT} WHERE (reference = ? OR account = ?) AND slot > ? AND slot < ?
           ORDER BY slot DESC LIMIT ?`,
    values: [address, address, after, before, limit],
  });
}
