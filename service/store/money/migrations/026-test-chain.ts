// The built-in test chain: transfers of a coin that is worth nothing, so that the whole journey can be walked
// without a wallet.

import { rowKey } from "../../../../database/column-types.ts";
import type { Migration } from "../../../../database/migrate.ts";

export const migration: Migration = {
  id: "026-test-chain",
  statements: (dialect) => [
    `CREATE TABLE test_transfer (
      slot ${rowKey(dialect)},
      signature TEXT NOT NULL UNIQUE,
      reference TEXT NOT NULL,
      account TEXT NOT NULL,
      owner TEXT NOT NULL,
      mint TEXT NOT NULL,
      decimals BIGINT NOT NULL,
      amount_atomic TEXT NOT NULL,
      at BIGINT NOT NULL
    )`,
    "CREATE INDEX test_transfer_reference ON test_transfer (reference, slot)",
    "CREATE INDEX test_transfer_account ON test_transfer (account, slot)",
  ],
};
